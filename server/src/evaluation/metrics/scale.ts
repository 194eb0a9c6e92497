import type { Labels } from '../../../../client/src/labels.ts';
import { storedLabels } from './labels.ts';
import type { OutputType } from './schema.ts';

/** What a score may be: a kind, or the labels of a category metric. */
export type Scale = Exclude<OutputType, 'category'> | Labels;

/** The scale of a stored configuration; `labels` is JSON text. */
export const scaleOf = ({ outputType, labels }: { outputType: OutputType; labels: string | null }): Scale =>
  outputType === 'category' ? storedLabels(labels)! : outputType;

/** The scale of a configuration that has been read. */
export const scaleFor = ({
  outputType,
  labels,
}: {
  outputType: OutputType;
  labels?: Labels | null;
}): Scale => (outputType === 'category' ? labels! : outputType);
