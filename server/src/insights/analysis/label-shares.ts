import { type Labels, placeOf } from '../../../../client/src/labels.ts';
import { summarizeTestcases } from '../../engine/statistics/summary.ts';
import { storedLabels } from '../../evaluation/metrics/labels.ts';
import { possibleScores } from '../../evaluation/scores/possible.ts';
import { drawnTestcasesOf } from './drawn-scores.ts';
import { plainEstimate } from './plain-estimate.ts';
import type { RunScores, Scores } from './run-scores.ts';

/** The scores as yes or no: whether each is the label at a place. Missing scores stay missing. */
export const scoresOfLabel = (scores: Scores, place: number): Scores => {
  const isLabel = (values: Float64Array) =>
    values.map((value) => (value >= 0 ? Number(placeOf(value) === place) : value));
  const values = isLabel(scores.values);
  const own = scores.own === scores.values ? values : isLabel(scores.own);
  return { ...scores, outputType: 'boolean', passingThreshold: null, values, own };
};

/**
 * The level of each interval with which all of them hold at once at `level`: Goodman (1965), whose intervals are Wilson's at α/k. Two labels
 * have one share and its rest, so they need no correction.
 */
export const levelOfEach = ({ items }: Labels, level: number): number =>
  items.length === 2 ? level : 1 - (1 - level) / items.length;

/** The share of each label of a run, in the order of the labels. Each is a rate like the pass rate: clustered, weighted and with trials averaged. */
export const shareLabels = (run: RunScores, scores: Scores, level: number) => {
  const labels = storedLabels(scores.labels)!;
  const each = levelOfEach(labels, level);
  return {
    ordered: labels.ordered,
    shares: labels.items.map((label, place) => {
      const own = scoresOfLabel(scores, place);
      const { testcases } = drawnTestcasesOf(run, own, 'pass');
      const share = summarizeTestcases(testcases, {
        boolean: true,
        bounds: possibleScores.boolean,
        level: each,
      });
      return {
        label,
        passes: labels.passing.includes(label),
        numScores: own.values.reduce((count, value) => (value === 1 ? count + 1 : count), 0),
        share: plainEstimate(share),
      };
    }),
  };
};
