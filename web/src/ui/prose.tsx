import { lazy, Suspense } from 'react';
import { isMarkdown } from './looks.ts';
import { MarkedText } from './marked-text.tsx';
import { piecesOf } from './medium.ts';
import { MediumView } from './medium-view.tsx';

const Markdown = lazy(() => import('./markdown.tsx'));

// A longer text is drawn plain and in steps: creating its elements at once would block the page.
const longestMarkdown = 50_000;

type ProseProps = { text: string; path?: string | undefined };

/** Plain text, without markup. */
export const Plain = ({ text, path }: ProseProps) => (
  <div className="break-words whitespace-pre-wrap" dir="auto">
    <MarkedText text={text} path={path} />
  </div>
);

/** A text as its writer meant it: Markdown if it looks like Markdown, else plain text. */
export const Prose = ({ text, path }: ProseProps) => {
  const pieces = piecesOf(text);
  // Files within the text: the passages around them are not marked, since their offsets are those of the whole.
  if (pieces.length > 1 || typeof pieces[0] === 'object')
    return pieces.map((piece, i) =>
      typeof piece === 'string' ? (
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text don't change their order
        <Plain key={i} text={piece} />
      ) : (
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text don't change their order
        <MediumView key={i} medium={piece} />
      ),
    );
  const plain = <Plain text={text} path={path} />;
  if (text.length > longestMarkdown || !isMarkdown(text)) return plain;
  return (
    <Suspense fallback={plain}>
      <Markdown text={text} path={path} />
    </Suspense>
  );
};
