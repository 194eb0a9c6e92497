import { SlidersHorizontal, X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { TracesSearch } from '../paths.ts';
import { Button } from '../ui/button.tsx';
import { Input, Select } from '../ui/field.tsx';

type Filters = Omit<TracesSearch, 'open'>;

const sizes: Record<string, number> = { '': 1, ms: 1, s: 1_000, m: 60_000, min: 60_000, h: 3_600_000 };

/** `500`, `500ms`, `1.5 s`, `2min` in milliseconds; undefined when it is none. */
export const readDuration = (text: string): number | undefined => {
  const [, number, unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*(ms|s|m|min|h)?\s*$/i.exec(text) ?? [];
  return number === undefined ? undefined : Math.round(Number(number) * sizes[unit.toLowerCase()]!);
};

/** A time as its field has it (no zone: this machine's) or as a link has it. */
const readTime = (text: string): string | undefined => {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
};

/** The search as the API takes it, and what of it can't be read. */
export const toQuery = (search: Filters): { query: Record<string, string>; problems: string[] } => {
  const { service, name, model, failed, min, max, after, before, trace, every } = search;
  const problems: string[] = [];
  const read = (
    key: string,
    text: string | undefined,
    value: string | number | undefined,
    wanted: string,
  ) => {
    if (text === undefined) return {};
    if (value === undefined) problems.push(`“${text}” is no ${wanted}`);
    return value === undefined ? {} : { [key]: String(value) };
  };
  const query = {
    // Each trace once, by its root, unless somebody asks for every span.
    ...(every || trace ? {} : { root: 'true' }),
    ...(service && { service }),
    ...(name && { name }),
    ...(model && { model }),
    ...(failed && { error: failed === 'no' ? 'false' : 'true' }),
    ...read('minDurationMs', min, min && readDuration(min), 'duration such as 500ms or 1.5s'),
    ...read('maxDurationMs', max, max && readDuration(max), 'duration such as 500ms or 1.5s'),
    ...read('startedAfter', after, after && readTime(after), 'time'),
    ...read('startedBefore', before, before && readTime(before), 'time'),
    ...read(
      'traceId',
      trace,
      trace && /^[0-9a-f]{32}$/i.test(trace.trim()) ? trace.trim() : undefined,
      'trace id: 32 hexadecimal digits',
    ),
  };
  return { query, problems };
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
  { key: 'after', label: 'Began after' },
  { key: 'before', label: 'Began before' },
] as const;

type TracesFilterProps = {
  search: Filters;
  problems: readonly string[];
  onChange: (search: Filters) => void;
};

const without = (search: Filters, key: keyof Filters): Filters => {
  const { [key]: _, ...rest } = search;
  return rest;
};

/** What the traces are narrowed to: what is set, each to be taken off, and a form to set it. */
export const TracesFilter = ({ search, problems, onChange }: TracesFilterProps) => {
  const [isOpen, setOpen] = useState(problems.length > 0);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const next = [...fields].flatMap(([key, value]) => {
      const text = String(value).trim();
      return text ? [[key, text]] : [];
    });
    onChange(Object.fromEntries(next));
  };
  const labels: Record<string, string> = {
    ...Object.fromEntries([...texts, ...times].map(({ key, label }) => [key, label])),
    failed: 'Failed',
  };
  const set = Object.entries(search).filter(([key]) => key !== 'every') as [keyof Filters, string][];
  return (
    <div className="flex w-full flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <fieldset className="flex" aria-label="Rows">
          {[
            { label: 'Traces', every: undefined },
            { label: 'Every span', every: 'yes' },
          ].map(({ label, every }) => (
            <Button
              key={label}
              aria-pressed={search.every === every}
              onClick={() => onChange({ ...without(search, 'every'), ...(every && { every }) })}
              className="first:rounded-r-none last:-ml-px last:rounded-l-none aria-pressed:bg-selected"
            >
              {label}
            </Button>
          ))}
        </fieldset>
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
          <span
            key={key}
            className="inline-flex h-6 max-w-72 items-center gap-1 rounded-sm bg-selected pl-2 text-sm"
          >
            <span className="truncate">
              {labels[key]}: {value}
            </span>
            <button
              type="button"
              aria-label={`Remove ${labels[key]}`}
              onClick={() => onChange(without(search, key))}
              className="inline-flex size-6 shrink-0 items-center justify-center rounded-sm text-soft hover:text-ink"
            >
              <X size={12} aria-hidden />
            </button>
          </span>
        ))}
      </div>
      {isOpen && (
        <form
          // What is taken off above leaves its field too.
          key={JSON.stringify(search)}
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
      )}
      {problems.length > 0 && (
        <p role="alert" className="text-sm text-fail">
          {problems.join('; ')}.
        </p>
      )}
    </div>
  );
};

/** A time as a datetime-local field takes it. */
const localTime = (text: string | undefined): string => {
  if (!text) return '';
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) return '';
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
};
