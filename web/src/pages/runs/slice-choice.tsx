import { useQueries, useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api.ts';
import { Shield } from '../../resources/judges/grade.tsx';
import { weightsOf } from '../../resources/runs/weights.tsx';
import { Select } from '../../ui/field.tsx';
import { Interval } from '../../ui/interval.tsx';
import { Section } from '../../ui/page.tsx';
import { Skeleton } from '../../ui/states.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import type { ComparedRun } from './comparison.tsx';
import { useSlicings } from './slices.tsx';

type Part = { by?: string | undefined; value?: string | undefined };
type ChoiceProps = Part & { run: ComparedRun; onChange: (part: Part) => void };

/** Chooses the field by which runs are sliced, and then one value of it. */
export const SliceChoice = ({ run: { runId, testset }, by, value, onChange }: ChoiceProps) => {
  const slicings = useSlicings({ id: runId, testset });
  const { data } = useQuery({
    ...apiQuery('summarizeRun', runId, { by }),
    staleTime: 60_000,
    enabled: by !== undefined,
  });
  const values = data?.breakdown?.groups.map((group) => group.value) ?? (value === undefined ? [] : [value]);
  return (
    <>
      <div className="w-40">
        <Select
          label="Slice by"
          value={by ?? ''}
          onChange={(next) => onChange({ by: next || undefined })}
          options={[{ value: '', label: 'All records' }, ...slicings]}
        />
      </div>
      {by !== undefined && (
        <div className="w-40">
          <Select
            label="Slice"
            value={value ?? ''}
            onChange={(next) => onChange({ by, value: next || undefined })}
            options={[
              { value: '', label: 'All records' },
              ...values.filter(Boolean).map((each) => ({ value: each, label: each })),
            ]}
          />
        </div>
      )}
    </>
  );
};

type RatesProps = {
  runIds: readonly string[];
  by: string;
  weights: string | undefined;
  metric: { metricId: string; metricName: string };
  chosen: string | undefined;
  onChoose: (value: string) => void;
};

/** The pass rate of one metric in each slice of each run. */
export const SliceRates = ({ runIds, by, weights, metric, chosen, onChoose }: RatesProps) => {
  const summaries = useQueries({
    queries: runIds.map((id) => ({
      ...apiQuery('summarizeRun', id, { by, ...weightsOf(weights) }),
      staleTime: 60_000,
    })),
  });
  if (summaries.some(({ isPending }) => isPending)) return <Skeleton lines={4} />;
  const groupsOf = summaries.map(({ data }) => data?.breakdown?.groups ?? []);
  const values = [...new Set(groupsOf.flatMap((groups) => groups.map(({ value }) => value)))];
  return (
    <Section
      title={
        <>
          Pass rate of <bdi>{metric.metricName}</bdi> by slice
        </>
      }
    >
      {values.length === 0 ? (
        <p className="text-soft">No record of these runs has that field.</p>
      ) : (
        <>
          <Table
            label="Slices"
            pinned
            head={[
              'Slice',
              ...runIds.map((id, i) => (
                <span key={id} className="flex items-center gap-1">
                  Run {id}
                  <Shield
                    judge={
                      summaries[i]!.data?.metrics.find((each) => each.metricId === metric.metricId)?.judge
                    }
                  />
                </span>
              )),
            ]}
          >
            {values.map((value) => (
              <Row key={value}>
                <Cell className="max-w-64 truncate">
                  <button
                    type="button"
                    aria-pressed={value === chosen}
                    onClick={() => onChoose(value)}
                    className="text-accent underline aria-pressed:font-medium"
                  >
                    <bdi>{value || '(empty)'}</bdi>
                  </button>
                </Cell>
                {groupsOf.map((groups, i) => {
                  const found = groups
                    .find((group) => group.value === value)
                    ?.metrics.find(({ metricId }) => metricId === metric.metricId);
                  return <Cell key={runIds[i]}>{found && <Interval of={found.passRate} />}</Cell>;
                })}
              </Row>
            ))}
          </Table>
          <p className="mt-2 text-sm text-soft">
            These rates are not tests: with many slices some differ by chance. Choose a slice to compare the
            runs in it.
          </p>
        </>
      )}
    </Section>
  );
};
