import { type CriterionVerdict, criteriaOf } from '../../../../client/src/criteria.ts';
import type { ReviewTask } from '../../types.ts';
import { Kbd } from '../../ui/badge.tsx';
import { useKeys } from '../../ui/keys.ts';

export type Ticks = { id: string; met: boolean }[];

/** The criteria of the record that is reviewed: those of the metric and of its testcase. Null for a metric without any. */
export const criteriaToTick = ({ criteria, record }: Pick<ReviewTask, 'criteria' | 'record'>) => {
  if (!criteria) return null;
  const found = criteriaOf(criteria, record.expected);
  return 'criteria' in found ? found : { criteria: [], reason: found.reason };
};

/** The ticks of an earlier score. */
export const ticksIn = (criteria: readonly CriterionVerdict[] | undefined): Ticks =>
  (criteria ?? []).flatMap((verdict) => ('met' in verdict ? [{ id: verdict.id, met: verdict.met }] : []));

type CriteriaTicksProps = {
  task: Pick<ReviewTask, 'criteria' | 'record'>;
  ticks: Ticks;
  /** Whether keys are for these criteria. */
  isCurrent: boolean;
  onChange: (ticks: Ticks) => void;
};

const next = (met: boolean | undefined): boolean => met !== true;

/** A verdict for each criterion. A digit ticks the criterion at its place, and once more takes it back to no. */
export const CriteriaTicks = ({ task, ticks, isCurrent, onChange }: CriteriaTicksProps) => {
  const found = criteriaToTick(task)!;
  const { criteria } = found;
  const metOf = (id: string) => ticks.find((tick) => tick.id === id)?.met;
  const set = (id: string, met: boolean) => {
    const changed = new Map(ticks.map((tick) => [tick.id, tick.met])).set(id, met);
    onChange(
      criteria.flatMap((one) => (changed.has(one.id) ? [{ id: one.id, met: changed.get(one.id)! }] : [])),
    );
  };
  useKeys(
    'Review',
    {
      ...Object.fromEntries(
        criteria
          .slice(0, 9)
          .map(({ id }, i) => [
            String(i + 1),
            ['Tick the criterion: yes, then no', () => set(id, next(metOf(id)))],
          ]),
      ),
      0: [
        'Say no to the criteria without a verdict',
        () => onChange(criteria.map(({ id }) => ({ id, met: metOf(id) ?? false }))),
      ],
    },
    isCurrent,
  );
  if ('reason' in found) return <p className="text-warn">This record cannot be scored: {found.reason}.</p>;
  return (
    <ul aria-label="Criteria" className="flex flex-col gap-2">
      {criteria.map(({ id, text, mustPass }, i) => (
        <li key={id} className="flex items-start gap-2">
          <span className="min-w-0 flex-1 break-words" dir="auto">
            {i < 9 && isCurrent && <Kbd>{String(i + 1)}</Kbd>} {text}
            {mustPass && <span className="text-sm text-soft"> (must pass)</span>}
          </span>
          <fieldset aria-label={text} className="flex shrink-0 gap-1">
            {([true, false] as const).map((met) => (
              <button
                key={String(met)}
                type="button"
                aria-pressed={metOf(id) === met}
                onClick={() => set(id, met)}
                className="h-7 min-w-10 max-md:h-9 max-md:min-w-12 rounded-md border bg-surface px-2 hover:bg-hover aria-pressed:border-transparent aria-pressed:bg-solid aria-pressed:text-white"
              >
                {met ? 'Yes' : 'No'}
              </button>
            ))}
          </fieldset>
        </li>
      ))}
    </ul>
  );
};
