import type { JsonObject } from '../../types.ts';
import { Select } from '../../ui/field.tsx';
import type { ScoreFields } from '../metrics/pass-rule.ts';
import { type Choice, mostButtons } from './score-choices.ts';

type ScoreButtonsProps = {
  name: string;
  choices: Choice[];
  score: JsonObject | null;
  onScore: (score: ScoreFields) => void;
};

/** The scores of a metric to choose from, with the present one pressed. */
export const ScoreButtons = ({ name, choices, score, onScore }: ScoreButtonsProps) => {
  const isGiven = ({ score: value }: Choice) =>
    Object.entries(value).every(([field, given]) => score?.[field] === given);
  if (choices.length > mostButtons)
    return (
      <Select
        label={`Score of ${name}`}
        value={choices.find(isGiven)?.label ?? ''}
        onChange={(label) => {
          const choice = choices.find((each) => each.label === label);
          if (choice) onScore(choice.score);
        }}
        options={[
          { value: '', label: 'No label yet' },
          ...choices.map(({ label }) => ({ value: label, label })),
        ]}
      />
    );
  return (
    <fieldset className="flex flex-wrap items-center gap-1" aria-label={`Score of ${name}`}>
      {choices.map((choice) => (
        <button
          key={choice.label}
          type="button"
          aria-pressed={isGiven(choice)}
          onClick={() => onScore(choice.score)}
          className="min-h-7 min-w-7 max-w-full rounded-md border bg-surface px-2 break-words hover:bg-hover aria-pressed:border-transparent aria-pressed:bg-solid aria-pressed:text-white"
        >
          <bdi>{choice.label}</bdi>
        </button>
      ))}
    </fieldset>
  );
};
