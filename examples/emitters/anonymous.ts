import { homedir, hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';

type Attribute = { key: string; value: unknown };
type Event = { timeUnixNano: string; attributes?: Attribute[]; [field: string]: unknown };
type Span = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes?: Attribute[];
  events?: Event[];
  [field: string]: unknown;
};
type ScopeSpans = { scope?: object; spans?: Span[] };
export type Recorded = {
  /** What the fake model billed while the spans were recorded. */
  usage: { calls: number; inputTokens: number; cachedTokens: number; outputTokens: number };
  resourceSpans: { resource?: { attributes?: Attribute[] }; scopeSpans?: ScopeSpans[] }[];
};

/** Attributes of a resource that say something about the machine or the process. */
const ofMachine = /^(?:host|os|process|service\.instance)\b|^telemetry\.auto/;
/** Attributes that hold paths of code, or numbers that each run has other values for. */
const ofCode = /^(?:exception\.stacktrace|code\.|thread\.|server\.|url\.|http\.)/;
/** What Claude Code tells its model of the machine, the folder and the person. */
const ofPerson = 'system_reminders';
const isPrivate = (key: string): boolean => ofCode.test(key) || key === ofPerson;
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
/** Hashes that name a person or a machine. */
const hash = /\b[0-9a-f]{64}\b/g;
const isoTime = /20\d\d-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?/g;
/** Time of the first span; each later time is a millisecond after the one before. */
const firstTime = BigInt(Date.UTC(2026, 0, 1, 12)) * 1_000_000n;

/** Returns the function that gives each text a number, in the order of first use. */
const numberer = () => {
  const numbers = new Map<string, number>();
  return (text: string): number => {
    const found = numbers.get(text) ?? numbers.size + 1;
    numbers.set(text, found);
    return found;
  };
};

const timesOf = (spans: Span[]): Map<string, string> => {
  const times = spans.flatMap((span) => [
    span.startTimeUnixNano,
    span.endTimeUnixNano,
    ...(span.events ?? []).map((event) => event.timeUnixNano),
  ]);
  const inOrder = [...new Set(times)].sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1));
  return new Map(inOrder.map((time, i) => [time, String(firstTime + BigInt(i) * 1_000_000n)]));
};

/** Replaces what is of this machine or this run in a text: paths, names, ports, ids and times. */
const textReplacer = () => {
  const [uuids, hashes] = [numberer(), numberer()];
  const own = [
    join(tmpdir(), 'dokima-emitters'),
    process.execPath,
    process.cwd(),
    homedir(),
    hostname(),
    userInfo().username,
  ]
    .filter((name) => name.length > 4)
    .map((name) => RegExp(name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'g'));
  return (text: string): string =>
    own
      .reduce((left, pattern) => left.replaceAll(pattern, 'local'), text)
      .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:4010')
      .replaceAll(uuid, (id) => `00000000-0000-4000-8000-${String(uuids(id)).padStart(12, '0')}`)
      .replaceAll(hash, (text) => String(hashes(text)).padStart(64, '0'))
      .replaceAll(isoTime, '2026-01-01T12:00:00');
};

/**
 * Returns recorded spans as JSON without personal details: paths, hosts and stacks are removed, and ids and times are replaced by
 * others in the same order, so that recording again changes little. Each span is on a line.
 */
export const anonymous = ({ usage, resourceSpans }: Recorded): string => {
  const spans = resourceSpans.flatMap(({ scopeSpans = [] }) =>
    scopeSpans.flatMap((scope) => scope.spans ?? []),
  );
  const times = timesOf(spans);
  const [traces, ids] = [numberer(), numberer()];
  const replaceText = textReplacer();
  const idOf = (id: string, number: (text: string) => number, length: number) =>
    /^0*$/.test(id) ? '' : number(id).toString(16).padStart(length, '0');
  // Spans arrive as they end. By start, the numbers of ids follow the tree.
  for (const span of spans.toSorted((a, b) =>
    BigInt(a.startTimeUnixNano) < BigInt(b.startTimeUnixNano) ? -1 : 1,
  )) {
    traces(span.traceId);
    ids(span.spanId);
  }
  const replace = (value: unknown, key = ''): unknown => {
    if (key === 'traceId') return idOf(value as string, traces, 32);
    if (key === 'spanId' || key === 'parentSpanId') return idOf(value as string, ids, 16);
    if (key.endsWith('TimeUnixNano') || key === 'timeUnixNano') return times.get(value as string);
    if (typeof value === 'string') return replaceText(value);
    if (Array.isArray(value))
      return value
        .filter((item) => !(key === 'attributes' && isPrivate((item as Attribute).key)))
        .map((item) => replace(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, replace(item, name)]));
  };
  const lines = resourceSpans.flatMap(({ resource, scopeSpans = [] }) => {
    const attributes = (resource?.attributes ?? []).filter(({ key }) => !ofMachine.test(key));
    return scopeSpans.map(
      ({ scope = {}, spans: own = [] }) =>
        `{"resource":${JSON.stringify(replace({ attributes }))},"scopeSpans":[{"scope":${JSON.stringify(replace(scope))},"spans":[\n` +
        `${own.map((span) => JSON.stringify(replace(span))).join(',\n')}\n]}]}`,
    );
  });
  return `{"usage":${JSON.stringify(usage)},"resourceSpans":[\n${lines.join(',\n')}\n]}\n`;
};
