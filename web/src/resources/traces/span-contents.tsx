import { useQuery } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import type { SpanDetail } from '../../types.ts';
import { CopyButton } from '../../ui/copy.tsx';
import { Input } from '../../ui/field.tsx';
import { countOf } from '../../ui/format.ts';
import { JsonTree } from '../../ui/json-tree.tsx';
import { useLocalStorage } from '../../ui/local-storage.ts';
import { Part } from '../../ui/part.tsx';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { timeText } from '../../ui/time.tsx';
import { Value } from '../../ui/value.tsx';
import { Said, ToolCall } from './message.tsx';
import { Failed } from './operation.tsx';
import { plainFields } from './plain-fields.ts';
import { spanQuery } from './queries.ts';

const count = (n: number | null): string | undefined => n?.toLocaleString('en');
const tokens = (span: SpanDetail): string => {
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens } = span;
  return [
    inputTokens !== null &&
      `${count(inputTokens)} in${cachedInputTokens ? ` (${count(cachedInputTokens)} cached)` : ''}`,
    outputTokens !== null &&
      `${count(outputTokens)} out${reasoningTokens ? ` (${count(reasoningTokens)} reasoning)` : ''}`,
  ]
    .filter(Boolean)
    .join(', ');
};

const factsOf = (span: SpanDetail): [string, string | null][] => [
  ['Service', span.service],
  ['Model', [span.provider, span.modelName].filter(Boolean).join(' · ')],
  ['Tokens', tokens(span)],
  ['Cost', span.costUsd === null ? null : `$${span.costUsd}`],
  ['Kind', ['unspecified', 'internal'].includes(span.kind) ? null : span.kind],
  ['Started', timeText(span.startTime, 'millisecond')],
];

/** The members of an object whose name or value has all the words. */
const narrowed = (value: Record<string, unknown>, text: string): Record<string, unknown> => {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([name, item]) => {
      const all = `${name} ${typeof item === 'string' ? item : JSON.stringify(item)}`.toLowerCase();
      return words.every((word) => all.includes(word));
    }),
  );
};

const manyAttributes = 8;

const Attributes = ({ attributes, path }: { attributes: Record<string, unknown>; path: string }) => {
  const [text, setText] = useState('');
  const shown = useMemo(() => narrowed(attributes, text), [attributes, text]);
  const size = Object.keys(attributes).length;
  if (size === 0) return <p className="text-soft">None.</p>;
  return (
    <>
      {size > manyAttributes && (
        <div className="mb-2">
          <Input
            label="Find attributes"
            hideLabel
            placeholder={`Find in ${size.toLocaleString('en')} attributes`}
            value={text}
            onChange={setText}
          />
        </div>
      )}
      {Object.keys(shown).length === 0 ? (
        <p className="text-soft">No attribute matches.</p>
      ) : (
        <JsonTree value={shown} path={path} />
      )}
    </>
  );
};

type SpanFactsProps = { facts: readonly [string, string | null][]; spanId: string; traceId: string };

const SpanFacts = ({ facts, spanId, traceId }: SpanFactsProps) => (
  <dl className="flex flex-wrap gap-x-4 gap-y-1 px-4 pb-3">
    {facts.map(([name, value]) => (
      <div key={name} className="flex min-w-0 gap-1.5">
        <dt className="text-soft">{name}</dt>
        <dd className="min-w-0 break-words">{value}</dd>
      </div>
    ))}
    <div className="flex min-w-0 items-center gap-1.5">
      <dt className="text-soft">Id</dt>
      <dd className="-my-1 flex items-center font-mono text-sm">
        {spanId} <CopyButton text={spanId} label="Copy the span’s id" />
      </dd>
    </div>
    <div className="flex min-w-0 items-center gap-1.5">
      <dt className="text-soft">Trace</dt>
      <dd className="-my-1 flex min-w-0 items-center font-mono text-sm">
        <span className="truncate">{traceId}</span> <CopyButton text={traceId} label="Copy the trace’s id" />
      </dd>
    </div>
  </dl>
);

/** What a span was given or gave: its messages, else the value of the attribute that holds it. */
const Side = ({ span, side }: { span: SpanDetail; side: 'input' | 'output' }) => {
  const title = side === 'input' ? 'Input' : 'Output';
  const messages = span[side];
  if (messages.length > 0) return <Messages title={title} side={side} messages={messages} />;
  const fields = Object.entries(span.tool ? {} : plainFields(span, side));
  if (fields.length === 0) return null;
  return (
    <Part title={title}>
      {fields.map(([name, value]) => (
        <Value key={name} name={name} value={value} />
      ))}
    </Part>
  );
};

