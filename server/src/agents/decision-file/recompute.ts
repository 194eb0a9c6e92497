import type { FileNumbers, Predicate } from '../../../../client/src/decision-file/file.ts';
import { gateDeviations } from '../../../../client/src/gate/held-against.ts';
import { RulesError } from '../../../../client/src/gate/rules-error.ts';
import { answersOf, MissingAnswer } from './gate-answers.ts';
import { numberGate } from './number-gate.ts';
import { columnsOfRows } from './rows.ts';

/** Numbers that were computed again from the data of a file, or why they could not be. */
export type Recomputed = { numbers: FileNumbers; byRegistered: FileNumbers | null } | { missing: string };

/** Computes the numbers and the verdict of a file again, by the engine of the service: by its rules and, if those are others, by the registered ones. */
export const recompute = async (predicate: Predicate): Promise<Recomputed> => {
  const { run, rules, level, decidedAt, decision, data } = predicate;
  const runOf = (id: string) => {
    const found = data.runs.find(({ runId }) => runId === id);
    if (!found) throw new MissingAnswer(`the file has no data of run ${id}`);
    return columnsOfRows(found);
  };
  const { document } = decision;
  const asked = {
    runId: run.runId,
    projectId: document.projectId,
    now: Date.parse(decidedAt),
  };
  const registered = document.baseline?.runId ?? null;
  const compared = run.baselines.find(({ anchor }) => !anchor)?.id;
  const isAsRegistered = gateDeviations(document, { compared, rules, level }).length === 0;
  const client = answersOf(predicate, runOf);
  try {
    const { numbers } = await numberGate(client, { ...asked, rules, level, baseline: run.baselineAsked });
    if (isAsRegistered) return { numbers, byRegistered: null };
    const byRegistered = await numberGate(client, {
      ...asked,
      rules: document.rules,
      level: document.level,
      baseline: registered,
    });
    return { numbers, byRegistered: byRegistered.numbers };
  } catch (error) {
    if (error instanceof MissingAnswer || error instanceof RulesError) return { missing: error.message };
    throw error;
  }
};
