/** Labels of a category metric: the service, its pages and the command line read them with this file. It imports nothing. */

/** The labels that a category metric gives, which of them pass, and whether they go from worst to best. */
export type Labels = { items: string[]; passing: string[]; ordered: boolean };

/** Most labels of one metric. */
export const maxLabels = 100;
/** In characters. */
export const longestLabel = 200;

/** Labels that people read as the same: letters in another case, or the same letters in another form of Unicode. */
const asRead = (label: string): string => label.normalize('NFKC').toLowerCase();

/** A label as people read it: without spaces around it, and in one case. */
export const alikeLabel = (label: string): string => asRead(label.trim());

const problemOfOne = (label: unknown): string | undefined => {
  if (typeof label !== 'string') return 'must be a text';
  if (label.trim() === '') return 'must not be empty';
  if (label !== label.trim()) return 'must not begin or end with a space';
  if (label.length > longestLabel) return `must have at most ${longestLabel} characters`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a label is one line of text.
  if (/[\u0000-\u001f\u007f\u2028\u2029]/.test(label)) return 'must be one line';
  if (!label.isWellFormed()) return 'must be valid Unicode';
  return undefined;
};

/** The place of a label that a person names: as it is written, else as people read it. −1 without one. */
export const placeOfName = ({ items }: Pick<Labels, 'items'>, name: string): number => {
  const exact = items.indexOf(name);
  return exact >= 0 ? exact : items.findIndex((label) => asRead(label) === asRead(name));
};

/** What is wrong with labels, and where; undefined for labels that a metric can have. */
export const problemOfLabels = ({
  items,
  passing,
}: Labels): { path: string; problem: string } | undefined => {
  for (const [i, label] of items.entries()) {
    const problem = problemOfOne(label);
    if (problem) return { path: `/items/${i}`, problem };
    const twin = items.slice(0, i).find((earlier) => asRead(earlier) === asRead(label));
    if (twin === label) return { path: `/items/${i}`, problem: `must not repeat '${label}'` };
    if (twin !== undefined)
      return {
        path: `/items/${i}`,
        problem: `is read like '${twin}': labels differ in more than their case`,
      };
  }
  if (items.length < 2) return { path: '/items', problem: 'needs at least two labels' };
  if (items.length > maxLabels) return { path: '/items', problem: `must have at most ${maxLabels} labels` };
  for (const [i, label] of passing.entries()) {
    if (!items.includes(label))
      return { path: `/passing/${i}`, problem: `names '${label}', which is none of the labels` };
    if (passing.indexOf(label) < i) return { path: `/passing/${i}`, problem: `must not repeat '${label}'` };
  }
  if (passing.length === 0)
    return {
      path: '/passing',
      problem: 'needs at least one label: rates, gates and alerts count those that pass',
    };
  if (passing.length === items.length)
    return { path: '/passing', problem: 'must leave out at least one label: else each score passes' };
  return undefined;
};

/** Places are parts of this, so that each is exact in binary. */
const parts = 1024;

/**
 * The number that stands for a label: 1 for a label that passes and 0 for another, plus its place in 1/1024. So `value ≥ 1` passes, as for a
 * boolean, and the number still says which label it is. Undefined for a text that is none of the labels.
 */
export const valueOfLabel = ({ items, passing }: Labels, label: unknown): number | undefined => {
  const place = items.indexOf(label as string);
  return place < 0 ? undefined : Number(passing.includes(items[place]!)) + place / parts;
};

/** The place of the label that a number stands for. */
export const placeOf = (value: number): number => Math.round((value % 1) * parts);

/** The label that a number stands for. */
export const labelOf = ({ items }: Pick<Labels, 'items'>, value: number): string | undefined =>
  items[placeOf(value)];

/** Names labels in a sentence. */
export const labelList = (items: readonly string[], most = 12): string => {
  const named = items.slice(0, most).map((label) => `'${label}'`);
  return items.length > most ? `${named.join(', ')} and ${items.length - most} more` : named.join(', ');
};
