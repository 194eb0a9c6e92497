import { mostButtons } from '../../resources/records/score-choices.ts';
import type { ReviewMetric, ReviewTask } from '../../types.ts';
import { useDraft } from '../../ui/local-storage.ts';
import { criteriaToTick, type Ticks, ticksIn } from './criteria-ticks.tsx';

/** A score by a person: one of the value fields, and an optional reason. */
export type Verdict = {
  binaryScore?: boolean;
  intScore?: number;
  floatScore?: number;
  categoryScore?: string;
  criteria?: Ticks;
  reasoning?: string;
};

type Choice = { label: string; key: string; score: Verdict };
const choices: Record<'boolean' | 'int', Choice[]> = {
  boolean: [
    { label: 'Pass', key: 'p', score: { binaryScore: true } },
    { label: 'Fail', key: 'f', score: { binaryScore: false } },
  ],
  int: [1, 2, 3, 4, 5].map((n) => ({ label: String(n), key: String(n), score: { intScore: n } })),
};

export const sameValue = (a: Verdict | undefined, b: Verdict): boolean =>
  a !== undefined &&
  a.binaryScore === b.binaryScore &&
  a.intScore === b.intScore &&
  a.categoryScore === b.categoryScore;

/** The labels of a category, with the keys 1 to 9; of more labels none has a key. */
const labelChoices = (labels: readonly string[]): Choice[] =>
  labels.map((label, i) => ({
    label,
    key: labels.length <= mostButtons ? String(i + 1) : '',
    score: { categoryScore: label },
  }));

/** The scores that are chosen with one key. */
export const offeredFor = ({ outputType, criteria, labels }: Asked): Choice[] => {
  if (outputType === 'category') return labelChoices(labels?.items ?? []);
  return outputType === 'float' || criteria ? [] : choices[outputType];
};

/** A metric of the record on the screen. */
export type Asked = ReviewMetric & Pick<ReviewTask, 'record'>;

/** The reviewer's last score, without what the service computed of its criteria. */
const previousOf = ({ criteria, previousScore }: Asked): Verdict => {
  const before = (previousScore ?? {}) as Verdict;
  if (!criteria) return before;
  const { criteria: said, reasoning } = before;
  return { ...(said && { criteria: ticksIn(said) }), ...(reasoning !== undefined && { reasoning }) };
};

/** Whether the score can be submitted: it has a value, and each criterion has a verdict. */
export const isWhole = (asked: Asked, { reasoning: _, ...value }: Verdict): boolean => {
  const wanted = criteriaToTick(asked)?.criteria;
  if (!wanted) return Object.values(value).some((each) => each !== undefined);
  return wanted.length > 0 && (value.criteria ?? []).length === wanted.length;
};

/** The score as it is sent. */
const sentOf = ({ reasoning = '', ...value }: Verdict) => ({
  ...value,
  ...(reasoning.trim() && { reasoning: reasoning.trim() }),
});

/**
 * What the reviewer has entered for the metrics of a record. This browser keeps it until it is sent: a record that is left half scored, a
 * reload, a lost connection or an ended session loses nothing.
 */
export const useScores = (task: ReviewTask, metrics: readonly ReviewMetric[]) => {
  const [draft = {}, setDraft] = useDraft<Record<string, Verdict>>(`review ${task.recordId}`);
  const asked: Asked[] = metrics.map((metric) => ({ ...metric, record: task.record }));
  const scoreOf = (metric: Asked): Verdict => draft[metric.metricConfigId] ?? previousOf(metric);
  const set = (metric: Asked, score: Verdict) => setDraft({ ...draft, [metric.metricConfigId]: score });
  const whole = asked.filter((metric) => isWhole(metric, scoreOf(metric)));
  return {
    asked,
    scoreOf,
    /** Changes the value, and keeps the reason. */
    setValue: (metric: Asked, value: Verdict | undefined) => {
      const { reasoning } = scoreOf(metric);
      set(metric, { ...value, ...(reasoning !== undefined && { reasoning }) });
    },
    setReason: (metric: Asked, reasoning: string) => set(metric, { ...scoreOf(metric), reasoning }),
    whole,
    missing: asked.filter((metric) => !whole.includes(metric)),
    /** The scores that are ready, as they are sent. */
    sent: () =>
      whole.map((metric) => ({ metricConfigId: metric.metricConfigId, score: sentOf(scoreOf(metric)) })),
    /** Forgets the scores of these metrics, which were stored. */
    forget: (metricConfigIds: readonly string[]) => {
      const rest = Object.entries(draft).filter(([id]) => !metricConfigIds.includes(id));
      setDraft(rest.length > 0 ? Object.fromEntries(rest) : undefined);
    },
  };
};
export type Scores = ReturnType<typeof useScores>;
