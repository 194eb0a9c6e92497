import { MessageSquare, ThumbsDown, ThumbsUp } from 'lucide-react';
import { withoutBase64 } from '../../../../client/src/without-base64.ts';
import { oneLine } from '../../resources/records/one-line.ts';
import { quoteName } from '../../resources/search/search.ts';
import type { JsonObject, RecordDetail } from '../../types.ts';
import { Avatar, Badge } from '../../ui/badge.tsx';
import { countText, durationText, usdText } from '../../ui/format.ts';
import type { Column } from '../../ui/grid-props.ts';
import { Time } from '../../ui/time.tsx';
import { type AskedScore, ScoreCell } from './score-cell.tsx';

const groups = ['inputs', 'outputs', 'expected'] as const;
type Group = (typeof groups)[number];
type AskScore = (asked: AskedScore) => void;

/** Width of the narrowest letter in pixels: the browser would shape all letters of a long text, also those that do not fit. */
const narrowest = 3;

const textOf = (value: unknown, lines: number, width: number): string => {
  const shown = lines * Math.ceil(width / narrowest);
  if (value === undefined) return '';
  return withoutBase64((typeof value === 'string' ? value : JSON.stringify(value)).slice(0, shown));
};

const fieldColumn = (group: Group, field: string, lines: number): Column<RecordDetail> => ({
  id: `${group}.${field}`,
  header: field,
  group,
  width: 220,
  render: (record, width) => (
    <div
      // Cutting off one line is ten times as fast as counting lines.
      className={lines === 1 ? 'truncate' : 'line-clamp-(--lines) break-words whitespace-pre-wrap'}
      dir="auto"
    >
      {textOf((record[group] as JsonObject)[field], lines, width)}
    </div>
  ),
});

const stepPattern = /(?:^|\.)("(?:[^"\\]|\\.)*"|[^\s".:]+)/gy;

/** The names of a path as the search writes it, such as `outputs."the answer".0`; undefined for any other text. */
const stepsOf = (path: string): string[] | undefined => {
  const steps = [...path.matchAll(stepPattern)];
  const length = steps.reduce((sum, [whole]) => sum + whole.length, 0);
  if (length !== path.length) return undefined;
  return steps.map(([, name = '']) =>
    name.startsWith('"') ? name.slice(1, -1).replace(/\\(.)/g, '$1') : name,
  );
};

/** Whether a text is the path of a field of a record. */
export const isFieldPath = (path: string): boolean => {
  const [group, ...names] = stepsOf(path) ?? [];
  return groups.some((each) => each === group) && names.length > 0;
};

const valueAt = (value: unknown, steps: readonly string[]): unknown =>
  steps.reduce<unknown>(
    (found, step) =>
      found !== null && typeof found === 'object' && Object.hasOwn(found, step)
        ? (found as JsonObject)[step]
        : undefined,
    value,
  );

/** The column of a path that the user added; undefined if it is no path of a field. */
export const pathColumn = (path: string, lines: number): Column<RecordDetail> | undefined => {
  const [group, ...steps] = stepsOf(path) ?? [];
  if (!isFieldPath(path)) return undefined;
  return {
    id: path,
    header: steps.join('.'),
    group: group!,
    width: 160,
    render: (record, width) => (
      <div
        className={lines === 1 ? 'truncate' : 'line-clamp-(--lines) break-words whitespace-pre-wrap'}
        dir="auto"
      >
        {textOf(valueAt(record[group as Group], steps), lines, width)}
      </div>
    ),
  };
};

/** A column that every record fills, whatever the shape of its fields: without it, rows of another shape would be blank. */
const summaryColumn = (lines: number): Column<RecordDetail> => ({
  id: 'summary',
  header: 'Summary',
  width: 300,
  render: ({ inputs, outputs }) => (
    <div
      className={lines === 1 ? 'truncate' : 'line-clamp-(--lines) break-words whitespace-pre-wrap'}
      dir="auto"
    >
      <bdi>{oneLine(inputs)}</bdi>
      <span className="text-soft">
        {' → '}
        <bdi>{oneLine(outputs)}</bdi>
      </span>
    </div>
  ),
});

