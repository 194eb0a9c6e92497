import type { Operations } from '../generated.ts';
import { endingNotes } from '../model-endings.ts';
import { type Baseline, type FindBaseline, findBaselines } from './baselines.ts';
import { type Decision, decide } from './decide.ts';
import { factsOf, mustPassChecks } from './facts.ts';
import { notesOf, weightNotes } from './notes.ts';
import type { Policy } from './policy.ts';
import { riseTests } from './rises.ts';
import { testsOf } from './rules.ts';
import { RulesError } from './rules-error.ts';
import { sliceLossTests, sliceNotes } from './slices.ts';
import { openSource, type Source } from './source.ts';

export type Verdict = {
  decision: Decision;
  /** What a report says besides the checks. */
  about: { runId: string; baselines: Baseline[]; notes: string[] };
};

/** Gives the rules for every metric to each metric of the run that a machine scores and that has no rules of its own. */
const withEveryMetric = async (source: Source, policy: Policy, level: number): Promise<Policy> => {
  const { everyMetric } = policy;
  if (!everyMetric) return policy;
  const { metrics } = await source.summary(level);
  const named = policy.metrics.map(({ metric }) => metric);
  const others = metrics.filter(
    ({ pinned, evalType, metricId, metricName }) =>
      pinned && evalType !== 'human' && !named.includes(metricId) && !named.includes(metricName),
  );
  if (policy.metrics.length + others.length === 0)
    throw new RulesError(
      `Run ${source.runId} has no metric that a machine scores.`,
      'Name its metrics in the rules.',
    );
  const added = others.map(({ metricId }) => ({ ...everyMetric, metric: metricId }));
  return { ...policy, metrics: [...policy.metrics, ...added] };
};

/** Decides by the rules whether a run passes. Writes nothing. Throws RulesError for rules that do not apply to this run. */
export const evaluateGate = async (
  client: Operations,
  runId: string,
  given: Policy,
  { level, now, find }: { level: number; now: number; find?: FindBaseline },
): Promise<Verdict> => {
  const { project, mustPass } = given;
  if (mustPass.length > 0 && project === undefined)
    throw new RulesError('mustPass needs a project.', 'Name it as project in the rules, or with --project.');
  const baselines = await findBaselines(client, runId, given, find);
  const source = openSource(client, runId, given, baselines);
  const policy = await withEveryMetric(source, given, level);
  const { tests, facts } = await testsOf(source, policy, baselines, level);
  const ofSlices = await sliceLossTests(source, policy, baselines, level);
  const ofRises = await riseTests(source, policy, baselines, level);
  const decision = await decide(
    [...tests, ...ofSlices.tests, ...ofRises.tests],
    [
      ...ofSlices.facts,
      ...ofRises.facts,
      ...(await factsOf(source, policy, { baselines, level, now })),
      ...facts,
      ...(await mustPassChecks(client, mustPass, project ?? '', runId)),
    ],
    level,
  );
  const notes = [
    ...weightNotes(policy, (await source.summary(level)).weightedBy),
    ...(await sliceNotes(source, policy, baselines, level)),
    ...(await notesOf(source, policy, baselines, level)),
    ...endingNotes(await client.getRunDetails(runId)),
  ];
  return { decision, about: { runId, baselines, notes } };
};
