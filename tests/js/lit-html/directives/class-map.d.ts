export declare function classMap(classes: { readonly [name: string]: string | boolean | number }): unknown;