const measure = (
  id: string,
  header: string,
  width: number,
  text: (measures: NonNullable<RecordDetail['measures']>) => string | null,
): Column<RecordDetail> => ({
  id,
  header,
  width,
  align: 'end',
  sortBy: id,
  render: ({ measures }) => <span className="whitespace-nowrap">{measures && text(measures)}</span>,
});

const measureColumns: Column<RecordDetail>[] = [
  measure('latency', 'Latency', 88, ({ latencyMs }) => (latencyMs === null ? null : durationText(latencyMs))),
  measure('tokens', 'Tokens', 80, ({ inputTokens, outputTokens }) =>
    inputTokens === null && outputTokens === null
      ? null
      : countText((inputTokens ?? 0) + (outputTokens ?? 0)),
  ),
  measure('cost', 'Cost', 80, ({ costUsd }) => (costUsd === null ? null : usdText(costUsd))),
];

const scoreColumn = (metricId: string, metricName: string, onAsk: AskScore): Column<RecordDetail> => ({
  id: `score.${metricId}`,
  header: metricName,
  width: 112,
  sortBy: `score.${quoteName(metricName)}`,
  render: (record) =>
    record.scoreStates
      .filter((state) => state.metricId === metricId)
      .map((state) => (
        <ScoreCell
          key={state.metricConfigId}
          state={state}
          onAsk={(anchor) => onAsk({ anchor, record, state })}
        />
      )),
});

const fixed = (
  nameOf: (userId: string | null) => string,
): Record<'first' | 'last', Column<RecordDetail>[]> => ({
  first: [
    {
      id: 'id',
      header: 'Record',
      width: 88,
      render: ({ id }) => <span className="font-mono text-sm">{id}</span>,
    },
    { id: 'run', header: 'Run', width: 56, render: ({ runId }) => runId },
  ],
  last: [
    {
      id: 'tags',
      header: 'Tags',
      width: 160,
      render: ({ tags }) => (
        <div className="flex gap-1 overflow-hidden">
          {tags.map((tag) => (
            <Badge key={tag}>{tag}</Badge>
          ))}
        </div>
      ),
    },
    {
      id: 'assignees',
      header: 'Assigned',
      width: 88,
      render: ({ assigneeUserIds }) => (
        <div className="flex gap-1">
          {assigneeUserIds.map((userId) => (
            <Avatar key={userId} name={nameOf(userId)} alone />
          ))}
        </div>
      ),
    },
    {
      id: 'annotations',
      header: 'Annotations',
      width: 112,
      render: ({ annotationCounts: { positive, negative, commented: comments } }) => (
        <div className="flex gap-2 text-soft">
          {positive > 0 && <Count icon={<ThumbsUp size={12} aria-hidden />} n={positive} what="thumbs up" />}
          {negative > 0 && (
            <Count icon={<ThumbsDown size={12} aria-hidden />} n={negative} what="thumbs down" />
          )}
          {comments > 0 && (
            <Count icon={<MessageSquare size={12} aria-hidden />} n={comments} what="comments" />
          )}
        </div>
      ),
    },
    {
      id: 'createdAt',
      header: 'Created',
      width: 96,
      sortBy: 'created',
      render: ({ createdAt }) => <Time at={createdAt} />,
    },
  ],
});

const Count = ({ icon, n, what }: { icon: React.ReactNode; n: number; what: string }) => (
  <span className="inline-flex items-center gap-1" title={`${n} ${what}`}>
    {icon}
    {n}
    <span className="sr-only">{what}</span>
  </span>
);

