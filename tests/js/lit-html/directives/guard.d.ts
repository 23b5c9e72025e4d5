export declare function guard(on: unknown, draw: () => unknown): unknown;
