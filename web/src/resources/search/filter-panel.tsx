import { ListFilter } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { useLocalStorage } from '../../ui/local-storage.ts';

/** Whether the values of fields are shown beside a list, and whether the user is about to choose a field. `of`: the rows of the list. */
export const useFilterPanel = (of: 'records' | 'traces' | 'runs') => {
  const [open, setOpen] = useLocalStorage<boolean>(
    of === 'records' ? 'dokima.facets' : `dokima.facets.${of}`,
  );
  const [wanted, setWanted] = useState(false);
  const isOpen = open === true;
  return {
    isOpen,
    toggle: () => setOpen(isOpen ? undefined : true),
    isWanted: isOpen || wanted,
    /** Reads what can be chosen. */
    want: () => setWanted(true),
  };
};

/** Shows and hides the values of fields. */
export const FilterButton = ({ panel }: { panel: ReturnType<typeof useFilterPanel> }) => (
  <Button aria-pressed={panel.isOpen} onClick={panel.toggle} className="aria-pressed:bg-selected">
    <ListFilter size={14} aria-hidden /> Filters
  </Button>
);
