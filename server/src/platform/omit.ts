/** Returns the object without the named fields. */
export const omit = <T extends object, K extends keyof T>(value: T, ...names: K[]): Omit<T, K> =>
  Object.fromEntries(Object.entries(value).filter(([name]) => !names.includes(name as K))) as Omit<T, K>;
