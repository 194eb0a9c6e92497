import { alikeLabel, type Labels, labelList, problemOfLabels } from '../../../client/src/labels.ts';
import { CliError } from '../errors.ts';

/** What the user says about a metric whose values are labels: which pass, and their order from worst to best. */
export type SaidLabels = { passing: string; order?: string };

/** A label may hold a comma: the whole text counts first. */
const listed = (text: string, known: readonly string[]): string[] => {
  const alone = known.find((label) => alikeLabel(label) === alikeLabel(text));
  return alone === undefined ? text.split(',').map((part) => part.trim()) : [text];
};

/** Returns the spelling that each label is stored with, by how it is read: as the user writes it, else the most frequent one. */
const spellingsOf = (found: readonly string[], said: readonly string[]): Map<string, string> => {
  const counts = new Map<string, Map<string, number>>();
  for (const text of found) {
    const spellings = counts.get(alikeLabel(text)) ?? new Map<string, number>();
    spellings.set(text.trim(), (spellings.get(text.trim()) ?? 0) + 1);
    counts.set(alikeLabel(text), spellings);
  }
  const frequent = [...counts].map(
    ([key, spellings]) => [key, [...spellings].sort(([, a], [, b]) => b - a)[0]![0]] as const,
  );
  return new Map([...frequent, ...said.map((label) => [alikeLabel(label), label] as const)]);
};

export type ReadLabels = {
  labels: Labels;
  /** The label that a value is stored as. */
  labelOf: (value: string) => string | undefined;
  notes: string[];
};

/** Reads the labels of a metric from its values. Labels that people read alike are one. Throws for labels that do not fit what the user says. */
export const readLabels = (
  name: string,
  found: readonly string[],
  { passing, order }: SaidLabels,
): ReadLabels => {
  const known = [...new Set(found.map((text) => text.trim()))];
  const inOrder = order === undefined ? [] : listed(order, known);
  const pass = listed(passing, [...known, ...inOrder]);
  const spellings = spellingsOf(found, inOrder.length > 0 ? inOrder : pass);
  const spelled = (text: string): string => spellings.get(alikeLabel(text)) ?? text;
  const all = [...new Set(known.map(spelled))];
  const unknown = pass.map(spelled).find((label) => ![...all, ...inOrder].includes(label));
  if (unknown !== undefined)
    throw new CliError(
      `--passing names '${unknown}', which '${name}' does not have.`,
      `It has: ${labelList(all)}`,
    );
  const left = inOrder.length > 0 ? all.filter((label) => !inOrder.includes(label)) : [];
  if (left.length > 0)
    throw new CliError(
      `--order of '${name}' leaves out ${labelList(left)}.`,
      'Name each label of the file, from worst to best.',
    );
  const labels = {
    items: inOrder.length > 0 ? inOrder : all,
    passing: [...new Set(pass.map(spelled))],
    ordered: inOrder.length > 0,
  };
  const problem = problemOfLabels(labels);
  if (problem)
    throw new CliError(
      `The labels of '${name}' cannot be a metric: ${problem.path.slice(1)} ${problem.problem}.`,
    );
  const merged = known.filter((text) => spelled(text) !== text);
  return {
    labels,
    labelOf: (value) => spellings.get(alikeLabel(value)),
    notes: merged.map((text) => {
      const count = found.filter((one) => one.trim() === text).length;
      return `Metric '${name}': '${text}' (${count} times) is taken as '${spelled(text)}'.`;
    }),
  };
};
