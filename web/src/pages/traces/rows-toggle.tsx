import { Button } from '../../ui/button.tsx';

/** Whether the page lists traces or every span. */
export const RowsToggle = ({ every, onChange }: { every: boolean; onChange: (every: boolean) => void }) => (
  <fieldset className="flex self-start" aria-label="Rows">
    {[
      { label: 'Traces', value: false },
      { label: 'Spans', value: true },
    ].map(({ label, value }) => (
      <Button
        key={label}
        aria-pressed={every === value}
        onClick={() => onChange(value)}
        className="first:rounded-r-none last:-ml-px last:rounded-l-none aria-pressed:bg-selected"
      >
        {label}
      </Button>
    ))}
  </fieldset>
);
