import type { ReactNode } from 'react';

type ChipProps = { pressed: boolean; onClick: () => void; children: ReactNode };

/** A choice that is on or off. */
export const Chip = ({ pressed, onClick, children }: ChipProps) => (
  <button
    type="button"
    aria-pressed={pressed}
    onClick={onClick}
    className="inline-flex h-7 items-center gap-1.5 rounded-md border px-3 whitespace-nowrap hover:bg-hover aria-pressed:bg-selected"
  >
    {children}
  </button>
);

type ChipsProps<Value extends string> = {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  options: readonly { value: Value; label: string; count?: number }[];
};

/** A choice of one of few, each with its count. */
export const Chips = <Value extends string>({ label, value, onChange, options }: ChipsProps<Value>) => (
  <fieldset aria-label={label} className="flex flex-wrap gap-2">
    {options.map((option) => (
      <Chip key={option.value} pressed={option.value === value} onClick={() => onChange(option.value)}>
        {option.label}
        {option.count !== undefined && (
          <strong className="font-medium">{option.count.toLocaleString('en')}</strong>
        )}
      </Chip>
    ))}
  </fieldset>
);
