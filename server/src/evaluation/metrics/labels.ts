import { Type } from 'typebox';
import { type Labels, longestLabel, maxLabels, problemOfLabels } from '../../../../client/src/labels.ts';
import { invalid } from '../../platform/errors.ts';
import { parseJson } from '../../platform/json/parse-json.ts';
import { named, ref } from '../../platform/named-schema.ts';

/** Labels as a body sends them. */
export type LabelsBody = { items: string[]; passing: string[]; ordered?: boolean };

const label = Type.String({ minLength: 1, maxLength: longestLabel });
const list = (description: string) => Type.Array(label, { maxItems: maxLabels, description });
const items = list(
  'The labels, 2 to 100. With an order, from worst to best. They differ in more than their case.',
);
const passing = list('The labels that pass: at least one, and not all.');
const ordered = Type.Boolean({
  description: 'Whether the labels go from worst to best. Default: false.',
});

const closed = { additionalProperties: false };
/** Labels as an archive has them. */
export const archivedLabels = Type.Object({ items, passing, ordered }, closed);

const LabelSettings = named(
  'Labels',
  Type.Object(
    { items, passing, ordered },
    { description: 'The labels that a category metric gives, and which of them pass.' },
  ),
);

/** The field of a metric: as it is read, and as it is sent. */
export const labelFields = {
  shown: ref(LabelSettings),
  given: Type.Object(
    { items, passing, ordered: Type.Optional(ordered) },
    {
      ...closed,
      description:
        'The labels that the metric gives. A change makes a new configuration; existing scores keep theirs.',
    },
  ),
};

/** Reads the labels of a stored configuration. */
export const storedLabels = (text: string | null | undefined): Labels | null =>
  text == null ? null : (parseJson(text) as Labels);

/** Reads the labels of a metric. Throws 400 for labels that a metric cannot have. */
export const readLabelsBody = ({
  items: given,
  passing: pass,
  ordered: inOrder = false,
}: LabelsBody): Labels => {
  const labels = { items: given, passing: pass, ordered: inOrder };
  const found = problemOfLabels(labels);
  if (found) throw invalid(`/labels${found.path}`, found.problem);
  return labels;
};
