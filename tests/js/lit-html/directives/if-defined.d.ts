export declare function ifDefined(value: unknown): unknown;
