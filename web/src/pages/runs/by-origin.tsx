import { useQuery } from '@tanstack/react-query';
import { Shield } from '../../resources/judges/grade.tsx';
import { summaryQuery } from '../../resources/runs/queries.ts';
import { hasStratum, originField } from '../../resources/testsets/stratum.ts';
import type { RunDetail } from '../../types.ts';
import { Interval } from '../../ui/interval.tsx';
import { Section } from '../../ui/page.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';

/** The rates of testcases that a model wrote; `isLoading` until it is known whether there are any. */
export const useByOrigin = (run: RunDetail) => {
  const isMixed = run.testset !== null && hasStratum(run.testset);
  const summary = useQuery({ ...summaryQuery(run, `metadata.${originField}`), enabled: isMixed });
  const group = summary.data?.breakdown?.groups.find(({ value }) => value === 'generated');
  const judgeOf = (configId: string) =>
    summary.data?.metrics.find(({ metricConfigId }) => metricConfigId === configId)?.judge;
  return { group, judgeOf, total: summary.data?.numRecords, isLoading: summary.isLoading };
};

const points = (value: number) =>
  `${value > 0 ? '+' : value < 0 ? '−' : ''}${Math.abs(100 * value).toFixed(1)}`;

/** Says how many testcases a model wrote, and how their rate differs from that of the others. */
export const ByOrigin = ({ run }: { run: RunDetail }) => {
  const { group, total, judgeOf } = useByOrigin(run);
  if (!group || total === undefined) return null;
  if (group.numRecords === total)
    return (
      <p className="mb-6 text-soft">
        A model wrote the testcases of all these records. They may be easier or harder than real ones.
      </p>
    );
  return (
    <Section title="Testcases from a model">
      <p className="mb-2 text-soft">
        The rates above include {group.numRecords.toLocaleString('en')} of {total.toLocaleString('en')}{' '}
        records whose testcase a model wrote. Such testcases may be easier or harder than real ones.
      </p>
      <Table
        label="Testcases from a model"
        head={['Metric', 'Pass rate on these', 'Difference from the others']}
      >
        {group.metrics.map(({ metricConfigId, metricName, passRate, versusRest }) => (
          <Row key={metricConfigId}>
            <Cell className="max-w-72 truncate">
              <bdi>{metricName}</bdi>
            </Cell>
            <Cell>
              <Interval of={passRate} /> <Shield judge={judgeOf(metricConfigId)} />
            </Cell>
            <Cell>
              {versusRest.difference === null ? (
                <span className="text-soft">N/A</span>
              ) : (
                <>
                  {points(versusRest.difference)} points
                  {versusRest.interval && (
                    <span className="text-sm text-soft">
                      {' '}
                      {points(versusRest.interval.low)} to {points(versusRest.interval.high)}
                    </span>
                  )}
                </>
              )}
            </Cell>
          </Row>
        ))}
      </Table>
    </Section>
  );
};
