import { lazy, Suspense } from 'react';
import { isMarkdown } from './looks.ts';
import { MarkedText } from './marked-text.tsx';

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
  const plain = <Plain text={text} path={path} />;
  if (text.length > longestMarkdown || !isMarkdown(text)) return plain;
  return (
    <Suspense fallback={plain}>
      <Markdown text={text} path={path} />
    </Suspense>
  );
};
