import { useEffect, useRef, useState } from 'react';
import { api } from '../../api.ts';
import { formOf } from '../../resources/metrics/kinds.ts';
import { previewOf } from '../../resources/metrics/previews.ts';
import { askSystem } from '../../resources/runs/ask-system.ts';
import type { JsonObject, Metric, PreviewMetricBody } from '../../types.ts';
import { errorText } from '../../ui/error-text.ts';
import {
  type Cell,
  type CellScore,
  type Example,
  passesBy,
  systemOf,
  type Variant,
  waitingCell,
} from './variant.ts';

/** Calls at a time: a browser opens six connections to a service, and the page needs one for its changes. */
const callsAtOnce = 4;

export const cellKey = (variant: Pick<Variant, 'key'>, example: Pick<Example, 'id'>): string =>
  `${variant.key} ${example.id}`;

export type Trial = {
  /** Cells by `cellKey`. */
  cells: ReadonlyMap<string, Cell>;
  examples: readonly Example[];
  isRunning: boolean;
  /** Known cost of calls and judges so far. */
  spentUsd: number;
  /** Why it ended before everything was asked. */
  ended: string | undefined;
  start: (
    variants: readonly Variant[],
    examples: readonly Example[],
    metrics: readonly Metric[],
    budgetUsd: number | undefined,
  ) => void;
  stop: () => void;
};

const scoreOf = async (
  projectId: string,
  metric: Metric,
  { inputs, expected }: Example,
  outputs: JsonObject,
): Promise<{ score: CellScore; costUsd: number | null; isJudge: boolean }> => {
  const isJudge = metric.evalType === 'ai';
  try {
    const { state, score, reason, costUsd } = await api.previewMetric(projectId, {
      ...previewOf(formOf(metric)),
      ...(isJudge && { metricId: metric.id }),
      record: { inputs, outputs, expected },
    } as unknown as PreviewMetricBody);
    const value = score as JsonObject | null;
    const done = {
      state: 'done',
      passed: passesBy(metric, value),
      value,
      // A score has its reasoning in it; the reason is of what has no score.
      reason: typeof value?.reasoning === 'string' ? value.reasoning : reason,
      status: state,
    } as const;
    return { score: done, costUsd, isJudge };
  } catch (error) {
    return { score: { state: 'error', error: errorText(error as Error) }, costUsd: null, isJudge };
  }
};

type Task = { variant: Variant; example: Example };

type CellReport = {
  change: (part: (cell: Cell) => Partial<Cell>) => void;
  /** Adds to what the trial has cost; null when a price is unknown. */
  spend: (usd: number | null) => void;
};

/** Asks a variant about an example, scores the answer, and reports each step to its cell. */
const fillCell = async (
  projectId: string,
  { variant, example }: Task,
  metrics: readonly Metric[],
  signal: AbortSignal,
  { change, spend }: CellReport,
): Promise<void> => {
  change(() => ({ state: 'running' }));
  try {
    const { testcaseId, inputs } = example;
    const body = { ...systemOf(variant), ...(testcaseId ? { testcaseId } : { inputs }) };
    const onText = (delta: string) => change(({ text }) => ({ text: text + delta }));
    const tried = await askSystem(projectId, body, signal, { onText });
    spend(tried.costUsd);
    const { state, error, latencyMs, costUsd, inputTokens, outputTokens } = tried;
    const outputs = tried.outputs as JsonObject | null;
    change(() => ({
      state,
      outputs,
      error,
      latencyMs,
      costUsd,
      isUnpriced: state === 'answered' && costUsd === null,
      tokens: inputTokens === null || outputTokens === null ? null : inputTokens + outputTokens,
      scores: outputs ? Object.fromEntries(metrics.map(({ id }) => [id, { state: 'pending' }])) : {},
    }));
    if (outputs === null) return;
    await Promise.all(
      metrics.map(async (metric) => {
        const { score, costUsd: judged, isJudge } = await scoreOf(projectId, metric, example, outputs);
        spend(judged);
        change((cell) => ({
          scores: { ...cell.scores, [metric.id]: score },
          costUsd: judged === null ? cell.costUsd : (cell.costUsd ?? 0) + judged,
          isUnpriced: cell.isUnpriced || (isJudge && judged === null),
        }));
      }),
    );
  } catch (error) {
    if (signal.aborted) change(() => ({ state: 'stopped' }));
    else change(() => ({ state: 'failed', error: errorText(error as Error) }));
  }
};

/** Asks every variant about every example, a few at a time, and scores each answer as it comes. Nothing is stored. */
export const useTrial = (projectId: string): Trial => {
  const [cells, setCells] = useState<ReadonlyMap<string, Cell>>(new Map());
  const [examples, setExamples] = useState<readonly Example[]>([]);
  const [isRunning, setRunning] = useState(false);
  const [spentUsd, setSpent] = useState(0);
  const [ended, setEnded] = useState<string>();
  const control = useRef<AbortController>(undefined);
  useEffect(() => () => control.current?.abort(), []);

  const change = (key: string, part: (cell: Cell) => Partial<Cell>) =>
    setCells((now) => {
      const cell = now.get(key);
      return cell ? new Map(now).set(key, { ...cell, ...part(cell) }) : now;
    });

  const start: Trial['start'] = (variants, asked, metrics, budgetUsd) => {
    control.current?.abort();
    const stopping = new AbortController();
    control.current = stopping;
    const tasks: Task[] = asked.flatMap((example) => variants.map((variant) => ({ variant, example })));
    setExamples(asked);
    setCells(new Map(tasks.map(({ variant, example }) => [cellKey(variant, example), waitingCell])));
    setSpent(0);
    setEnded(undefined);
    setRunning(true);
    let spent = 0;
    const spend = (usd: number | null) => {
      spent += usd ?? 0;
      if (!stopping.signal.aborted) setSpent(spent);
    };
    const work = async () => {
      for (let task = tasks.shift(); task; task = tasks.shift()) {
        if (stopping.signal.aborted) return;
        if (budgetUsd !== undefined && spent >= budgetUsd) {
          setEnded('The budget is used up: the remaining calls were not made.');
          return;
        }
        const key = cellKey(task.variant, task.example);
        await fillCell(projectId, task, metrics, stopping.signal, {
          change: (part) => change(key, part),
          spend,
        });
      }
    };
    void Promise.all(Array.from({ length: callsAtOnce }, work)).then(() => {
      if (control.current === stopping) setRunning(false);
    });
  };
  const stop = () => {
    control.current?.abort();
    setRunning(false);
    setEnded('Stopped.');
  };
  return { cells, examples, isRunning, spentUsd, ended, start, stop };
};
