import { countText } from '../../ui/format.ts';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { wordsFor } from './compared-words.ts';
import type { Pair } from './pair.ts';

/** Sentences about metrics that have no slice to show, each with the names of its metrics. */
const saidOnce = (metrics: Pair['metrics']): [sentence: string, names: string[]][] => {
  const names = new Map<string, string[]>();
  for (const { metricName, slices } of metrics)
    if (slices?.worst.length === 0)
      names.set(slices.sentence, [...(names.get(slices.sentence) ?? []), metricName]);
  return [...names];
};

type SlicesProps = { pair: Pair; titleOf: (id: string) => string };

/** For each metric whether a slice lost more than the rest, and the worst slices. */
export const SliceTables = (props: SlicesProps) => (
  <>
    <WorstSlices {...props} />
    {saidOnce(props.pair.metrics).map(([sentence, names]) => (
      <p key={sentence} className="mb-3">
        <bdi>
          {names.join(', ')} in {props.titleOf(props.pair.after)}: {sentence}.
        </bdi>
      </p>
    ))}
  </>
);

const WorstSlices = ({ pair, titleOf }: SlicesProps) =>
  pair.metrics.flatMap(({ metricId, metricName, outputType, slices }) => {
    if (!slices || slices.worst.length === 0) return [];
    const words = wordsFor(outputType, 'pass', 0);
    return [
      <div key={metricId} className="mb-3">
        <p className="mb-1">
          <bdi>
            {metricName} in {titleOf(pair.after)}: {slices.sentence}
          </bdi>
        </p>
        <Table
          label={`Slices of ${metricName} in ${titleOf(pair.after)}`}
          head={['Slice', 'Before', 'After', 'Difference', 'Shrunken difference, interval', 'Testcases']}
        >
          {slices.worst.map(
            ({ field, value, n, before, after, difference, shrunk, shrunkInterval, named }) => (
              <Row key={`${field} ${value}`}>
                <Cell>
                  <bdi className={named ? 'font-medium break-words' : 'break-words'}>
                    {field} {value}
                  </bdi>
                  {named && <span className="block text-sm text-soft">lost more than the rest</span>}
                </Cell>
                <Cell>{words.value(before)}</Cell>
                <Cell>{words.value(after)}</Cell>
                <Cell>{words.difference(difference)} points</Cell>
                <Cell className="whitespace-nowrap">
                  {words.difference(shrunk)} points
                  <span className="text-soft">
                    , {words.difference(shrunkInterval.low)} to {words.difference(shrunkInterval.high)}
                  </span>
                </Cell>
                <Cell>{countText(n)}</Cell>
              </Row>
            ),
          )}
        </Table>
      </div>,
    ];
  });
