import type { Labels } from '../../../../client/src/labels.ts';
import { cohenKappa } from '../../engine/statistics/agreement.ts';
import { calibrate } from '../../engine/statistics/calibration.ts';
import { krippendorffAlpha } from '../../engine/statistics/krippendorff.ts';
import {
  agreementOf,
  effectiveLabels,
  influenceOf,
  strataOfLabels,
  weightsOf,
} from '../../engine/statistics/label-strata.ts';
import { dependenceOf, shrinkageOf } from '../../engine/statistics/label-units.ts';
import type { Label } from './people-labels.ts';

type Said = Label & { said: NonNullable<Label['said']> };
const hasSaid = (label: Label): label is Said => label.said !== null;

/** The same records as yes and no: whether the judge and people gave one label. Their agreement is that of all labels. */
const asAgreeing = (labels: readonly Said[]) =>
  labels.map((label) => ({ ...label, judge: label.said.judge === label.said.human, human: true }));

/**
 * Which labels the judge gave to the records of each label of people. A label of people that the judge does not have is a further row and column, and then
 * the order of the labels is not known. κ counts each record by what it stands for, as that of pass and fail does.
 */
export const confuse = (all: readonly Label[], { items, ordered }: Labels, level: number) => {
  const labels = all.filter(hasSaid);
  const others = [...new Set(labels.map(({ said }) => said.human))].filter((label) => !items.includes(label));
  const names = [...items, ...others.sort()];
  const places = new Map(names.map((label, place) => [label, place]));
  const isOrdered = ordered && others.length === 0;
  const [counts, weighted] = [0, 1].map(() => names.map(() => new Array<number>(names.length).fill(0)));
  const weights = weightsOf(labels);
  const agreeing = asAgreeing(labels);
  const strata = strataOfLabels(agreeing);
  const dependence = dependenceOf(agreeing, influenceOf(strata, agreementOf));
  const worth =
    labels.length === 0 ? 0 : effectiveLabels(strata) / labels.length / shrinkageOf(dependence, level);
  const ratings: number[][] = [];
  for (const [i, { said }] of labels.entries()) {
    const [judge, human] = [places.get(said.judge)!, places.get(said.human)!];
    counts![judge]![human]!++;
    weighted![judge]![human]! += weights[i]! * worth;
    ratings.push([judge, human]);
  }
  return {
    names,
    ordered: isOrdered,
    table: counts!,
    agreement: calibrate(agreeing, level).agreement,
    kappa: { ...cohenKappa(weighted!, isOrdered ? 'quadratic' : 'none', level), n: labels.length },
    alpha: krippendorffAlpha(ratings, isOrdered ? 'ordinal' : 'nominal', level),
  };
};
