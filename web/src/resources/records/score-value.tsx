import type { JsonObject, ScoreState } from '../../types.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';

/** The value of a score as text. */
export const valueText = (score: JsonObject | null): string | undefined => {
  if (!score) return undefined;
  if (typeof score.binaryScore === 'boolean') return score.binaryScore ? 'Pass' : 'Fail';
  if (typeof score.intScore === 'number') return String(score.intScore);
  if (typeof score.floatScore === 'number') return score.floatScore.toFixed(2);
  if (typeof score.categoryScore === 'string') return score.categoryScore;
  return undefined;
};

/** A sign and a word for a score, and its tone: colour is never the only sign. */
export const summaryOf = ({
  state,
  score,
  passed,
  validationErrors,
}: Pick<ScoreState, 'state' | 'score' | 'passed' | 'validationErrors'>): {
  tone: Tone;
  sign: string;
  word: string;
} => {
  if (validationErrors) return { tone: 'warn', sign: '!', word: 'invalid' };
  if (state === 'failed') return { tone: 'warn', sign: '!', word: 'failed' };
  if (state === 'pending') return { tone: 'neutral', sign: '…', word: 'pending' };
  if (state === 'unscored') return { tone: 'neutral', sign: '–', word: 'unscored' };
  const word = valueText(score) ?? 'scored';
  return passed ? { tone: 'pass', sign: '✓', word } : { tone: 'fail', sign: '✗', word };
};

/** A reason in words: the service writes `missing_field: outputs.answer`, or `2 of 3: missing_field: outputs.answer`. */
export const reasonText = (reason: string): string =>
  reason
    .replace(/^(\d+ of \d+: )?missing_(?:field|placeholder): /, '$1The record lacks ')
    // A code of the API, as invalid_judge_output, in words.
    .replace(/^[a-z]+(?:_[a-z]+)+(?=:|$)/, (code) => {
      const words = code.replaceAll('_', ' ');
      return words[0]!.toUpperCase() + words.slice(1);
    });

/** The reasoning of a score, or why there is no score. */
export const reasonOf = ({
  score,
  reason,
  validationErrors,
}: Pick<ScoreState, 'score' | 'reason' | 'validationErrors'>): string => {
  if (validationErrors) return validationErrors.map(({ path, message }) => `${path} ${message}`).join('\n');
  return (typeof score?.reasoning === 'string' && score.reasoning) || reasonText(reason ?? '');
};

type ScoreValueProps = {
  state: Pick<ScoreState, 'state' | 'score' | 'passed' | 'reason' | 'validationErrors'>;
};

/** A score in one word: its value and whether it passes, or why there is none. The reason is shown on hover. */
export const ScoreValue = ({ state }: ScoreValueProps) => {
  const { tone, sign, word } = summaryOf(state);
  const verdict = { '✓': 'passes', '✗': 'fails' }[sign];
  return (
    <Badge tone={tone} title={reasonOf(state)}>
      <span {...(verdict ? { role: 'img', 'aria-label': verdict } : { 'aria-hidden': true })}>{sign}</span>
      {word}
    </Badge>
  );
};
