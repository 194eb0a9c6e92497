import { useContext } from 'react';
import ReactMarkdown from 'react-markdown';
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import { cut, type Mark, MarkedPiece, MarksContext, rememberText } from './marked-text.tsx';

// An image would be a request to any address in a record: the address is shown instead, as a link that loads nothing by itself.
const schema = {
  ...defaultSchema,
  tagNames: (defaultSchema.tagNames ?? []).filter((name) => name !== 'img'),
};

const styles =
  '[&_a]:text-accent [&_a]:underline [&_blockquote]:border-l-2 [&_blockquote]:pl-3 [&_blockquote]:text-soft [&_code]:rounded-sm [&_code]:bg-sunken [&_code]:px-1 [&_code]:font-mono [&_code]:text-sm [&_h2]:text-lg [&_h2]:font-semibold [&_h3]:font-semibold [&_h4]:font-medium [&_li]:ml-4 [&_ol]:list-decimal [&_pre]:overflow-auto [&_pre]:rounded-md [&_pre]:bg-sunken [&_pre]:p-2 [&_table]:border-collapse [&_td]:border [&_td]:px-2 [&_th]:border [&_th]:px-2 [&_ul]:list-disc';

/** As much of hast, the tree of elements, as is needed here. */
type Node = {
  type: string;
  value?: string;
  children?: Node[];
  tagName?: string;
  properties?: Record<string, string>;
  position?: { start: { offset?: number }; end: { offset?: number } };
};

/**
 * Wraps each text in an element with its position in the source, cut where marks begin and end. It runs after the sanitizer,
 * so no text can create such an element.
 */
const rehypeMarks = ({ source, marks }: { source: string; marks: readonly Mark[] }) => {
  const placeOf = (text: string, { position }: Node) => {
    const [start, end] = [position?.start.offset, position?.end.offset];
    if (start === undefined || end === undefined) return undefined;
    // What was escaped in the source is shorter on the page; then only all of it can be marked.
    const from = source.indexOf(text, start);
    return from >= 0 && from + text.length <= end
      ? { from, to: from + text.length, inexact: false }
      : { from: start, to: end, inexact: true };
  };
  const wrap = (node: Node, parent: Node): Node[] => {
    const text = node.value ?? '';
    const place = text.trim() ? placeOf(text, node.position ? node : parent) : undefined;
    if (!place) return [node];
    const { from, to, inexact } = place;
    const pieces = inexact
      ? [{ from, to, inexact, marks: marks.filter(({ start, end }) => start < to && end > from) }]
      : cut(from, to, marks);
    return pieces.map((piece) => ({
      type: 'element',
      tagName: 'span',
      properties: { dataPiece: JSON.stringify(piece) },
      children: [{ type: 'text', value: inexact ? text : text.slice(piece.from - from, piece.to - from) }],
    }));
  };
  const walk = (parent: Node): void => {
    if (!parent.children) return;
    parent.children = parent.children.flatMap((child) => {
      if (child.type === 'text') return wrap(child, parent);
      walk(child);
      return [child];
    });
  };
  return walk;
};

/** Markdown as someone outside wrote it: no HTML, no script, no image, no style. Loaded on demand. */
const Markdown = ({ text, path }: { text: string; path?: string | undefined }) => {
  const context = useContext(MarksContext);
  const marks = context && path !== undefined ? context.marksOf(path, text) : undefined;
  return (
    <div
      className={`flex flex-col gap-2 break-words ${styles}`}
      dir="auto"
      {...(marks && { 'data-passage': path, ref: rememberText(text) })}
    >
      <ReactMarkdown
        remarkPlugins={[remarkGfm]}
        rehypePlugins={[
          [rehypeSanitize, schema],
          ...(marks ? [[rehypeMarks, { source: text, marks }] as [typeof rehypeMarks, object]] : []),
        ]}
        components={{
          span: ({ children, ...rest }) => {
            const piece = (rest as { 'data-piece'?: string })['data-piece'];
            return piece ? (
              <MarkedPiece piece={JSON.parse(piece)}>{children}</MarkedPiece>
            ) : (
              <span>{children}</span>
            );
          },
          // The page has its own headings; those of a text come below them.
          h1: 'h2',
          h2: 'h3',
          h3: 'h4',
          img: ({ src, alt }) => <a href={String(src)}>{alt || String(src)}</a>,
          a: ({ href, children }) => (
            <a href={href} target="_blank" rel="noreferrer noopener">
              {children}
            </a>
          ),
        }}
      >
        {text}
      </ReactMarkdown>
    </div>
  );
};
export default Markdown;
