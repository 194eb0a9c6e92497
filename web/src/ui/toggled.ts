/** The set with the item if it lacked it, else without it. */
export const toggled = <Item>(set: ReadonlySet<Item>, item: Item): Set<Item> => {
  const next = new Set(set);
  if (!next.delete(item)) next.add(item);
  return next;
};
