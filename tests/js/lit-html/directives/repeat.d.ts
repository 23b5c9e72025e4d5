export declare function repeat<Item>(
  items: Iterable<Item>,
  key: (item: Item, index: number) => unknown,
  template: (item: Item, index: number) => unknown,
): unknown;
