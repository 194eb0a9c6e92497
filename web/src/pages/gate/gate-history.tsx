import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { evaluateGate, type Verdict } from '../../../../client/src/gate/evaluate.ts';
import type { Policy } from '../../../../client/src/gate/policy.ts';
import { api } from '../../api.ts';
import { QuietLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import type { Run } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { countOf } from '../../ui/format.ts';
import { Section } from '../../ui/page.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { outcomes } from './gate-result.tsx';

/** The most runs that the rules are tried on. */
const most = 10;

/** A run, and the one before it on the same testset. */
type Step = { run: Run; before: Run };

/** Returns the newest runs that have one before them, the newest first. */
export const stepsOf = (runs: readonly Run[]): Step[] =>
  runs
    .flatMap((run, i) => {
      const before = runs.slice(i + 1).find(({ testsetId }) => testsetId === run.testsetId);
      return before && run.testsetId !== null && run.metricIds.length > 0 ? [{ run, before }] : [];
    })
    .slice(0, most);

/** `Would have stopped 2 of your last 10 runs`. */
const headlineOf = (verdicts: readonly Verdict[]): string => {
  const stopped = verdicts.filter(({ decision }) => decision.outcome !== 'pass').length;
  if (verdicts.length === 1) return `Would ${stopped === 1 ? '' : 'not '}have stopped your last run`;
  return `Would have stopped ${stopped} of your last ${countOf(verdicts.length, 'run')}`;
};

type GateHistoryProps = {
  projectId: string;
  runs: readonly Run[];
  read: () => Promise<Policy>;
  level: number;
};

/** Tries the rules on the latest runs, each against the one before it. Writes nothing. */
export const GateHistory = ({ projectId, runs, read, level }: GateHistoryProps) => {
  const steps = stepsOf(runs);
  const [done, setDone] = useState(0);
  const tried = useMutation({
    mutationFn: async () => {
      setDone(0);
      const policy = await read();
      const verdicts: Verdict[] = [];
      // One after the other: a project's whole history at once would slow every other reader.
      for (const { run, before } of steps) {
        const asked = { ...policy, project: projectId, baseline: [before.id], anchor: [] };
        verdicts.push(await evaluateGate(api, run.id, asked, { level, now: Date.now() }));
        setDone(verdicts.length);
      }
      return verdicts;
    },
  });
  if (steps.length === 0) return null;
  return (
    <Section title={tried.data ? headlineOf(tried.data) : 'Your last runs'}>
      <p className="mb-3 text-soft">
        Each run is held against the one before it on the same testset, without the anchor. Only the looks at
        the testset are stored.
      </p>
      <Button disabled={tried.isPending} onClick={() => tried.mutate()}>
        {tried.isPending
          ? `Trying run ${done + 1} of ${steps.length}…`
          : steps.length === 1
            ? 'Try on the last run'
            : `Try on the last ${countOf(steps.length, 'run')}`}
      </Button>
      {tried.error && <ErrorNote error={tried.error} />}
      {tried.data && (
        <Table label="Your last runs" head={['Run', 'Against', 'Outcome', 'Why']}>
          {tried.data.map(({ decision, about: { runId } }, i) => (
            <Row key={runId}>
              <Cell>
                <QuietLink {...paths.gate(projectId, [runId, steps[i]!.before.id])}>Run {runId}</QuietLink>
              </Cell>
              <Cell>Run {steps[i]!.before.id}</Cell>
              <Cell>
                <Badge tone={outcomes[decision.outcome].tone}>{outcomes[decision.outcome].word}</Badge>
              </Cell>
              <Cell className="min-w-64">
                {decision.checks.find(({ outcome }) => outcome === decision.outcome && outcome !== 'pass')
                  ?.sentence ?? 'Every rule passes'}
              </Cell>
            </Row>
          ))}
        </Table>
      )}
    </Section>
  );
};
