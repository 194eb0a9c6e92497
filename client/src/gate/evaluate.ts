import type { Operations } from '../generated.ts';
import { endingNotes } from '../model-endings.ts';
import { type Baseline, type FindBaseline, findBaselines } from './baselines.ts';
import { type Decision, decide } from './decide.ts';
import { factsOf, mustPassChecks } from './facts.ts';
import { freshNotes } from './fresh.ts';
import { type CountedLook, type Entered, enterLedger, uncounted } from './ledger.ts';
import { notesOf, weightNotes } from './notes.ts';
import type { Policy } from './policy.ts';
import { riseTests } from './rises.ts';
import { testsOf } from './rules.ts';
import { RulesError } from './rules-error.ts';
import { sliceLossTests, sliceNotes } from './slices.ts';
import { openSource, type Source } from './source.ts';
import { levelText } from './words.ts';

export type Verdict = {
  decision: Decision;
  /** What a report says besides the checks. */
  about: { runId: string; baselines: Baseline[]; notes: string[]; look?: CountedLook };
};

export type GateOptions = { level: number; now: number; find?: FindBaseline; hasLedger?: boolean };

const ledgerNotes = ({ ledger }: Policy, entered: Entered | null, level: number): string[] => {
  if (entered) return [entered.note];
  return ledger ? [`${uncounted}: files have none. It is tested at ${levelText(1 - level)}.`] : [];
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

/**
 * Decides by the rules whether a run passes. Writes nothing but the look, if the rules have a ledger. Without a ledger to count in
 * (`hasLedger`), each gate has the given level. Throws RulesError for rules that do not apply to this run.
 */
export const evaluateGate = async (
  client: Operations,
  runId: string,
  given: Policy,
  { level: alone, now, find, hasLedger = true }: GateOptions,
): Promise<Verdict> => {
  const { project, mustPass } = given;
  if (mustPass.length > 0 && project === undefined)
    throw new RulesError('mustPass needs a project.', 'Name it as project in the rules, or with --project.');
  const baselines = await findBaselines(client, runId, given, find);
  const entered =
    given.ledger && hasLedger ? await enterLedger(client, runId, given.ledger, baselines) : null;
  const level = entered?.counted ? 1 - entered.counted.level : alone;
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
  await entered?.close(decision.outcome);
  const notes = [
    ...ledgerNotes(given, entered, level),
    ...(await freshNotes(client, runId, policy, hasLedger)),
    ...weightNotes(policy, (await source.summary(level)).weightedBy),
    ...(await sliceNotes(source, policy, baselines, level)),
    ...(await notesOf(source, policy, baselines, level)),
    ...endingNotes(await client.getRunDetails(runId)),
  ];
  const look = entered?.counted;
  return { decision, about: { runId, baselines, notes, ...(look && { look }) } };
};
