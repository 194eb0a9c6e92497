import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { Shield } from '../../resources/judges/grade.tsx';
import { summaryQuery } from '../../resources/runs/queries.ts';
import { formatFilter } from '../../resources/search/search.ts';
import type { ListedRun, Run, RunSummary } from '../../types.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { Interval, intervalText } from '../../ui/interval.tsx';
import { Section } from '../../ui/page.tsx';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';

type Breakdown = NonNullable<RunSummary['breakdown']>;
type Crossed = NonNullable<Breakdown['crossed']>;

const byPersona = { by: 'inputs.persona', across: 'inputs.scenario' };

/** The query of the results, which the page waits for. */
export const simulationQuery = (run: Run) => summaryQuery(run, byPersona.by, byPersona.across);

type CellOf = Crossed['cells'][number]['metrics'][number];

/** The share of a cell as the strength of its background; its text says the same. */
const washOf = ({ scored, passed }: CellOf) => {
  if (scored === 0) return {};
  const share = passed / scored;
  const tone = share >= 0.5 ? 'var(--pass)' : 'var(--fail)';
  return {
    background: `color-mix(in oklab, ${tone} ${Math.round(Math.abs(share - 0.5) * 50)}%, var(--surface))`,
  };
};

type TableProps = {
  run: Run;
  projectId: string;
  breakdown: Breakdown;
  crossed: Crossed;
  configId: string;
  judge: RunSummary['metrics'][number]['judge'];
};

/** Personas down, scenarios across: the passes of each cell, and the rates of each row and column with their intervals. */
const RateTable = ({ run, projectId, breakdown, crossed, configId, judge }: TableProps) => {
  const rateOf = ({ metrics }: Breakdown['groups'][number]) =>
    metrics.find(({ metricConfigId }) => metricConfigId === configId)?.passRate;
  const cellOf = (row: string, column: string) =>
    crossed.cells
      .find((cell) => cell.row === row && cell.column === column)
      ?.metrics.find(({ metricConfigId }) => metricConfigId === configId);
  const records = (...filters: [field: string, value: string][]) =>
    paths.records(projectId, {
      q: [`run:${run.id}`, ...filters.map(([field, value]) => formatFilter(field, value))].join(' '),
    });
  const overall = crossed.passRates.find(({ metricConfigId }) => metricConfigId === configId)?.passRate;
  return (
    <Table
      label="Pass rates by persona and scenario"
      pinned
      head={[
        'Persona',
        ...crossed.groups.map(({ value }) => <bdi key={value}>{value}</bdi>),
        <span key="all" className="flex items-center gap-1">
          All scenarios <Shield judge={judge} />
        </span>,
      ]}
    >
      {breakdown.groups.map((group) => (
        <Row key={group.value}>
          <Cell className="max-w-56 truncate">
            <TextLink {...records(['inputs.persona', group.value])}>
              <bdi>{group.value}</bdi>
            </TextLink>
          </Cell>
          {crossed.groups.map(({ value }) => {
            const cell = cellOf(group.value, value);
            return (
              <Cell key={value} style={cell && washOf(cell)} className="whitespace-nowrap">
                {cell && (
                  <TextLink {...records(['inputs.persona', group.value], ['inputs.scenario', value])}>
                    {cell.passed} of {cell.scored}
                  </TextLink>
                )}
              </Cell>
            );
          })}
          <Cell>{rateOf(group) && <Interval short of={rateOf(group)!} />}</Cell>
        </Row>
      ))}
      <Row>
        <Cell className="font-medium">All personas</Cell>
        {crossed.groups.map((group) => (
          <Cell key={group.value}>{rateOf(group) && <Interval short of={rateOf(group)!} />}</Cell>
        ))}
        <Cell title={overall && intervalText(overall)}>{overall && <Interval short of={overall} />}</Cell>
      </Row>
    </Table>
  );
};

/** The results of a simulation by persona and scenario, with what can be done next. */
export const SimulationResults = ({ run, projectId }: { run: Run; projectId: string }) => {
  const { data, error } = useQuery(simulationQuery(run));
  const [chosen, setChosen] = useState<string>();
  const metrics = data?.metrics ?? [];
  const configId = chosen ?? metrics[0]?.metricConfigId;
  const { breakdown } = data ?? {};
  return (
    <Section
      title="Personas and scenarios"
      actions={
        metrics.length > 1 && (
          <div className="w-48">
            <Select
              label="Metric"
              hideLabel
              options={metrics.map(({ metricConfigId, metricName }) => ({
                value: metricConfigId,
                label: metricName,
              }))}
              value={configId ?? ''}
              onChange={setChosen}
            />
          </div>
        )
      }
    >
      {error && <ErrorNote error={error} />}
      {!data && !error && <Skeleton lines={4} />}
      {data && metrics.length === 0 && <p className="text-soft">The run has no metric.</p>}
      {breakdown?.crossed && configId !== undefined && (
        <>
          <RateTable
            run={run}
            projectId={projectId}
            breakdown={breakdown}
            crossed={breakdown.crossed}
            configId={configId}
            judge={metrics.find(({ metricConfigId }) => metricConfigId === configId)?.judge ?? null}
          />
          <p className="mt-2 text-sm text-soft">
            A cell counts conversations that passed; a click opens them. The rate of a persona is over its
            scenarios, that of a scenario over its personas. The last rate is for other personas and scenarios
            like these, so its interval is wider.
          </p>
        </>
      )}
    </Section>
  );
};

/** Links that hold the conversations of a simulation again, or replay them. */
export const SimulationLinks = ({ run, projectId }: { run: ListedRun; projectId: string }) => (
  <>
    {run.simulation?.userVersionId && (
      <Link {...paths.newSimulation(projectId, { like: run.id })} className={buttonClass()}>
        Simulate again
      </Link>
    )}
    <Link
      {...paths.newSimulation(projectId, { replay: run.id })}
      title="Send the same messages of the user to another version"
      className={buttonClass()}
    >
      Replay
    </Link>
  </>
);
