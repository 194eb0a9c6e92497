import { ChevronRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { parseAsWritten } from '../../../../client/src/written-number.ts';
import type { SpanDetail } from '../../types.ts';
import { JsonTree } from '../../ui/json-tree.tsx';
import { Media } from '../../ui/media-parts.tsx';
import { Plain, Prose } from '../../ui/prose.tsx';
import { Failed } from './operation.tsx';

export type Message = SpanDetail['input'][number];
export type Call = NonNullable<Message['toolCalls']>[number];

// A longer text is not searched for JSON, unless it is long because of a file.
const longestParsed = 50_000;
const hasFile = (text: string): boolean => /[A-Za-z0-9+/]{1000}/.test(text);

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** JSON inside a text is shown as JSON. */
const parsed = (value: unknown): unknown => {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  if (value.length > longestParsed && !hasFile(value)) return value;
  try {
    return parseAsWritten(value);
  } catch {
    return value;
  }
};

/** A JSON value, or a text. */
const Content = ({ value, path }: { value: unknown; path: string | undefined }) => {
  const json = parsed(value);
  // The offsets of a mark are those of the text as it came, so a text that is shown as JSON has none.
  if (json !== null && typeof json === 'object')
    return <JsonTree value={json} path={json === value ? path : undefined} />;
  return <Plain text={asText(value)} path={path} />;
};

type FoldProps = {
  summary: ReactNode;
  open?: boolean;
  onToggle?: (open: boolean) => void;
  children: ReactNode;
};

/** Content that is folded until the user opens it, and is not drawn before. */
export const Fold = ({ summary, open = false, onToggle, children }: FoldProps) => {
  const [own, setOwn] = useState(open);
  const isOpen = onToggle ? open : own;
  return (
    <div className="mt-1 overflow-hidden rounded-md border bg-page">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => (onToggle ?? setOwn)(!isOpen)}
        className="flex min-h-7 w-full items-center gap-1.5 px-2 py-0.5 text-left hover:bg-hover"
      >
        <ChevronRight size={12} aria-hidden className={`shrink-0 text-soft ${isOpen ? 'rotate-90' : ''}`} />
        {summary}
      </button>
      {isOpen && <div className="border-t bg-surface px-3 py-2">{children}</div>}
    </div>
  );
};

const Labelled = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="mb-2 last:mb-0">
    <div className="text-sm font-medium text-soft">{label}</div>
    {children}
  </div>
);

type ToolCallProps = {
  call: Call;
  /** Result of the call; undefined without one. */
  result?: unknown;
  resultPath?: string | undefined;
  /** Files that the tool answered with. */
  media?: readonly unknown[] | undefined;
  error?: string | null;
  open?: boolean;
  onToggle?: (open: boolean) => void;
  /** Links, such as to the span that ran it. */
  links?: ReactNode;
};

/** A tool call with its answer: one line until it is unfolded. */
export const ToolCall = ({
  call,
  result,
  resultPath,
  media = [],
  error = null,
  open,
  onToggle,
  links,
}: ToolCallProps) => (
  <Fold
    {...(open !== undefined && { open })}
    {...(onToggle && { onToggle })}
    summary={
      <>
        <span className="max-w-2/3 shrink-0 truncate font-mono text-sm font-medium" title={call.name}>
          {call.name}
        </span>
        <span className="min-w-0 flex-1 truncate font-mono text-sm text-soft">
          {asText(call.arguments).slice(0, 200)}
        </span>
        {error !== null && <Failed />}
      </>
    }
  >
    {error !== null && (
      <Labelled label="Error">
        <div className="break-words whitespace-pre-wrap text-fail" dir="auto">
          {error}
        </div>
      </Labelled>
    )}
    <Labelled label="Arguments">
      <Content value={call.arguments} path={undefined} />
    </Labelled>
    <Labelled label="Result">
      {result === undefined || result === null ? (
        <span className="text-soft">None in the trace.</span>
      ) : (
        !(result === '' && media.length > 0) && <Content value={result} path={resultPath} />
      )}
      <Media parts={media} />
    </Labelled>
    {links}
  </Fold>
);

type SaidProps = {
  message: Message;
  path: string | undefined;
  /** Draws the tool calls, where their answers are known. */
  toolCalls?: ReactNode;
};

/** The content of a message: the folded reasoning, the text and the tool calls. */
export const Said = ({ message, path, toolCalls }: SaidProps) => {
  const { content, reasoning, toolCalls: calls = [], media = [] } = message;
  return (
    <>
      {reasoning && (
        <Fold
          summary={
            <span className="text-soft">Reasoning · {reasoning.length.toLocaleString('en')} characters</span>
          }
        >
          <Plain text={reasoning} path={undefined} />
        </Fold>
      )}
      {content &&
        (message.role === 'tool' ? (
          <Content value={content} path={path} />
        ) : (
          <Prose text={content} path={path} />
        ))}
      {/* biome-ignore lint/suspicious/noArrayIndexKey: calls don't change their order */}
      {toolCalls ?? calls.map((call, i) => <ToolCall key={i} call={call} />)}
      <Media parts={media} />
    </>
  );
};
