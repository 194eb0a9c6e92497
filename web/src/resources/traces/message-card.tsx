import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { paths } from '../../paths.ts';
import { timeText } from '../../ui/time.tsx';
import { useMay } from '../session/me.ts';
import { Fold, Said, ToolCall } from './message.tsx';
import { Failed } from './operation.tsx';
import { PassageScope } from './passages.tsx';
import type { AnsweredCall, Item } from './threads.ts';

const sinceText = (time: string, zero: string): string => {
  const ms = Date.parse(time) - Date.parse(zero);
  const seconds = ms / 1000;
  if (seconds < 60) return `+${seconds.toFixed(1)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `+${minutes} min ${Math.floor(seconds % 60)} s`;
  return `+${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};

const roleNames: Record<string, string> = {
  user: 'User',
  assistant: 'Assistant',
  system: 'System',
  tool: 'Tool',
};
// A system prompt is read once; behind it begins the conversation.
const longestSystem = 600;

type MessageEntry = Extract<Item, { kind: 'message' }>['entry'];

type SpanId = { traceId: string; spanId: string };
/** Where a link to a span leads: to a tab of the record, or to the span on the page of its trace. */
export type SpanLinkTo = (span: SpanId) => ReturnType<typeof paths.record> | ReturnType<typeof paths.trace>;

/** Not for people who only review: what a span holds may be a verdict, and is not opened for them. */
const SpanLink = ({ to, label }: { to: ReturnType<SpanLinkTo>; label: string }) =>
  useMay().read && (
    <Link {...to} className="text-sm text-soft underline decoration-line underline-offset-2 hover:text-ink">
      {label}
    </Link>
  );

type MessageHeaderProps = { entry: MessageEntry; zero: string; children: ReactNode };

/** Who says the message, and when. */
const MessageHeader = ({ entry, zero, children }: MessageHeaderProps) => {
  const { role, error, modelName, time, name } = entry;
  return (
    <header className="mb-0.5 flex min-w-0 items-center gap-2 text-sm">
      <span className="min-w-0 truncate font-medium">{roleNames[role] ?? role}</span>
      {name && <span className="min-w-0 truncate font-mono text-soft">{name}</span>}
      {modelName && role === 'assistant' && <span className="min-w-0 truncate text-soft">{modelName}</span>}
      {error !== null && <Failed />}
      <span className="ml-auto shrink-0 text-soft" title={timeText(time, 'millisecond')}>
        {sinceText(time, zero)}
      </span>
      {children}
    </header>
  );
};

type MessageCardProps = {
  item: Extract<Item, { kind: 'message' }>;
  spanLink: SpanLinkTo;
  zero: string;
  isMarked: boolean;
  unfolded: ReadonlySet<string>;
  onToggle: (call: string) => void;
};

/** What was said, with its tool calls. A long system prompt is folded. */
export const MessageCard = ({ item, spanLink, zero, isMarked, unfolded, onToggle }: MessageCardProps) => {
  const { entry, calls } = item;
  const { role, content, error, path } = entry;
  const call = ({ key, call, answer }: AnsweredCall) => (
    <PassageScope key={key} of={answer ?? entry}>
      <ToolCall
        call={call}
        result={answer?.content}
        media={answer?.media}
        resultPath={answer?.path ?? undefined}
        error={answer?.error ?? null}
        open={unfolded.has(key)}
        onToggle={() => onToggle(key)}
        links={answer && <SpanLink to={spanLink(answer)} label="Span of the tool" />}
      />
    </PassageScope>
  );
  const said = (
    <Said
      message={entry}
      path={path ?? undefined}
      {...(calls.length > 0 && { toolCalls: calls.map(call) })}
    />
  );
  const folds = role === 'system' && content.length > longestSystem;
  return (
    <PassageScope of={entry}>
      <article
        aria-label={`${roleNames[role] ?? role}${error === null ? '' : ', failed'}`}
        className={`rounded-md border px-3 py-2 ${role === 'user' ? 'bg-sunken' : ''} ${error === null ? '' : 'border-fail/50'} ${isMarked ? 'outline-2 outline-accent' : ''}`}
      >
        <MessageHeader entry={entry} zero={zero}>
          <SpanLink to={spanLink(entry)} label="Span" />
        </MessageHeader>
        {folds ? (
          <Fold
            summary={
              <span className="truncate text-soft">
                {content.slice(0, 120)} · {content.length.toLocaleString('en')} characters
              </span>
            }
          >
            {said}
          </Fold>
        ) : (
          said
        )}
        {error !== null && (
          <p
            className="mt-1 rounded-sm bg-fail-wash px-2 py-1 break-words whitespace-pre-wrap text-fail"
            dir="auto"
          >
            {error}
          </p>
        )}
      </article>
    </PassageScope>
  );
};
