import { Rows2, Rows3, Rows4 } from 'lucide-react';
import { IconButton } from '../../ui/button.tsx';
import { useLocalStorage } from '../../ui/local-storage.ts';

/** The heights of a row, with the lines of text that fit. */
const densities = [
  { id: 'dense', label: 'Dense rows', icon: Rows4, height: 33, lines: 1 },
  { id: 'medium', label: 'Medium rows', icon: Rows3, height: 73, lines: 3 },
  { id: 'tall', label: 'Tall rows', icon: Rows2, height: 153, lines: 7 },
] as const;

/** Returns the density that the user chose for all tables of records, and changes it. */
export const useDensity = () => {
  const [density, change] = useLocalStorage<string>('dokima.density');
  return { ...(densities.find(({ id }) => id === density) ?? densities[0]), change };
};

type RowHeightProps = { density: ReturnType<typeof useDensity> };

export const RowHeight = ({ density }: RowHeightProps) => (
  <fieldset className="flex" aria-label="Row height">
    {densities.map(({ id, label, icon: Icon }) => (
      <IconButton
        icon={Icon}
        key={id}
        label={label}
        aria-pressed={density.id === id}
        className="aria-pressed:bg-sunken aria-pressed:text-ink"
        onClick={() => density.change(id)}
      />
    ))}
  </fieldset>
);
