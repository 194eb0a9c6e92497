import { countText } from '../../ui/format.ts';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { wordsFor } from './compared-words.ts';
import type { Pair } from './pair.ts';

/** For each metric whether a slice lost more than the rest, and the worst slices. */
export const SliceTables = ({ pair, titleOf }: { pair: Pair; titleOf: (id: string) => string }) =>
  pair.metrics.flatMap(({ metricId, metricName, outputType, slices }) => {
    if (!slices) return [];
    const words = wordsFor(outputType, 'pass', 0);
    return [
      <div key={metricId} className="mb-3">
        <p className="mb-1">
          <bdi>
            {metricName} in {titleOf(pair.after)}: {slices.sentence}
          </bdi>
        </p>
        {slices.worst.length > 0 && (
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
        )}
      </div>,
    ];
  });
