import { Check, CircleAlert, Clock, Minus, X } from 'lucide-react';
import type { JsonObject, ScoreState } from '../types.ts';
import { Badge } from '../ui/badge.tsx';

/** The value that a score carries, as text. */
export const valueText = (score: JsonObject | null): string | undefined => {
  if (!score) return undefined;
  if (typeof score.binaryScore === 'boolean') return score.binaryScore ? 'Pass' : 'Fail';
  if (typeof score.intScore === 'number') return String(score.intScore);
  if (typeof score.floatScore === 'number') return score.floatScore.toFixed(2);
  return undefined;
};

/** A score in one word: its value and whether it passes, or why there is none. Colour is never the only sign. */
export const ScoreValue = ({
  state: { state, score, passed, reason, validationErrors },
}: {
  state: Pick<ScoreState, 'state' | 'score' | 'passed' | 'reason' | 'validationErrors'>;
}) => {
  const reasoning = typeof score?.reasoning === 'string' ? score.reasoning : undefined;
  if (validationErrors)
    return (
      <Badge tone="warn" title={validationErrors.map(({ path, message }) => `${path} ${message}`).join('\n')}>
        <CircleAlert size={12} aria-hidden /> does not fit
      </Badge>
    );
  if (state === 'scored')
    return (
      <Badge tone={passed ? 'pass' : 'fail'} {...(reasoning && { title: reasoning })}>
        {passed ? <Check size={12} aria-label="passes" /> : <X size={12} aria-label="fails" />}
        {valueText(score)}
      </Badge>
    );
  if (state === 'pending')
    return (
      <Badge title="Waits for its score">
        <Clock size={12} aria-hidden /> pending
      </Badge>
    );
  if (state === 'failed')
    return (
      <Badge tone="warn" {...(reason && { title: reason })}>
        <CircleAlert size={12} aria-hidden /> failed
      </Badge>
    );
  return (
    <Badge {...(reason && { title: reason })}>
      <Minus size={12} aria-hidden /> unscored
    </Badge>
  );
};
