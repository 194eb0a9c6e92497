import { bodyOf, type MetricForm } from '../../resources/metrics/kinds.ts';
import type { Metric, PinnedTrial } from '../../types.ts';

/** The fields that a trial can change without saving the metric. */
const tried = ['promptTemplate', 'guidelines', 'evalModelName', 'temperature'] as const;
const names = ['name', 'description'];

export type Edited = {
  promptTemplate?: string;
  guidelines?: string;
  evalModelName?: string;
  temperature?: number;
};

/** What the form changes of the saved prompt. `other`: whether it changes what a trial cannot: criteria, labels, kind of score or pass mark. */
export const editedOf = (form: MetricForm, saved: MetricForm): { fields: Edited; other: boolean } => {
  const [now, before] = [bodyOf(form), bodyOf(saved)] as unknown as [
    Record<string, unknown>,
    Record<string, unknown>,
  ];
  const changed = [...new Set([...Object.keys(now), ...Object.keys(before)])].filter(
    (field) => !names.includes(field) && JSON.stringify(now[field]) !== JSON.stringify(before[field]),
  );
  const own = tried.filter((field) => changed.includes(field) && now[field] !== undefined);
  return {
    fields: Object.fromEntries(own.map((field) => [field, now[field]])),
    other: changed.some((field) => !tried.includes(field as (typeof tried)[number])),
  };
};

type Candidate = PinnedTrial['candidates'][number];
export type Measured = { trial: PinnedTrial; candidate: Candidate; isSame: boolean };

/** The newest trial of a side with the prompt of the form, else the newest of any prompt. */
export const measuredOn = (
  trials: readonly PinnedTrial[],
  side: 'dev' | 'test',
  form: MetricForm,
  metric: Metric,
): Measured | undefined => {
  const found = trials
    .filter(({ split, state }) => split === side && state !== 'discarded')
    .flatMap((trial) =>
      trial.candidates
        .filter(({ how }) => how === 'model')
        .map((candidate) => ({
          trial,
          candidate,
          isSame:
            candidate.promptTemplate === form.promptTemplate &&
            candidate.guidelines === form.guidelines &&
            candidate.evalModelName === (form.evalModelName || metric.evalModelName) &&
            candidate.temperature === Number(form.temperature),
        })),
    );
  return found.find(({ isSame }) => isSame) ?? found[0];
};
