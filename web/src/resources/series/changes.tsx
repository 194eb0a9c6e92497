import { TriangleAlert } from 'lucide-react';
import { namesText } from '../../../../client/src/caveats.ts';
import { changeLimits, changeName, partsOf, testedText } from '../../../../client/src/series-words.ts';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import type { Series, SeriesChange } from '../../types.ts';
import { Difference, DifferenceAxis, roundScale } from '../../ui/difference.tsx';
import { countOf, countText, percentOf } from '../../ui/format.ts';
import { percentText } from '../../ui/interval.tsx';
import { Section } from '../../ui/page.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { Verdict } from '../../ui/verdict.tsx';

/** The tests that a series offers. Groups need a split. */
export const testsOf = ({
  by,
  bucket,
}: {
  by?: string | undefined;
  bucket?: Series['bucket'] | undefined;
}): Record<string, string> => ({
  '': 'No test',
  buckets: `Test each ${bucket ?? 'bucket'}`,
  ...(by && { groups: 'Test each group' }),
});

const points = (difference: number): string =>
  `${difference > 0 ? '+' : ''}${(100 * difference).toFixed(1)}`.replace('-', '−');

type ChangesTableProps = { label: string; series: Series; changes: readonly SeriesChange[]; scale: number };

const ChangesTable = ({ label, series, changes, scale }: ChangesTableProps) => (
  <Table
    label={label}
    head={[
      'Metric',
      'Verdict',
      'Before',
      'After',
      <span key="difference" className="flex items-end gap-2">
        <DifferenceAxis scale={scale} text={(value) => points(value).replace('.0', '')} />
        <span>Difference, {percentOf(series.level)} % interval</span>
      </span>,
    ]}
  >
    {changes.map((change) => {
      const { metricConfigId, group, from, to, difference, interval, numBefore, numAfter } = change;
      const [before, after] = partsOf(change, series.bucket);
      return (
        <Row key={`${metricConfigId} ${group} ${from} ${to}`}>
          <Cell className="max-w-56 truncate font-medium">
            <bdi title={changeName(change, series)}>{changeName(change, series)}</bdi>
          </Cell>
          <Cell>
            <Verdict verdict={change.verdict} />
          </Cell>
          {[
            { part: before, rate: change.before, n: numBefore },
            { part: after, rate: change.after, n: numAfter },
          ].map(({ part, rate, n }) => (
            <Cell key={part} className="whitespace-nowrap">
              <bdi>{part}</bdi>
              <span className="block text-sm text-soft">
                {percentText(rate)}, n = {countText(n)}
              </span>
            </Cell>
          ))}
          <Cell>
            <span className="flex items-center gap-2 whitespace-nowrap">
              <Difference
                difference={difference ?? 0}
                low={interval?.low ?? null}
                high={interval?.high ?? null}
                scale={scale}
              />
              <span>
                <span className="font-medium">{points(difference ?? 0)} points</span>
                <TogetherText change={change} />
              </span>
            </span>
          </Cell>
        </Row>
      );
    })}
  </Table>
);

/** The intervals of a change, and its p among all tests. */
const TogetherText = ({
  change: { interval, simultaneousInterval, simultaneousLevel, adjustedP, tests },
}: {
  change: SeriesChange;
}) => (
  <span className="block text-sm text-soft">
    {interval ? `${points(interval.low)} to ${points(interval.high)}` : 'no interval'}
    {tests > 1 &&
      simultaneousInterval &&
      `; among ${tests} tests ${points(simultaneousInterval.low)} to ${points(simultaneousInterval.high)} (${percentOf(simultaneousLevel).toFixed(2)} %)`}
    {adjustedP !== null && `, p ${adjustedP.toPrecision(2)}${tests > 1 ? ' (Holm)' : ''}`}
  </span>
);

const reachOf = ({ difference, interval }: SeriesChange): number =>
  Math.max(...[difference, interval?.low, interval?.high].map((value) => Math.abs(value ?? 0)));

/** The pass rates that changed, with their tests; the others are folded. */
export const SeriesChanges = ({
  projectId,
  series,
  changes,
}: {
  projectId: string;
  series: Series;
  changes: readonly SeriesChange[];
}) => {
  const scale = roundScale(Math.max(0.01, ...changes.map(reachOf)));
  const found = changes.filter(({ verdict }) => verdict !== 'cannot tell');
  const open = changes.filter(({ verdict }) => verdict === 'cannot tell');
  return (
    <Section title="Changes of pass rates">
      <p className="mb-2 text-soft">
        {testedText(changes, series.level)} A test is for one look: to be warned as soon as a rate falls, use
        an <TextLink {...paths.checks(projectId, 'alerts')}>alert</TextLink>.
      </p>
      {changeLimits(changes, series).map(({ sentence, of }) => (
        <p key={sentence} className="mb-2 flex items-center gap-1.5 text-soft">
          <TriangleAlert size={12} className="shrink-0 text-warn" aria-hidden />
          <span>
            {of.length === changes.length ? 'Every change' : namesText(of)}: {sentence}.
          </span>
        </p>
      ))}
      {found.length > 0 && (
        <ChangesTable label="Pass rates that changed" series={series} changes={found} scale={scale} />
      )}
      {open.length > 0 && (
        <details className="mt-2" open={found.length === 0 && open.length <= 3}>
          <summary className="cursor-pointer text-soft">
            {countOf(open.length, 'change')} that {open.length === 1 ? 'is' : 'are'} not shown: cannot tell
          </summary>
          <ChangesTable label="Changes that are not shown" series={series} changes={open} scale={scale} />
        </details>
      )}
    </Section>
  );
};
