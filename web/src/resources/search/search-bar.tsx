import { useQuery } from '@tanstack/react-query';
import { Search as SearchIcon, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { metricsQuery } from '../metrics/queries.ts';
import { membersQuery } from '../session/me.ts';
import { type Known, type Suggestion, suggest, wordAt } from './suggestions.ts';
import { tagsQuery } from './tags.ts';

type SearchBarProps = {
  q: string;
  onSearch: (q: string) => void;
  projectId: string;
  /** What is searched, such as `records`. */
  of: string;
  placeholder: string;
  known: Pick<Known, 'keys' | 'fields' | 'sorts'>;
  problems: readonly string[];
};

/** What can be written in place of the word. Undefined: nothing is offered, and nothing is read. */
const useSuggestions = (
  projectId: string,
  word: string | undefined,
  known: SearchBarProps['known'],
): readonly Suggestion[] => {
  const enabled = word !== undefined;
  const { data: tags = [] } = useQuery({ ...tagsQuery(projectId), enabled });
  const { data: metrics = [] } = useQuery({ ...metricsQuery(projectId), enabled });
  const { data: members = [] } = useQuery({ ...membersQuery, enabled });
  return enabled ? suggest(word, { ...known, tags, metrics, members }) : [];
};

/** Whether it is a key, or its beginning, after which the user writes on. */
const isName = (text: string) => /[:.]$/.test(text);

type SuggestionKeys = {
  suggestions: readonly Suggestion[];
  active: number;
  onActive: (i: number) => void;
  onTake: (suggestion: Suggestion) => void;
  onSearch: () => void;
  onClose: () => void;
};

/** Arrows go through the suggestions, Enter and Tab take one. Enter without one searches. */
const suggestionKeys = ({ suggestions, active, onActive, onTake, onSearch, onClose }: SuggestionKeys) => {
  return (event: KeyboardEvent) => {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move !== undefined && suggestions.length > 0) {
      event.preventDefault();
      onActive((active + move + suggestions.length) % suggestions.length);
    } else if ((event.key === 'Enter' || event.key === 'Tab') && suggestions[active]) {
      event.preventDefault();
      onTake(suggestions[active]);
    } else if (event.key === 'Enter') {
      onClose();
      onSearch();
    } else if (event.key === 'Escape' && suggestions.length > 0) {
      event.preventDefault();
      onClose();
    }
  };
};

// Long: one field with the state that its keys and its help share.
/** Typed filters and free text in one field; it offers what can be written at the caret. Enter searches. */
export const SearchBar = ({ q, onSearch, projectId, of, placeholder, known, problems }: SearchBarProps) => {
  const [text, setText] = useState(q);
  const [caret, setCaret] = useState(0);
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(-1);
  const input = useRef<HTMLInputElement>(null);
  const list = useId();
  useEffect(() => setText(q), [q]);

  const { start, word } = wordAt(text, caret);
  const suggestions = useSuggestions(projectId, open ? word : undefined, known);
  const change = (next: string, at: number) => {
    setText(next);
    setCaret(at);
    setActive(-1);
    setOpen(true);
  };
  const take = ({ text: taken }: Suggestion) => {
    const before = text.slice(0, start) + taken + (isName(taken) ? '' : ' ');
    change(before + text.slice(caret).trimStart(), before.length);
    requestAnimationFrame(() => input.current?.setSelectionRange(before.length, before.length));
    if (!isName(taken)) onSearch((before + text.slice(caret)).trim());
  };
  const onKeyDown = suggestionKeys({
    suggestions,
    active,
    onActive: setActive,
    onTake: take,
    onSearch: () => onSearch(text.trim()),
    onClose: () => setOpen(false),
  });
  const clear = () => {
    setText('');
    onSearch('');
    input.current?.focus();
    // The focus opens the help, which would cover the rows that the user wants to see.
    setOpen(false);
  };
  return (
    <search className="relative min-w-48 flex-1">
      <SearchIcon size={14} className="pointer-events-none absolute top-1.5 left-2 text-soft" aria-hidden />
      <input
        ref={input}
        type="text"
        role="combobox"
        aria-label={`Search ${of}`}
        aria-expanded={suggestions.length > 0}
        aria-controls={list}
        aria-activedescendant={active >= 0 ? optionId(list, active) : undefined}
        aria-autocomplete="list"
        aria-invalid={problems.length > 0 || undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder}
        value={text}
        onChange={(event) =>
          change(event.target.value, event.target.selectionStart ?? event.target.value.length)
        }
        onSelect={(event) => setCaret(event.currentTarget.selectionStart ?? 0)}
        onFocus={() => setOpen(true)}
        onClick={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
        className="h-7 w-full rounded-md border border-edge bg-surface px-8 aria-invalid:border-fail"
      />
      {text && (
        <IconButton icon={X} label="Clear the search" onClick={clear} className="absolute top-0 right-0" />
      )}
      <Offered id={list} suggestions={suggestions} active={active} onTake={take} />
      <Problems problems={problems} />
    </search>
  );
};

const optionId = (listId: string, i: number) => `${listId}-${i}`;

type OfferedProps = {
  id: string;
  suggestions: readonly Suggestion[];
  /** The place of the suggestion that Enter takes, or -1. */
  active: number;
  onTake: (suggestion: Suggestion) => void;
};

/** The suggestions below the field. They stay in the page when they are empty, since the field names them. */
const Offered = ({ id, suggestions, active, onTake }: OfferedProps) => (
  <div
    id={id}
    role="listbox"
    aria-label="Search help"
    hidden={suggestions.length === 0}
    className="absolute top-8 left-0 z-30 max-h-96 w-full max-w-2xl overflow-auto rounded-md border bg-surface p-1 shadow-lg"
  >
    {suggestions.map((suggestion, i) => (
      // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the active one
      // biome-ignore lint/a11y/useKeyWithClickEvents: see above
      <div
        key={suggestion.text}
        id={optionId(id, i)}
        role="option"
        aria-selected={i === active}
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => onTake(suggestion)}
        className="flex h-7 items-center gap-3 rounded-sm px-2 hover:bg-hover aria-selected:bg-selected"
      >
        <span className="shrink-0 font-mono text-sm">{suggestion.text}</span>
        <span className="truncate text-sm text-soft">{suggestion.hint}</span>
      </div>
    ))}
  </div>
);

const Problems = ({ problems }: { problems: readonly string[] }) =>
  problems.map((problem) => (
    <p key={problem} role="alert" className="mt-1 text-sm text-fail">
      {problem}
    </p>
  ));
