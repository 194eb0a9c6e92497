import { lazy, type ReactNode, Suspense, useState } from 'react';
import { JsonTree } from './json-tree.tsx';
import { MarkedText } from './marked-text.tsx';

const Markdown = lazy(() => import('./markdown.tsx'));
const TextDiff = lazy(() => import('./text-diff.tsx'));

const looks = ['Text', 'Markdown', 'JSON', 'Chat', 'Diff'] as const;
type Look = (typeof looks)[number];

type Message = { role: string; content: unknown };
const isChat = (value: unknown): value is Message[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((item) => item !== null && typeof item === 'object' && 'role' in item && 'content' in item);

export const isMarkdown = (text: string): boolean =>
  /^(#{1,6} |[-*] |\d+\. |> |```|\|.*\|$)|\*\*\S|`[^`\n]+`/m.test(text);

const looksOf = (value: unknown, against: unknown): Look[] => {
  if (typeof value !== 'string') return isChat(value) ? ['Chat', 'JSON'] : ['JSON'];
  const order: Look[] = isMarkdown(value) ? ['Markdown', 'Text'] : ['Text', 'Markdown'];
  return typeof against === 'string' && against !== value ? [...order, 'Diff'] : order;
};

const textOf = (content: unknown): string => {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return JSON.stringify(content, null, 2);
  return content
    .map((part) =>
      part !== null && typeof part === 'object' && 'text' in part ? String(part.text) : JSON.stringify(part),
    )
    .join('\n');
};

/** Plain text, whatever is in it. */
const Text = ({ text, path }: { text: string; path?: string | undefined }) => (
  <div className="break-words whitespace-pre-wrap" dir="auto">
    <MarkedText text={text} path={path} />
  </div>
);

const Chat = ({ messages, path }: { messages: Message[]; path: string | undefined }) => (
  <ol className="flex flex-col gap-2">
    {messages.map(({ role, content }, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a conversation doesn't change its order
      <li key={i} className="rounded-md border px-3 py-2">
        <div className="text-xs font-medium text-soft">{role}</div>
        <Text
          text={textOf(content)}
          path={path !== undefined && typeof content === 'string' ? `${path}/${i}/content` : undefined}
        />
      </li>
    ))}
  </ol>
);

const body = (look: Look, value: unknown, against: unknown, path: string | undefined): ReactNode => {
  if (look === 'Chat') return <Chat messages={value as Message[]} path={path} />;
  if (look === 'JSON')
    return typeof value === 'object' ? <JsonTree value={value} path={path} /> : <Text text={String(value)} />;
  if (look === 'Text') return <Text text={String(value)} path={path} />;
  return (
    <Suspense fallback={<Text text={String(value)} />}>
      {look === 'Markdown' ? (
        <Markdown text={String(value)} path={path} />
      ) : (
        <TextDiff before={String(against)} after={String(value)} />
      )}
    </Suspense>
  );
};

type ValueProps = {
  name: string;
  value: unknown;
  against?: unknown;
  /** JSON Pointer to the value; its texts can then be marked. */
  path?: string;
};

/** A field with its value: as text, Markdown, JSON, chat messages, or what differs from `against`. */
export const Value = ({ name, value, against, path }: ValueProps) => {
  const offered = looksOf(value, against);
  const [chosen, setChosen] = useState<Look>();
  const look = chosen && offered.includes(chosen) ? chosen : offered[0]!;
  return (
    <div className="mb-3">
      <div className="mb-0.5 flex h-6 items-center gap-2">
        <span className="font-mono text-sm text-soft">{name}</span>
        {offered.length > 1 && (
          <fieldset className="flex" aria-label={`Show ${name} as`}>
            {offered.map((each) => (
              <button
                key={each}
                type="button"
                aria-pressed={each === look}
                onClick={() => setChosen(each)}
                className="h-5 rounded-sm px-1.5 text-xs text-soft hover:text-ink aria-pressed:bg-sunken aria-pressed:font-medium aria-pressed:text-ink"
              >
                {each}
              </button>
            ))}
          </fieldset>
        )}
      </div>
      {body(look, value, against, path)}
    </div>
  );
};
