import {
  answerOf,
  answerOfAll,
  climbed,
  type SealedAnswer,
  type SealedDifference,
} from '../../engine/statistics/ladder.ts';
import { type Database, system } from '../../platform/db/database.ts';
import { longestPollMs } from '../../platform/jobs/idle.ts';
import { startLoops, type Worker } from '../../platform/jobs/loops.ts';
import { readComparison } from '../analysis/read-comparison.ts';
import { openSpent, type SealedDeps } from './open-seal.ts';
import {
  findRunState,
  listOpenLooks,
  lockSeal,
  type MetricAnswer,
  type OpenLook,
  type SealMetric,
  storeAnswer,
  updateSeal,
} from './queries.ts';
import { vaultScope } from './vault.ts';

const pollMs = 1_000;

type Answered = {
  answer: SealedAnswer;
  reason: string | null;
  metrics: MetricAnswer[];
  figures: SealMetric[];
};

type Compared = {
  pairs: {
    metrics: {
      metricId: string;
      difference: number | null;
      standardError: number | null;
      conclusion: SealedDifference;
    }[];
  }[];
};

const notWhole =
  'some calls failed or some answers could not be scored, and an answer about the others would not be about the split';

/** Returns the answer of a look whose runs are done. */
const answer = async (
  db: Database,
  look: OpenLook,
  metrics: SealMetric[],
  margin: number,
): Promise<Answered> => {
  const vault = vaultScope(look.vaultId);
  const compare = async (before: string) => {
    const runs = [before, String(look.vaultRunId)];
    const { text } = await readComparison(db, vault, { runs, level: 1 - look.level });
    return (JSON.parse(text) as Compared).pairs[0]!.metrics;
  };
  const states = await Promise.all(
    [look.baselineRunId, look.vaultRunId].map((id) => db.read(vault, (sql) => findRunState(sql, vault, id))),
  );
  const isWhole = states.every(([state]) => state?.isWhole);
  const baseline = isWhole ? await compare(String(look.baselineRunId)) : [];
  const figures: SealMetric[] = [];
  const answers: MetricAnswer[] = [];
  for (const metric of metrics) {
    const found = baseline.find(({ metricId }) => metricId === metric.vaultMetricId);
    const best = metric.bestRunId ? await compare(metric.bestRunId) : baseline;
    const fromBest = best.find(({ metricId }) => metricId === metric.vaultMetricId);
    const figure = found && fromBest ? climbed(found, fromBest.conclusion) : null;
    const next =
      figure === null ? metric : { ...metric, difference: figure, bestRunId: String(look.vaultRunId) };
    figures.push(next);
    const { metricId, metricName, difference } = next;
    const ofMetric = found ? answerOf(found.conclusion, margin) : 'not enough';
    answers.push({ metricId, metricName, answer: ofMetric, difference, improved: figure !== null });
  }
  const all = answerOfAll(answers.map((one) => one.answer));
  return { answer: all, reason: isWhole ? null : notWhole, metrics: answers, figures };
};

/** Answers looks whose runs are done. The last look of a budget opens the split. Returns how many were answered. */
export const answerLooks = async (db: Database): Promise<number> => {
  let answered = 0;
  for (const look of await db.read(system, listOpenLooks)) {
    const vault = vaultScope(look.vaultId);
    const states = await Promise.all(
      [look.baselineRunId, look.vaultRunId].map((id) =>
        db.read(vault, (sql) => findRunState(sql, vault, id)),
      ),
    );
    if (!states.every(([state]) => state?.isDone)) continue;
    const owner = { organizationId: look.organizationId };
    const [seal] = await db.transaction(owner, (tx) => lockSeal(tx, owner, look.sealId));
    if (!seal) continue;
    const { figures, ...given } = await answer(db, look, seal.metrics, seal.margin);
    await db.transaction(owner, async (tx) => {
      // Another process may have answered it.
      await lockSeal(tx, owner, look.sealId);
      const { count } = await storeAnswer(tx, look, given);
      const isSpent = look.n >= seal.maxLooks;
      if (count > 0)
        await updateSeal(tx, owner, look.sealId, { metrics: figures, ...(isSpent && { state: 'opening' }) });
    });
    answered++;
  }
  return answered;
};

/** Answers looks as soon as their runs are done, and opens splits whose looks are spent. */
export const startSealedLooks = (deps: SealedDeps): Worker =>
  startLoops({
    count: 1,
    next: async () => (await answerLooks(deps.db)) + (await openSpent(deps)) > 0,
    failed: (error) =>
      deps.log.error({ err: error }, 'a look at a sealed split was not answered; the next poll retries'),
    pollMs,
    longestPollMs: longestPollMs(deps.db),
  });
