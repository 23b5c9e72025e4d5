export declare function cache(value: unknown): unknown;
