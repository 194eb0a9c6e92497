/** People's labels of the records of a judge. */
import { labelOf } from '../../../../client/src/labels.ts';
import { countInWords } from '../../engine/statistics/count-in-words.ts';
import type { Caveat } from '../../engine/statistics/estimate-schema.ts';
import type { LabelledRecord } from '../../engine/statistics/label-strata.ts';
import type { ReviewedLabel } from '../../engine/statistics/reviewer-errors.ts';
import { storedLabels } from '../../evaluation/metrics/labels.ts';
import type { JudgeConfig, LabelledColumns } from '../../scoring/labels/queries.ts';
import { type Side, splitOf } from '../../scoring/labels/split.ts';
import { passes } from './measure-scores.ts';
import { numbersOf, textsOf } from './run-scores.ts';

/** A span that a label is about. */
export type LabelledSpan = { recordId: string; traceId: string; spanId: string };

export type Label = LabelledRecord & {
  /** The span that it is about; null for a label of a record. */
  span: LabelledSpan | null;
  testcaseId: string | null;
  judgeScore: number;
  humanScore: number;
  /** The labels that the judge and people gave, if both give labels; else null. */
  said: { judge: string; human: string } | null;
  split: Side;
  /** The blind reviews behind it. */
  reviewed: ReviewedLabel;
};

/** How the record of a label was drawn: its sample and stratum, and whether it was. Null if there was no sample. */
type Design = { sample: string; stratum: string; size: number; chance: number; isDrawn: boolean };

const readDesigns = (columns: LabelledColumns): (Design | null)[] => {
  const [samples, strata] = [textsOf(columns.samples), textsOf(columns.strata)];
  const [sizes, chances, drawn] = [columns.sizes, columns.chances, columns.drawn].map(numbersOf) as [
    number[],
    number[],
    number[],
  ];
  return samples.map((sample, i) =>
    sample === 'NULL'
      ? null
      : { sample, stratum: strata[i]!, size: sizes[i]!, chance: chances[i]!, isDrawn: drawn[i] === 1 },
  );
};

/**
 * Number of records in each stratum that its decided labels stand for. Monitors note the chance of a record alone: each label stands for
 * 1/chance records.
 */
const sizesOf = (designs: readonly (Design | null)[], isDecided: readonly boolean[]): Map<string, number> => {
  const strata = Map.groupBy(
    designs.flatMap((design, i) => (design?.isDrawn ? [{ ...design, isDecided: isDecided[i]! }] : [])),
    ({ sample, stratum }) => `${sample} ${stratum}`,
  );
  return new Map(
    [...strata].map(([key, labels]) => {
      const { size, chance } = labels[0]!;
      const decided = labels.filter((label) => label.isDecided).length;
      return [key, Number.isNaN(size) ? decided / chance : (size * decided) / labels.length];
    }),
  );
};

const spanOf = (recordId: string, named: string | undefined): LabelledSpan | null => {
  if (named === undefined) return null;
  const [traceId, spanId] = named.split('-') as [string, string];
  return { recordId, traceId, spanId };
};

/** People's labels of a judge's records or spans. */
export type Labels = {
  /** Those that count. */
  labels: Label[];
  /** Labels of records that a sample could have drawn and did not: they were chosen by someone. */
  outside: Label[];
  /** Number of labels without a verdict of the judge, and how many of them people passed. */
  unjudged: number;
  unjudgedPassed: number;
  /** Number of records of the labelled spans; null for labels of records. */
  numUnits: number | null;
};

/**
 * Reads the labels of records with a verdict of the judge, and counts those without one. Once a sample of a run has labels, they alone
 * count for this run.
 */
