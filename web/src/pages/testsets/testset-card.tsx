import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api.ts';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import type { TestsetExamination } from '../../types.ts';
import { FactList, type FactPair } from '../../ui/fact.tsx';
import { countOf, countText } from '../../ui/format.ts';
import { percentText } from '../../ui/interval.tsx';
import { Section } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';

/** Tags that the card has place for. */
const mostTags = 10;

const points = (share: number): string => (100 * share).toFixed(1);

type TestsetCardProps = { projectId: string; testsetId: string; found: TestsetExamination };

/** A testset at a glance: what it covers, how it was made, whether people agree, how worn it is, and what was found in it. */
export const TestsetCard = ({ projectId, testsetId, found }: TestsetCardProps) => {
  const { card, findings } = found;
  const { data: counts } = useQuery(apiQuery('getTestsetCounts', testsetId));
  const { data: wear } = useQuery(apiQuery('getWear', testsetId, {}));
  const named = (each: readonly { name: string; numTestcases: number }[]) =>
    each.map(({ name, numTestcases }) => `${name} (${countText(numTestcases)})`).join(', ') || 'none';
  const splits = counts?.splits.map(({ split, numTestcases }) => ({ name: split, numTestcases })) ?? [];
  const tags = counts?.tags.map(({ tag, numTestcases }) => ({ name: tag, numTestcases })) ?? [];
  const facts: FactPair[] = [
    ['Testcases', countText(card.numTestcases)],
    ['With an expected answer', countText(card.numWithKey)],
    ['With a verdict', countText(card.numAnswered)],
    ['Inputs', card.inputs.join(', ') || '–'],
    ['Expected', card.expected.join(', ') || '–'],
    ['Grouped by', card.groupingField ?? 'nothing'],
    ['Written by a model', countText(card.numGenerated)],
    ['Changed since', countText(card.numRevised)],
    ['With schema errors', countText(card.numInvalid)],
    [
      'Made',
      card.firstAt === null || card.lastAt === null ? (
        '–'
      ) : (
        <>
          at {countOf(card.numBatches, 'time')}, first <Time at={card.firstAt} />, last changed{' '}
          <Time at={card.lastAt} />
        </>
      ),
    ],
    [
      'People agree with the metric',
      card.agreement?.estimate == null
        ? 'no labels'
        : `on ${percentText(card.agreement.estimate)} of ${countOf(card.agreement.n, 'labelled testcase')}`,
    ],
    ['Splits', named(splits)],
    ['Tags', named(tags.slice(0, mostTags))],
    ['Findings', countOf(findings.length, 'finding')],
    [
      'Wear',
      wear ? (
        <>
          {wear.sentence}
          {wear.metrics.map(({ metricId, metricName, optimism: { difference, interval } }) => (
            <span key={metricId}>
              {' '}
              <bdi>{metricName}</bdi>: old − fresh {points(difference)} points ({points(interval.low)} to{' '}
              {points(interval.high)}).
            </span>
          ))}{' '}
          <TextLink {...paths.wear(projectId, testsetId)}>Wear</TextLink>
        </>
      ) : (
        '–'
      ),
    ],
  ];
  return (
    <Section title="Card of the testset">
      <FactList facts={facts} />
    </Section>
  );
};
