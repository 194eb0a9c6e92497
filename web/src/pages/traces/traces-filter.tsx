import { SlidersHorizontal, X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { TracesSearch } from '../../paths.ts';
import type { ListSpansQuery } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { Input, Select } from '../../ui/field.tsx';

type Filters = Omit<TracesSearch, 'open' | 'q'>;

const sizes: Record<string, number> = { '': 1, ms: 1, s: 1_000, m: 60_000, min: 60_000, h: 3_600_000 };

/** `500`, `500ms`, `1.5 s`, `2min` in milliseconds; undefined for any other text. */
export const readDuration = (text: string): number | undefined => {
  const [, number, unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*(ms|s|m|min|h)?\s*$/i.exec(text) ?? [];
  return number === undefined ? undefined : Math.round(Number(number) * sizes[unit.toLowerCase()]!);
};

/** A time from its field, in the time zone of this machine, or from a link. */
const readTime = (text: string): string | undefined => {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
};

const readTraceId = (text: string): string | undefined =>
  /^\s*[0-9a-f]{32}\s*$/i.test(text) ? text.trim() : undefined;

/** The query of the search, and the values in it that cannot be read. */
export const toQuery = (search: Filters): { query: ListSpansQuery; problems: string[] } => {
  const { service, name, model, failed, min, max, after, before, trace, every } = search;
  const problems: string[] = [];
  const read = <Value,>(
    text: string | undefined,
    parse: (text: string) => Value | undefined,
    wanted: string,
  ): Value | undefined => {
    const value = text === undefined ? undefined : parse(text);
    if (text !== undefined && value === undefined) problems.push(`“${text}” is not a ${wanted}`);
    return value;
  };
  const duration = 'duration such as 500ms or 1.5s';
  const query = {
    // One row per trace, its root, unless the user asks for every span.
    root: every || trace ? undefined : true,
    service,
    name,
    model,
    error: failed === undefined ? undefined : failed !== 'no',
    minDurationMs: read(min, readDuration, duration),
    maxDurationMs: read(max, readDuration, duration),
    startedAfter: read(after, readTime, 'time'),
    startedBefore: read(before, readTime, 'time'),
    traceId: read(trace, readTraceId, 'trace id: 32 hexadecimal digits'),
  };
  return {
    query: Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)),
    problems,
  };
};

const texts = [
  { key: 'name', label: 'Span name' },
  { key: 'service', label: 'Service' },
  { key: 'model', label: 'Model' },
  { key: 'trace', label: 'Trace id' },
  { key: 'min', label: 'At least', placeholder: '500ms' },
  { key: 'max', label: 'At most', placeholder: '10s' },
] as const;
const times = [
  { key: 'after', label: 'Started after' },
  { key: 'before', label: 'Started before' },
] as const;

const labels: Record<string, string> = {
  ...Object.fromEntries([...texts, ...times].map(({ key, label }) => [key, label])),
  failed: 'Failed',
};

type TracesFilterProps = {
  search: Filters;
  problems: readonly string[];
  onChange: (search: Filters) => void;
};

const without = (search: Filters, key: keyof Filters): Filters => {
  const { [key]: _, ...rest } = search;
  return rest;
};

/** The filters of the traces: those that are set, each with a button that removes it, and a form. */
export const TracesFilter = ({ search, problems, onChange }: TracesFilterProps) => {
  const [isOpen, setOpen] = useState(problems.length > 0);
  const set = Object.entries(search).filter(([key]) => key !== 'every') as [keyof Filters, string][];
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <Button
          aria-pressed={search.failed === 'yes'}
          onClick={() =>
            onChange(search.failed === 'yes' ? without(search, 'failed') : { ...search, failed: 'yes' })
          }
          className="aria-pressed:bg-fail-wash aria-pressed:text-fail"
        >
          Failed only
        </Button>
        <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <SlidersHorizontal size={13} aria-hidden /> Filter
        </Button>
        {set.map(([key, value]) => (
          <SetFilter
            key={key}
            label={labels[key]!}
            value={value}
            onRemove={() => onChange(without(search, key))}
          />
        ))}
      </div>
      {/* A filter that is removed above empties its field. */}
      {isOpen && <FilterForm key={JSON.stringify(search)} search={search} onSearch={onChange} />}
      {problems.length > 0 && (
        <p role="alert" className="text-sm text-fail">
          {problems.join('; ')}.
        </p>
      )}
    </div>
  );
};

/** The value of a datetime-local field. */
const localTime = (text: string | undefined): string => {
  if (!text) return '';
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) return '';
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
};

type SetFilterProps = { label: string; value: string; onRemove: () => void };

const SetFilter = ({ label, value, onRemove }: SetFilterProps) => (
  <span className="inline-flex h-6 max-w-72 items-center gap-1 rounded-sm bg-selected pl-2 text-sm">
    <span className="truncate">
      {label}: {value}
    </span>
    <button
      type="button"
      aria-label={`Remove ${label}`}
      onClick={onRemove}
      className="inline-flex size-6 shrink-0 items-center justify-center rounded-sm text-soft hover:text-ink"
    >
      <X size={12} aria-hidden />
    </button>
  </span>
);

type FilterFormProps = { search: Filters; onSearch: (search: Filters) => void };

const FilterForm = ({ search, onSearch }: FilterFormProps) => {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const next = [...fields].flatMap(([key, value]) => {
      const text = String(value).trim();
      return text ? [[key, text]] : [];
    });
    onSearch(Object.fromEntries(next));
  };
  return (
    <form
      onSubmit={submit}
      className="grid grid-cols-[repeat(auto-fill,minmax(160px,1fr))] items-end gap-2 rounded-md border bg-page p-3"
    >
      {texts.map(({ key, ...rest }) => (
        <Input key={key} name={key} {...rest} defaultValue={search[key] ?? ''} />
      ))}
      {times.map(({ key, label }) => (
        <Input
          key={key}
          name={key}
          label={label}
          type="datetime-local"
          step={1}
          defaultValue={localTime(search[key])}
        />
      ))}
      <Select
        name="failed"
        label="Result"
        defaultValue={search.failed ?? ''}
        options={[
          { value: '', label: 'Any' },
          { value: 'yes', label: 'Failed' },
          { value: 'no', label: 'Not failed' },
        ]}
      />
      {search.every && <input type="hidden" name="every" value={search.every} />}
      <Button type="submit" look="primary">
        Search
      </Button>
    </form>
  );
};
