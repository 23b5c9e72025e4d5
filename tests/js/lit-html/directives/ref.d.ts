export declare function ref(to: (element?: Element) => void): unknown;
