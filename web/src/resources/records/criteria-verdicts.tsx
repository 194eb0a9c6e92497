import type { CriterionVerdict } from '../../../../client/src/criteria.ts';
import type { JsonObject, Metric } from '../../types.ts';

const isVerdict = (value: unknown): value is CriterionVerdict =>
  typeof value === 'object' && value !== null && typeof (value as JsonObject).id === 'string';

/** The verdicts on criteria that a score has, or that the evidence of an unscored one kept. */
export const verdictsIn = (of: JsonObject | null | undefined): CriterionVerdict[] =>
  (Array.isArray(of?.criteria) ? of.criteria : []).filter(isVerdict);

const marks = {
  met: { text: '✓', label: 'Met', className: 'text-pass' },
  notMet: { text: '✗', label: 'Not met', className: 'text-fail' },
  unscored: { text: '?', label: 'Unscored', className: 'text-warn' },
};
const markOf = (verdict: CriterionVerdict) => {
  if ('state' in verdict) return marks.unscored;
  return verdict.met ? marks.met : marks.notMet;
};

type CriteriaVerdictsProps = { of: JsonObject | null | undefined; metric: Metric | undefined };

/** What was said about each criterion of a record: met or not, why, and the passage that shows it. */
export const CriteriaVerdicts = ({ of, metric }: CriteriaVerdictsProps) => {
  const verdicts = verdictsIn(of);
  if (verdicts.length === 0) return null;
  const textOf = new Map(metric?.criteria?.items.map(({ id, text }) => [id, text]));
  return (
    <ul aria-label="Criteria" className="flex flex-col gap-1">
      {verdicts.map((verdict) => {
        const mark = markOf(verdict);
        const { reason = '', quote = '' } = 'met' in verdict ? verdict : { reason: verdict.why };
        const votes = 'met' in verdict && verdict.of ? `${verdict.yes} of ${verdict.of} votes say yes` : '';
        return (
          <li key={verdict.id} className="flex gap-2">
            <span className={`shrink-0 font-medium ${mark.className}`} title={mark.label}>
              <span aria-hidden>{mark.text}</span>
              <span className="sr-only">{mark.label}:</span>
            </span>
            <div className="min-w-0 break-words" dir="auto">
              <span title={verdict.id}>{textOf.get(verdict.id) ?? verdict.id}</span>
              {votes && <span className="text-sm text-soft"> · {votes}</span>}
              {reason && <p className="text-soft">{reason}</p>}
              {quote && <q className="text-sm text-soft">{quote}</q>}
            </div>
          </li>
        );
      })}
    </ul>
  );
};
