import type { Labels } from '../../types.ts';

/** The labels of a category in a form. `key` stays with a row that is moved. */
export type LabelsForm = { items: { key: number; text: string; passes: boolean }[]; ordered: boolean };

/** What a new category begins with. */
export const newLabels: LabelsForm = {
  items: [
    { key: 0, text: '', passes: false },
    { key: 1, text: '', passes: true },
  ],
  ordered: false,
};

export const labelsFormOf = (labels: Labels | undefined): LabelsForm =>
  labels
    ? {
        items: labels.items.map((text, key) => ({ key, text, passes: labels.passing.includes(text) })),
        ordered: labels.ordered,
      }
    : newLabels;

/** The labels as a request sends them. */
export const labelsBodyOf = ({ items, ordered }: LabelsForm): Labels => ({
  items: items.map(({ text }) => text.trim()),
  passing: items.filter(({ passes }) => passes).map(({ text }) => text.trim()),
  ordered,
});
