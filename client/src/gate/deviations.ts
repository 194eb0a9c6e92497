import { canonicalJson } from '../passport/passport.ts';

/** The value at a path of the rules that is another one now. */
type Change = { path: string; before: unknown; after: unknown };

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Lists the values that differ, by their paths. A metric of the rules is found by its name, wherever it stands. */
const changesOf = (before: unknown, after: unknown, path: string): Change[] => {
  if (canonicalJson([before ?? null]) === canonicalJson([after ?? null])) return [];
  const byMetric = (value: unknown): unknown =>
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((item) => isPlain(item) && typeof item.metric === 'string')
      ? Object.fromEntries(value.map((item) => [item.metric, item]))
      : value;
  const [b, a] = [byMetric(before), byMetric(after)];
  if (!isPlain(b) || !isPlain(a)) return [{ path, before, after }];
  return [...new Set([...Object.keys(b), ...Object.keys(a)])]
    .sort()
    .flatMap((name) => changesOf(b[name], a[name], path === '' ? name : `${path}.${name}`));
};

/** Changes that make a rule easier to pass, in words. */
const easier = ({ path, before, after }: Change): string | null => {
  const name = path.split('.').at(-1);
  if (after === undefined) return 'a rule is gone';
  if (typeof before !== 'number' || typeof after !== 'number') return null;
  if (name === 'margin' && after > before && path.includes('nonInferiority')) return 'the margin is wider';
  if ((name === 'atLeast' || name === 'notBelow' || name === 'covers') && after < before)
    return 'the line is lower';
  if ((name === 'mayLack' || name === 'maxRise') && after > before) return 'more is allowed';
  return null;
};

const shown = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));

/** Says in words where rules depart from those that were registered. */
export const ruleDeviations = (registered: unknown, used: unknown): string[] =>
  changesOf(registered, used, '').map((change) => {
    const why = easier(change);
    return `the rules were changed after the registration: ${change.path || 'all'} was ${shown(change.before)} and is ${shown(change.after)}${why ? `; ${why}` : ''}`;
  });
