import type { RawJson } from '../../platform/json/json.ts';

/** An object of some of the members of another, as text. */
export type Picker = (members: Map<string, RawJson>) => RawJson;

/**
 * Picks the members that `names` name, each once and in their order. The names are read once for all objects: a testset may map
 * hundreds of thousands, and for each of a hundred testcases that took a minute.
 */
export const picker = (names: readonly string[]): Picker => {
  const places = new Map([...new Set(names)].map((name, i) => [name, i]));
  return (members) =>
    `{${[...members]
      .filter(([name]) => places.has(name))
      .sort(([a], [b]) => places.get(a)! - places.get(b)!)
      .map(([name, value]) => `${JSON.stringify(name)}:${value}`)
      .join(',')}}`;
};