export const readLabels = (columns: LabelledColumns, judge: JudgeConfig): Labels => {
  const [testcases, inputs, judged, human, humanPassed] = [
    columns.testcases,
    columns.inputs,
    columns.judge,
    columns.human,
    columns.humanPassed,
  ].map(textsOf) as [string[], string[], string[], string[], string[]];
  const designs = readDesigns(columns);
  const sizes = sizesOf(
    designs,
    judged.map((value) => value !== 'NULL'),
  );
  const [reviews, reviewPasses] = [numbersOf(columns.reviews), numbersOf(columns.reviewPasses)];
  const rules = textsOf(columns.rules);
  const humanLabels =
    columns.humanLabels === null ? [] : (JSON.parse(columns.humanLabels) as (string | null)[]);
  const ofJudge = storedLabels(judge.labels);
  const begun = new Set(designs.flatMap((design) => (design?.isDrawn ? [design.sample] : [])));
  const spans = textsOf(columns.spans);
  const found: Labels = { labels: [], outside: [], unjudged: 0, unjudgedPassed: 0, numUnits: null };
  if (spans.length > 0) found.numUnits = new Set(textsOf(columns.records)).size;
  for (const [i, recordId] of textsOf(columns.records).entries()) {
    const span = spanOf(recordId, spans[i]);
    const id = span ? `${recordId}-${spans[i]}` : recordId;
    const design = designs[i] ?? null;
    const isOutside = design !== null && !design.isDrawn && begun.has(design.sample);
    if (judged[i] === 'NULL') {
      found.unjudged++;
      if (humanPassed[i] === '1') found.unjudgedPassed++;
      continue;
    }
    const judgeScore = Number(judged[i]);
    const testcaseId = testcases[i] === 'NULL' ? null : testcases[i]!;
    const sameInputs = inputs[i] === 'NULL' ? testcaseId : `inputs ${inputs[i]}`;
    (isOutside ? found.outside : found.labels).push({
      id,
      span,
      testcaseId,
      judgeScore,
      judge: passes(judgeScore, judge),
      humanScore: Number(human[i]),
      human: humanPassed[i] === '1',
      said:
        ofJudge && humanLabels[i] != null
          ? { judge: labelOf(ofJudge, judgeScore)!, human: humanLabels[i] }
          : null,
      // A question for tuning the judge must not be in the test as a record of another run, or as another testcase.
      split: splitOf(sameInputs ?? recordId),
      // Repeated requests of real traffic are independent draws from it; spans of one record are not.
      unit: (testcaseId && sameInputs) ?? (span && recordId),
      reviewed: { reviews: reviews[i]!, passes: reviewPasses[i]!, isMajority: rules[i] === 'majority' },
      drawnFrom: design?.isDrawn
        ? {
            sample: design.sample,
            stratum: design.stratum,
            records: sizes.get(`${design.sample} ${design.stratum}`)!,
          }
        : null,
    });
  }
  return found;
};

/** Says how many labels do not count because models made them: they say how two models agree, not how often a judge errs. */
export const caveatOfModels = ({ numByModels }: LabelledColumns): Caveat | null =>
  numByModels === 0
    ? null
    : {
        code: 'labelsOfModels',
        sentence: `${countInWords(numByModels, 'label')} that models made ${numByModels === 1 ? 'is' : 'are'} left out: only labels of people calibrate a judge`,
      };

/** The makers of a judge's labels, and its status in words with the labels that are left out. */
export const withMakers = <Status extends { sentence: string }>(status: Status, columns: LabelledColumns) => {
  const leftOut = caveatOfModels(columns);
  return {
    ...status,
    sentence: leftOut ? `${status.sentence}; ${leftOut.sentence}` : status.sentence,
    labelsBy: {
      people: columns.numByPeople,
      clients: columns.numByClients,
      code: columns.numByCode,
      models: columns.numByModels,
    },
  };
};

/** Says how labels of spans count. */
export const caveatOfSpans = ({ labels, outside, unjudged, numUnits }: Labels): Caveat | null =>
  numUnits === null
    ? null
    : {
        code: 'spanLabels',
        sentence: `people labelled ${countInWords(labels.length + outside.length + unjudged, 'span')} of ${countInWords(numUnits, 'record')}: what is called a record here is a span, and the spans of one record count as one unit`,
      };

/** Says that only labels of drawn records count. */
export const caveatOfNotDrawn = (outside: number): Caveat | null =>
  outside === 0
    ? null
    : {
        code: 'notSampled',
        sentence: `${countInWords(outside, 'label')} of records that were not drawn for people ${outside === 1 ? 'does' : 'do'} not count: those of the sample say more`,
      };
