import { lazy, type ReactNode, Suspense } from 'react';
import { WrittenNumber } from '../../../client/src/written-number.ts';
import { CopyButton } from './copy.tsx';
import { Fold } from './fold.tsx';
import { JsonTree } from './json-tree.tsx';
import { useLocalStorage } from './local-storage.ts';
import {
  jsonOf,
  type Look,
  looksOf,
  type Message,
  mediaOf,
  messagesOf,
  messageText,
  plainText,
} from './looks.ts';
import { Media } from './media-parts.tsx';
import { mediumOfText } from './medium.ts';
import { MediumView } from './medium-view.tsx';
import { Plain, Prose } from './prose.tsx';

const Markdown = lazy(() => import('./markdown.tsx'));
const TextDiff = lazy(() => import('./text-diff.tsx'));

type Path = string | undefined;

const Chat = ({ messages, path }: { messages: Message[]; path: Path }) => (
  <ol className="flex flex-col gap-2">
    {messages.map((message, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a conversation doesn't change its order
      <li key={i} className="rounded-md border px-3 py-2">
        <div className="text-sm font-medium text-soft">{message.role}</div>
        <Prose
          text={messageText(message)}
          path={
            path !== undefined &&
            typeof message.content === 'string' &&
            message.tool_calls === undefined &&
            message.toolCalls === undefined
              ? `${path}/${i}/content`
              : undefined
          }
        />
        <Media parts={mediaOf(message)} />
      </li>
    ))}
  </ol>
);

const shown = (
  look: Look,
  value: unknown,
  against: unknown,
  { path, name }: { path: Path; name: string },
): ReactNode => {
  const text = plainText(value);
  const medium = look === 'Image' || look === 'File' ? mediumOfText(text) : undefined;
  if (medium) return <MediumView medium={{ ...medium, name }} />;
  const messages = look === 'Chat' && messagesOf(value);
  if (messages)
    return <Chat messages={messages} path={messages === value ? path : path && `${path}/messages`} />;
  if (look === 'JSON') {
    // Passages point into the record's own values; JSON within a text does not count as one.
    if (typeof value === 'string') return <JsonTree value={jsonOf(value)} />;
    return typeof value === 'object' && !(value instanceof WrittenNumber) ? (
      <JsonTree value={value} path={path} />
    ) : (
      <Plain text={text} />
    );
  }
  if (look === 'Text') return <Plain text={text} path={path} />;
  return (
    <Suspense fallback={<Plain text={text} />}>
      {look === 'Markdown' ? (
        <Markdown text={text} path={path} />
      ) : (
        <TextDiff before={plainText(against)} after={text} />
      )}
    </Suspense>
  );
};

/** The characters that are shown: files in messages are drawn beside their text. */
const shownLength = (look: Look, value: unknown, text: string): number =>
  look === 'Chat'
    ? (messagesOf(value) ?? []).reduce((sum, message) => sum + messageText(message).length, 0)
    : text.length;

type ValueProps = {
  name: string;
  value: unknown;
  against?: unknown;
  /** JSON Pointer to the value; its texts can then be marked. */
  path?: string;
};

/**
 * A field with its value: as an image, text, Markdown, JSON, chat messages, or what differs from `against`. How the reader last looked at
 * a field of this place and name is how the next one is shown.
 */
export const Value = ({ name, value, against, path }: ValueProps) => {
  const offered = looksOf(value, against);
  const [chosen, setChosen] = useLocalStorage<Look>(`look ${path ?? name}`);
  const look = chosen && offered.includes(chosen) ? chosen : offered[0]!;
  const text = plainText(value);
  return (
    <div className="group mb-3">
      <div className="mb-0.5 flex h-6 items-center gap-2">
        <span className="truncate font-mono text-sm text-soft" title={name}>
          {name}
        </span>
        {offered.length > 1 && (
          <fieldset className="flex shrink-0" aria-label={`Show ${name} as`}>
            {offered.map((each) => (
              <button
                key={each}
                type="button"
                aria-pressed={each === look}
                onClick={() => setChosen(each)}
                className="h-5 rounded-sm px-1.5 text-sm text-soft hover:text-ink aria-pressed:bg-sunken aria-pressed:font-medium aria-pressed:text-ink"
              >
                {each}
              </button>
            ))}
          </fieldset>
        )}
        <span className="-my-1 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 pointer-coarse:opacity-100">
          <CopyButton text={text} label={`Copy ${name}`} />
        </span>
      </div>
      <Fold length={look === 'Image' || look === 'File' ? 0 : shownLength(look, value, text)}>
        {shown(look, value, against, { path, name })}
      </Fold>
    </div>
  );
};
