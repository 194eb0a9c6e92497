import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronRight, CircleMinus } from 'lucide-react';
import { type FormEvent, useId, useState } from 'react';
import type { ValueGroups } from '../../types.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { countText } from '../../ui/format.ts';
import { useLocalStorage } from '../../ui/local-storage.ts';
import { Scrolled, SidePanel } from '../../ui/side-panel.tsx';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { toggled } from '../../ui/toggled.ts';
import type { GroupsOf } from './groups.ts';
import { hasFilter, oppositeFilter, toggledFilter, withoutFiltersBy } from './search.ts';

type FacetsProps = {
  /** What is filtered, such as `records`. */
  of: string;
  q: string;
  onSearch: (q: string) => void;
  /** The fields and filters to choose values of. */
  fields: readonly string[];
  groupsOf: GroupsOf;
  /** What a value is called on the pages, where that differs. */
  nameOf?: (by: string, value: string) => string | undefined;
  /** Whether fields that are not listed can be added. */
  hasOthers?: boolean;
  /** Where the browser keeps which fields are open. */
  storage: string;
  onClose: () => void;
};

/** A row can have several values of these keys. */
const severalValues = new Set(['tag', 'model', 'mark', 'metric', 'gate', 'outcome']);

/** The values of fields with their counts, beside a list. A click on one writes its filter into the search, or takes it out again. */
export const Facets = (props: FacetsProps) => {
  const { of, q, onSearch, fields, groupsOf, nameOf, hasOthers = true, storage, onClose } = props;
  const [opened, setOpened] = useLocalStorage<string[]>(storage);
  const open = new Set(opened ?? fields.slice(0, 2));
  const own = [...open].filter((by) => !fields.includes(by));
  return (
    <SidePanel
      label={`Filters of ${of}`}
      title={<h2 className="flex-1 font-semibold">Filters</h2>}
      width="w-64 order-first border-l-0 border-r"
      onClose={onClose}
    >
      <Scrolled className="px-2 pb-3">
        {[...fields, ...own].map((by) => (
          <Facet
            key={by}
            by={by}
            isOpen={open.has(by)}
            onToggle={() => setOpened([...toggled(open, by)])}
            {...{ q, onSearch, groupsOf, nameOf }}
          />
        ))}
        {hasOthers && <OtherField onOpen={(by) => setOpened([...open, by])} />}
      </Scrolled>
    </SidePanel>
  );
};

type FacetProps = Pick<FacetsProps, 'q' | 'onSearch' | 'groupsOf'> & {
  nameOf: FacetsProps['nameOf'];
  by: string;
  isOpen: boolean;
  onToggle: () => void;
};

/** One field: its name, and when it is open its values. */
const Facet = ({ by, isOpen, onToggle, ...rest }: FacetProps) => {
  const id = useId();
  const Icon = isOpen ? ChevronDown : ChevronRight;
  return (
    <section aria-labelledby={id} className="border-b py-1 last:border-b-0">
      <h3>
        <button
          id={id}
          type="button"
          aria-expanded={isOpen}
          onClick={onToggle}
          className="flex h-7 w-full items-center gap-1 rounded-sm px-1 text-left text-sm font-medium hover:bg-hover"
        >
          <Icon size={13} aria-hidden className="shrink-0 text-soft" />
          <bdi className="truncate">{by}</bdi>
        </button>
      </h3>
      {isOpen && <Values by={by} {...rest} />}
    </section>
  );
};

/** Rows that are counted at first: it takes a second at most. */
export const countedFirst = 20_000;

type CountsNoteProps = { of: ValueGroups; isAll: boolean; onAll: () => void; className?: string };

/** What a reader must know beside the counts, and a button that counts more rows. */
export const CountsNote = ({
  of: { partial, manyValues },
  isAll,
  onAll,
  className = '',
}: CountsNoteProps) => (
  <>
    {partial && (
      <p className={`text-sm text-soft ${className}`}>
        Counts of the newest {isAll ? '100,000' : countText(countedFirst)}.{' '}
        {!isAll && (
          <button type="button" className="text-accent hover:underline" onClick={onAll}>
            Count more
          </button>
        )}
      </p>
    )}
    {manyValues && (
      <p className={`text-sm text-soft ${className}`}>
        Too many different values: counts of rare ones are too low.
      </p>
    )}
  </>
);

const Values = ({ by, q, onSearch, groupsOf, nameOf }: Omit<FacetProps, 'isOpen' | 'onToggle'>) => {
  // Without the filters by this field, so that another value can be chosen.
  const several = severalValues.has(by);
  const scope = several ? q : withoutFiltersBy(q, by);
  const [isAll, setAll] = useState(false);
  const { data, error } = useQuery({
    ...groupsOf(by, scope, isAll ? undefined : countedFirst),
    placeholderData: keepPreviousData,
  });
  if (error) return <ErrorNote error={error} />;
  if (!data) return <Skeleton lines={3} className="px-2 py-1" />;
  const toggle = (filter: string) => onSearch(toggledFilter(q, by, filter, several));
  return (
    <>
      <ul>
        {data.groups.map(({ value, words, n }) => (
          <li key={words ?? value} className="flex items-center">
            <button
              type="button"
              disabled={words === null}
              aria-pressed={words !== null && hasFilter(q, words)}
              title={words ?? 'No filter finds these'}
              onClick={() => words !== null && toggle(words)}
              className="flex h-6 min-w-0 flex-1 items-center gap-2 rounded-sm px-2 text-left text-sm hover:bg-hover aria-pressed:bg-selected aria-pressed:font-medium"
            >
              <ValueText value={(value && nameOf?.(by, value)) ?? value} />
              <span className="ml-auto shrink-0 text-soft tabular-nums">{countText(n)}</span>
            </button>
            {words !== null && (
              <IconButton
                icon={CircleMinus}
                label={`Leave out ${value ?? 'those without'}`}
                aria-pressed={hasFilter(q, oppositeFilter(words))}
                onClick={() => toggle(oppositeFilter(words))}
                className="text-soft aria-pressed:text-fail"
              />
            )}
          </li>
        ))}
      </ul>
      {data.groups.length === 0 && <p className="px-2 text-sm text-soft">No values</p>}
      {data.numOthers > 0 && (
        <p className="px-2 text-sm text-soft">Other values: {countText(data.numOthers)}</p>
      )}
      <CountsNote of={data} isAll={isAll} onAll={() => setAll(true)} className="px-2" />
    </>
  );
};

/** A value as a list shows it. */
export const ValueText = ({ value }: { value: string | null }) =>
  value === null || value === '' ? (
    <span className="truncate text-soft">{value === null ? 'none' : 'empty text'}</span>
  ) : (
    <bdi className="truncate">{value}</bdi>
  );

/** Opens a field that is not listed, such as one of a testcase. */
const OtherField = ({ onOpen }: { onOpen: (by: string) => void }) => {
  const [by, setBy] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (by.trim() !== '') onOpen(by.trim());
    setBy('');
  };
  return (
    <form onSubmit={submit} className="flex items-center gap-1 px-1 pt-2">
      <input
        aria-label="Another field"
        placeholder="Another field: metadata.topic"
        value={by}
        onChange={({ target }) => setBy(target.value)}
        className="h-7 min-w-0 flex-1 rounded-md border border-edge bg-surface px-2 text-sm"
      />
      <Button type="submit" disabled={by.trim() === ''}>
        Add
      </Button>
    </form>
  );
};
