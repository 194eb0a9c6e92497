import { useState } from 'react';
import { WrittenNumber } from '../../../client/src/written-number.ts';
import { MarkedText } from './marked-text.tsx';
import { type Medium, mediumAlone, mediumOf, mediumOfText, piecesOfData } from './medium.ts';
import { MediumView } from './medium-view.tsx';

const firstShown = 100;

/** A longer text without spaces is taken for a file in base64. */
const longestPlain = 1_000;

/** The file that a text is as a whole. */
const fileIn = (text: string): Medium | undefined =>
  text.length <= longestPlain || text.includes(' ')
    ? undefined
    : (mediumOfText(text) ?? mediumOf({ data: text }));

/** A file in JSON: shown as one, and as text on demand. */
const FileValue = ({ medium, text }: { medium: Medium; text: string }) => {
  const [isText, setText] = useState(false);
  return (
    <span className="block font-sans">
      <MediumView medium={medium} />
      <button type="button" className="text-sm text-accent underline" onClick={() => setText(!isText)}>
        {isText ? 'Hide the text' : 'Show as text'}
      </button>
      {isText && (
        <span className="block font-mono break-all">
          <MarkedText text={text} />
        </span>
      )}
    </span>
  );
};

/** A text, such as the JSON of messages, with its files as files. */
const TextWithFiles = ({ pieces, text }: { pieces: (string | Medium)[]; text: string }) => {
  const [isText, setText] = useState(false);
  return (
    <span className="break-words whitespace-pre-wrap text-pass" dir="auto">
      “
      {isText ? (
        <MarkedText text={text} />
      ) : (
        pieces.map((piece, i) =>
          typeof piece === 'string' ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never change.
            <MarkedText key={i} text={piece} />
          ) : (
            // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never change.
            <span key={i} className="block font-sans">
              <MediumView medium={piece} />
            </span>
          ),
        )
      )}
      ”{' '}
      <button type="button" className="font-sans text-accent underline" onClick={() => setText(!isText)}>
        {isText ? 'Hide the base64' : 'Show the base64'}
      </button>
    </span>
  );
};

const Scalar = ({ value, path }: { value: unknown; path: string | undefined }) => {
  const medium = typeof value === 'string' ? fileIn(value) : undefined;
  if (medium) return <FileValue medium={medium} text={value as string} />;
  const pieces = typeof value === 'string' && value.length > longestPlain ? piecesOfData(value) : [];
  if (pieces.length > 1) return <TextWithFiles pieces={pieces} text={value as string} />;
  if (typeof value === 'string')
    return (
      <span className="break-words whitespace-pre-wrap text-pass" dir="auto">
        “<MarkedText text={value} path={path} />”
      </span>
    );
  return <span className="text-accent">{String(value)}</span>;
};

const Name = ({ name }: { name: string | undefined }) =>
  name !== undefined && <span className="text-soft">{name}: </span>;

const sizeOf = (value: object): string =>
  Array.isArray(value) ? `[${value.length}]` : `{${Object.keys(value).length}}`;

type JsonTreeProps = {
  value: unknown;
  name?: string;
  depth?: number;
  /** JSON Pointer to the value; its texts can then be marked. */
  path?: string | undefined;
};

const below = (path: string | undefined, key: string): string | undefined =>
  path === undefined ? undefined : `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** JSON to look through: parts fold, long lists are drawn a hundred at a time. */
export const JsonTree = ({ value, name, depth = 0, path }: JsonTreeProps) => {
  const [count, setCount] = useState(firstShown);
  if (value === null || typeof value !== 'object' || value instanceof WrittenNumber)
    return (
      <div className="font-mono text-sm">
        <Name name={name} />
        <Scalar value={value} path={path} />
      </div>
    );
  const file = Array.isArray(value) ? undefined : mediumAlone(value);
  if (file && (file.base64?.length ?? 0) > longestPlain)
    return (
      <div className="font-sans">
        <span className="font-mono text-sm">
          <Name name={name} />
        </span>
        <MediumView medium={file} />
      </div>
    );
  const entries = Object.entries(value);
  const body = (
    <div className={name === undefined ? '' : 'ml-1.5 border-l pl-3'}>
      {entries.slice(0, count).map(([key, item]) => (
        <JsonTree key={key} name={key} value={item} depth={depth + 1} path={below(path, key)} />
      ))}
      {entries.length > count && (
        <button
          type="button"
          onClick={() => setCount(count + 1000)}
          className="text-sm text-accent underline"
        >
          {entries.length - count} more
        </button>
      )}
    </div>
  );
  if (name === undefined) return body;
  return (
    <details open={depth < 3} className="font-mono text-sm">
      <summary className="rounded-sm select-none">
        <span className="text-soft">
          {name} {sizeOf(value)}
        </span>
      </summary>
      {body}
    </details>
  );
};
