import type { Operations } from '../generated.ts';
import { endingNotes } from '../model-endings.ts';
import { type Baseline, type FindBaseline, findBaselines } from './baselines.ts';
import { type Decision, decide } from './decide.ts';
import { factsOf, mustPassChecks } from './facts.ts';
import { notesOf } from './notes.ts';
import type { Policy } from './policy.ts';
import { testsOf } from './rules.ts';
import { RulesError } from './rules-error.ts';
import { openSource } from './source.ts';

export type Verdict = {
  decision: Decision;
  /** What a report says besides the checks. */
  about: { runId: string; baselines: Baseline[]; notes: string[] };
};

/** Decides by the rules whether a run passes. Writes nothing. Throws RulesError for rules that this run cannot be held to. */
export const evaluateGate = async (
  client: Operations,
  runId: string,
  policy: Policy,
  { level, now, find }: { level: number; now: number; find?: FindBaseline },
): Promise<Verdict> => {
  const { project, mustPass } = policy;
  if (mustPass.length > 0 && project === undefined)
    throw new RulesError('mustPass needs a project.', 'Name it as project in the rules, or with --project.');
  const baselines = await findBaselines(client, runId, policy, find);
  const source = openSource(client, runId, policy.test);
  const { tests, facts } = await testsOf(source, policy, baselines, level);
  const decision = await decide(
    tests,
    [
      ...(await factsOf(source, policy, { baselines, level, now })),
      ...facts,
      ...(await mustPassChecks(client, mustPass, project ?? '', runId)),
    ],
    level,
  );
  const notes = [...(await notesOf(source, policy, baselines, level)), ...(await endingNotes(client, runId))];
  return { decision, about: { runId, baselines, notes } };
};