/** The tool call and the messages of a span, and folded below them everything as it came. */
const SpanParts = ({ span }: { span: SpanDetail }) => {
  const [chosen, setChosen] = useLocalStorage<boolean>('raw data of spans');
  // A span without messages has nothing else to show.
  const isOpen = chosen ?? (!span.tool && span.input.length + span.output.length === 0);
  return (
    <>
      {span.tool && (
        <Part title="Tool">
          <ToolCall
            call={{ id: span.tool.id, name: span.tool.name, arguments: span.tool.arguments }}
            result={span.tool.result}
            resultPath="/tool/result"
            open
          />
        </Part>
      )}
      <Side span={span} side="input" />
      <Side span={span} side="output" />
      <div className="border-t">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setChosen(!isOpen)}
          className="flex min-h-9 w-full items-center gap-1.5 px-4 text-left text-sm font-semibold hover:bg-hover"
        >
          <ChevronRight size={12} aria-hidden className={`text-soft ${isOpen ? 'rotate-90' : ''}`} />
          Raw data
          <span className="font-normal text-soft">
            {countOf(Object.keys(span.attributes).length, 'attribute')}
            {span.events.length > 0 && `, ${countOf(span.events.length, 'event')}`}
          </span>
        </button>
        {isOpen && <RawParts span={span} />}
      </div>
    </>
  );
};

/** The attributes of a span, its events, its links and its resource, and what its sender left out. */
const RawParts = ({ span }: { span: SpanDetail }) => {
  const dropped = Object.entries(span.dropped).filter(([, n]) => n > 0);
  return (
    <>
      <Part title="Attributes">
        <Attributes attributes={span.attributes} path="/attributes" />
      </Part>
      {span.events.length > 0 && (
        <Part title={`Events (${span.events.length.toLocaleString('en')})`}>
          <JsonTree value={span.events} path="/events" />
        </Part>
      )}
      {span.links.length > 0 && (
        <Part title={`Links (${span.links.length.toLocaleString('en')})`}>
          <JsonTree value={span.links} path="/links" />
        </Part>
      )}
      <Part title="Resource">
        <Attributes attributes={span.resource} path="/resource" />
      </Part>
      <Part title="Scope">
        <JsonTree value={span.scope} path="/scope" />
      </Part>
      {(span.traceState || dropped.length > 0) && (
        <Part title="Sender">
          {span.traceState && <p className="font-mono text-sm break-words">tracestate: {span.traceState}</p>}
          {dropped.map(([what, n]) => (
            <p key={what} className="text-warn">
              The sender left out {n.toLocaleString('en')} {what}.
            </p>
          ))}
        </Part>
      )}
    </>
  );
};

type SpanContentsProps = {
  projectId: string;
  traceId: string;
  spanId: string;
  /** The data of the span that is known before all of it is read. */
  facts?: [string, string][];
  /** Content between the interpreted part of the span and its raw data. */
  children?: ReactNode;
};

/** The raw data of a span, read when it is shown. */
export const SpanContents = ({ projectId, traceId, spanId, facts = [], children }: SpanContentsProps) => {
  const { data: span, error } = useQuery(spanQuery(projectId, traceId, spanId));
  const shown = [...facts, ...(span ? factsOf(span) : [])].filter(([, value]) => value);
  return (
    <>
      <SpanFacts facts={shown} spanId={spanId} traceId={traceId} />
      {error && (
        <div className="px-4 pb-3">
          <ErrorNote error={error} />
        </div>
      )}
      {span?.error != null && (
        <div className="mx-4 mb-3 rounded-md border border-fail/40 bg-fail-wash px-3 py-2">
          <Failed word="Failed" />
          <div className="break-words whitespace-pre-wrap text-fail" dir="auto">
            {span.error}
          </div>
        </div>
      )}
      {children}
      {!span && !error && <Skeleton lines={10} className="border-t px-4 pt-3" />}
      {span && <SpanParts span={span} />}
    </>
  );
};

const firstMessages = 20;

const Messages = ({
  title,
  side,
  messages,
}: {
  title: string;
  side: 'input' | 'output';
  messages: SpanDetail['input'];
}) => {
  // The question is at the end of a long prompt.
  const [all, setAll] = useState(false);
  if (messages.length === 0) return null;
  const from = all ? 0 : Math.max(0, messages.length - firstMessages);
  return (
    <Part title={`${title} (${messages.length.toLocaleString('en')})`}>
      {from > 0 && (
        <button type="button" onClick={() => setAll(true)} className="mb-2 text-accent underline">
          {from.toLocaleString('en')} before these
        </button>
      )}
      <ol className="flex flex-col gap-2">
        {messages.slice(from).map((message, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: messages don't change their order
          <li key={from + i} className="rounded-md border px-3 py-2">
            <div className="mb-0.5 text-sm font-medium text-soft">{message.role}</div>
            <Said message={message} path={`/${side}/${from + i}/content`} />
          </li>
        ))}
      </ol>
    </Part>
  );
};