/** The fields of records by their group, and the metrics that score them. */
export type Fields = {
  fields: Record<Group, readonly string[]>;
  metrics: readonly { id: string; name: string }[];
  /** Whether some records lack the fields that lead the table. */
  isMixed: boolean;
  /** Whether any record has a latency, tokens or a cost. */
  hasMeasures: boolean;
};

const union = (a: readonly string[], b: Iterable<string>): readonly string[] => {
  const all = new Set([...a, ...b]);
  return all.size === a.length ? a : [...all];
};

/** The paths of the fields, as a search names them. */
export const fieldPaths = ({ fields }: Fields): string[] =>
  groups.flatMap((group) => fields[group].map((field) => `${group}.${quoteName(field)}`));

export const noFields: Fields = {
  fields: { inputs: [], outputs: [], expected: [] },
  metrics: [],
  isMixed: false,
  hasMeasures: false,
};

/** The names of fields, the most frequent first, so that one unusual record does not lead the table. */
const byUse = (names: readonly string[]): string[] => {
  const uses = new Map<string, number>();
  for (const name of names) uses.set(name, (uses.get(name) ?? 0) + 1);
  return [...uses.keys()].sort((a, b) => uses.get(b)! - uses.get(a)!);
};

/** The known fields with those of these records added: the same object when there are no new ones. */
export const withFieldsOf = (known: Fields, records: readonly RecordDetail[]): Fields => {
  const of = (group: Group) =>
    union(known.fields[group], byUse(records.flatMap((record) => Object.keys(record[group]))));
  const fields = { inputs: of('inputs'), outputs: of('outputs'), expected: of('expected') };
  const names = new Map(known.metrics.map(({ id, name }) => [id, name]));
  for (const { scoreStates } of records)
    for (const { metricId, metricName } of scoreStates) names.set(metricId, metricName);
  const lacks = (record: RecordDetail, group: Group) => {
    const [first] = fields[group];
    return first !== undefined && !Object.hasOwn(record[group], first);
  };
  const isMixed =
    known.isMixed || records.some((record) => lacks(record, 'inputs') && lacks(record, 'outputs'));
  const hasMeasures = known.hasMeasures || records.some(({ measures }) => measures !== null);
  const isKnown =
    isMixed === known.isMixed &&
    hasMeasures === known.hasMeasures &&
    groups.every((group) => fields[group] === known.fields[group]) &&
    names.size === known.metrics.length &&
    known.metrics.every(({ id, name }) => names.get(id) === name);
  if (isKnown) return known;
  const metrics = [...names].map(([id, name]) => ({ id, name })).sort((a, b) => Number(a.id) - Number(b.id));
  return { fields, metrics, isMixed, hasMeasures };
};

type Looks = { nameOf: (userId: string | null) => string; lines: number; onAsk: AskScore };

/** All columns for records with these fields, in the default order. */
export const columnsOf = (
  { fields, metrics, isMixed, hasMeasures }: Fields,
  { nameOf, lines, onAsk }: Looks,
): Column<RecordDetail>[] => {
  const { first, last } = fixed(nameOf);
  const [question = [], answer = [], ...rest] = [
    fields.inputs.slice(0, 1).map((field) => fieldColumn('inputs', field, lines)),
    fields.outputs.slice(0, 1).map((field) => fieldColumn('outputs', field, lines)),
    fields.inputs.slice(1).map((field) => fieldColumn('inputs', field, lines)),
    fields.outputs.slice(1).map((field) => fieldColumn('outputs', field, lines)),
    fields.expected.map((field) => fieldColumn('expected', field, lines)),
  ];
  // The first input, the first output and the scores are visible without scrolling. The summary says the first two for records of any shape.
  return [
    ...first,
    ...(isMixed ? [summaryColumn(lines)] : [...question, ...answer]),
    ...metrics.map(({ id, name }) => scoreColumn(id, name, onAsk)),
    ...(hasMeasures ? measureColumns : []),
    ...(isMixed ? [...question, ...answer] : []),
    ...rest.flat(),
    ...last,
  ];
};
