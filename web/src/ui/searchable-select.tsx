import { Combobox } from '@base-ui/react/combobox';
import { Check, ChevronDown } from 'lucide-react';
import { useId } from 'react';
import { describedBy, type FieldProps, fieldBox, Labelled } from './labelled.tsx';

type Option = { value: string; label: string };

type SearchableSelectProps = FieldProps & {
  options: readonly Option[];
  value?: string;
  onChange?: (value: string) => void;
  disabled?: boolean;
  className?: string;
};

const Options = () => (
  <Combobox.Portal>
    <Combobox.Positioner className="z-50 outline-none" sideOffset={4}>
      <Combobox.Popup className="w-max max-w-(--available-width) min-w-(--anchor-width) rounded-md border bg-surface py-1 shadow-xl">
        <Combobox.Empty>
          <p className="px-3 py-1 text-soft">No match.</p>
        </Combobox.Empty>
        <Combobox.List className="max-h-[min(320px,var(--available-height))] overflow-y-auto">
          {(option: Option) => (
            <Combobox.Item
              key={option.value}
              value={option}
              className="flex min-h-7 cursor-default items-center gap-2 px-3 py-1 data-highlighted:bg-selected"
            >
              <span className="w-4 shrink-0">
                <Combobox.ItemIndicator>
                  <Check size={14} aria-hidden />
                </Combobox.ItemIndicator>
              </span>
              <bdi>{option.label}</bdi>
            </Combobox.Item>
          )}
        </Combobox.List>
      </Combobox.Popup>
    </Combobox.Positioner>
  </Combobox.Portal>
);

/** A select whose options are found by typing. Loaded on demand. */
const SearchableSelect = ({
  label,
  hint,
  error,
  hideLabel,
  options,
  value,
  onChange,
  disabled = false,
  className = '',
}: SearchableSelectProps) => {
  const id = useId();
  // A space at an end would be lost in the field, and no option would have its text.
  const items = options.map((option) => ({ ...option, label: option.label.trim() }));
  const chosen = items.find((option) => option.value === value) ?? items[0] ?? null;
  return (
    <Labelled {...{ id, label, hint, error, hideLabel }}>
      <Combobox.Root
        items={items}
        value={chosen}
        onValueChange={(option: Option | null) => option && onChange?.(option.value)}
        isItemEqualToValue={(item: Option, other: Option) => item.value === other.value}
        disabled={disabled}
        autoHighlight
      >
        <div className="relative">
          <Combobox.Input
            id={id}
            {...describedBy({ id, hint, error })}
            // What is typed replaces the chosen one.
            onFocus={({ currentTarget }) => currentTarget.select()}
            onClick={({ currentTarget }) => currentTarget.value === chosen?.label && currentTarget.select()}
            // Escape in a closed list would empty the field, while the chosen option stays chosen.
            onKeyDown={(event) => {
              if (event.key === 'Escape' && event.currentTarget.getAttribute('aria-expanded') !== 'true')
                event.preventBaseUIHandler();
            }}
            className={`${fieldBox} h-7 truncate pr-8 ${className}`}
          />
          <Combobox.Trigger
            tabIndex={-1}
            aria-hidden
            className="absolute inset-y-0 right-0 flex w-8 items-center justify-center text-soft"
          >
            <ChevronDown size={14} aria-hidden />
          </Combobox.Trigger>
        </div>
        <Options />
      </Combobox.Root>
    </Labelled>
  );
};
export default SearchableSelect;
