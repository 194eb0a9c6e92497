/** A plan in the words that the command line and the pages share. */
import { countOf, inThousands } from './gate/words.ts';
import type { Plan } from './generated.ts';

/** How a plan writes differences: in points for pass rates, else in the metric's scores. */
export type PlanUnit = 'points' | 'score';

const sizeText = (difference: number, unit: PlanUnit): string =>
  unit === 'points'
    ? `${Number((100 * difference).toFixed(1))} points`
    : `${Number(difference.toPrecision(2))} of a score`;

type Answer = Pick<Plan, 'difference' | 'numNeeded' | 'minimumDetectable' | 'n' | 'reason'>;

/** Returns the answer of a plan: how many testcases are needed, and what those there are can show. */
export const planSentence = (
  { difference, numNeeded, minimumDetectable, n, reason }: Answer,
  unit: PlanUnit,
): string => {
  const seen =
    minimumDetectable === null || n === 0
      ? ''
      : `With ${countOf(n, 'testcase')}, differences of ${sizeText(minimumDetectable, unit)} or more show.`;
  if (difference !== null && numNeeded !== null) {
    const needed = `You need ${countOf(numNeeded, 'testcase')} to see a difference of ${sizeText(difference, unit)}.`;
    return seen ? `${needed} ${seen}` : needed;
  }
  if (difference === null && seen) return seen;
  return reason ? `No answer: ${reason}.` : 'These assumptions give no answer.';
};

const groupsText = ({ size, designEffect, numNeeded }: NonNullable<Plan['groups']>): string => {
  const needed = numNeeded === null ? '' : `${countOf(numNeeded, 'group')} needed; `;
  return `${needed}${Number(size.toPrecision(2))} testcases in a group, and the difference varies ${Number(designEffect.toPrecision(2))} times as much as without groups`;
};

const criteriaText = ({ numCriteria, share, alone }: NonNullable<Plan['criteria']>): string => {
  const seen = ({ minimumDetectable, numNeeded }: typeof share): string =>
    [
      minimumDetectable === null
        ? 'nothing known'
        : `a loss of ${sizeText(minimumDetectable, 'points')} shows`,
      ...(numNeeded === null ? [] : [`${countOf(numNeeded, 'testcase')} needed`]),
    ].join(', ');
  return `the share of ${numCriteria} criteria: ${seen(share)}; one of them alone: ${seen(alone)}`;
};

/** Returns what a plan rests on, each fact with its name. */
export const planFacts = ({
  basis,
  correlation,
  groups,
  assumption,
  looks,
  neededLooks,
  labels,
  criteria,
}: Plan): [name: string, text: string][] => [
  [
    'Variance',
    basis
      ? `from run ${basis.runId}, ${countOf(basis.n, 'testcase')}: ${basis.between?.toFixed(3) ?? 'unknown'} between testcases, ${basis.within?.toFixed(3) ?? 'unknown'} within one`
      : 'unknown',
  ],
  ...(criteria ? [['Criteria', criteriaText(criteria)] as [string, string]] : []),
  ['Correlation', `${correlation.value.toFixed(2)}, ${correlation.source}`],
  ...(groups ? [['Groups', groupsText(groups)] as [string, string]] : []),
  ['Assumes', assumption],
  ...(looks.length > 1
    ? [
        ['Looks', `at ${(neededLooks ?? looks).map((look) => inThousands(look)).join(', ')} testcases`] as [
          string,
          string,
        ],
      ]
    : []),
  ...(labels?.moreLabels ? [['Labels', labels.moreLabels] as [string, string]] : []),
];
