import { MessageSquareText } from 'lucide-react';
import { createContext, type ReactNode, useContext, useState } from 'react';

/** A part of a text with annotations; `count` is their number. */
export type Mark = { id: string; start: number; end: number; count: number };

/** Marks of the texts below, and what happens when one is opened. Without it texts are shown plain. */
export type Marks = {
  marksOf: (path: string, text: string) => Mark[];
  onOpen: (id: string) => void;
};
export const MarksContext = createContext<Marks | undefined>(undefined);

const sources = new WeakMap<Element, string>();

/** Remembers what an element shows, so that a selection in it can be given in the text's own offsets. */
export const rememberText = (text: string) => (element: Element | null) => {
  if (element) sources.set(element, text);
};

type Piece = { from: number; to: number; marks: Mark[] };

/** Cuts a range of a text where marks begin and end. */
export const cut = (from: number, to: number, marks: readonly Mark[]): Piece[] => {
  const inside = (at: number) => at > from && at < to;
  const edges = [from, ...marks.flatMap(({ start, end }) => [start, end]).filter(inside), to];
  const places = [...new Set(edges)].sort((a, b) => a - b);
  return places.slice(0, -1).map((start, i) => {
    const end = places[i + 1]!;
    return { from: start, to: end, marks: marks.filter((mark) => mark.start < end && mark.end > start) };
  });
};

/** A piece of a marked text. A button at the end of a mark opens its annotations. */
export const MarkedPiece = ({
  piece,
  children,
}: {
  piece: Piece & { inexact?: boolean };
  children: ReactNode;
}) => {
  const { onOpen } = useContext(MarksContext) ?? {};
  const { from, to, marks, inexact } = piece;
  const place = { 'data-from': from, ...(inexact && { 'data-to': to }) };
  if (marks.length === 0) return <span {...place}>{children}</span>;
  return (
    <>
      <mark
        {...place}
        data-mark={marks.at(-1)!.id}
        className="rounded-sm bg-warn-wash text-ink underline decoration-warn decoration-2 underline-offset-2"
      >
        {children}
      </mark>
      {marks
        .filter(({ end }) => end <= to)
        .map(({ id, count }) => (
          <button
            key={id}
            type="button"
            onClick={() => onOpen?.(id)}
            aria-label={`${count} on this passage`}
            title={`${count} on this passage`}
            className="mx-0.5 inline-flex h-4 items-center gap-0.5 rounded-sm bg-warn-wash px-1 align-middle font-sans text-sm text-warn select-none hover:brightness-95"
          >
            <MessageSquareText size={10} aria-hidden />
            {count > 0 && count}
          </button>
        ))}
    </>
  );
};

const firstShown = 5_000;
const shownMore = 100_000;

/** Returns a position at which a text can be cut without splitting a character. */
const wholeCharacters = (text: string, length: number): number =>
  length < text.length && /[\uD800-\uDBFF]/.test(text[length - 1]!) ? length - 1 : length;

/** Plain text with its marks, without markup. `path` names it among the texts around it; a long text is drawn in steps. */
export const MarkedText = ({ text, path }: { text: string; path?: string | undefined }) => {
  const marks = useContext(MarksContext);
  const [most, setMost] = useState(firstShown);
  const length = wholeCharacters(text, Math.min(most, text.length));
  const more = text.length > length && (
    <button
      type="button"
      onClick={() => setMost(most + shownMore)}
      className="mx-1 font-sans text-sm text-accent underline select-none"
    >
      … {Math.min(shownMore, text.length - length).toLocaleString('en')} more of{' '}
      {text.length.toLocaleString('en')} characters
    </button>
  );
  if (!marks || path === undefined)
    return (
      <>
        {text.slice(0, length)}
        {more}
      </>
    );
  return (
    <span data-passage={path} ref={rememberText(text)}>
      {cut(0, length, marks.marksOf(path, text)).map((piece) => (
        <MarkedPiece key={piece.from} piece={piece}>
          {text.slice(piece.from, piece.to)}
        </MarkedPiece>
      ))}
      {more}
    </span>
  );
};

export type SelectedText = { element: Element; path: string; start: number; text: string };

const lengthTo = (leaf: Element, node: Node, offset: number): number => {
  const range = document.createRange();
  range.setStart(leaf, 0);
  range.setEnd(node, offset);
  return range.toString().length;
};

/** Returns the selection within a text below `root`, in the text's own offsets; the first one if it spans several texts. */
export const selectedText = (root: Element, range: Range): SelectedText | undefined => {
  const leaves = [...root.querySelectorAll('[data-from]')].filter((leaf) => range.intersectsNode(leaf));
  const element = leaves[0]?.closest('[data-passage]');
  const source = element ? sources.get(element) : undefined;
  if (!element || source === undefined) return undefined;
  const own = leaves.filter((leaf) => leaf.closest('[data-passage]') === element);
  const edge = (leaf: Element, node: Node, offset: number, isEnd: boolean): number => {
    const from = Number(leaf.getAttribute('data-from'));
    const to = leaf.getAttribute('data-to');
    if (to !== null) return isEnd ? Number(to) : from;
    if (leaf.contains(node)) return from + lengthTo(leaf, node, offset);
    return isEnd ? from + (leaf.textContent ?? '').length : from;
  };
  const start = edge(own[0]!, range.startContainer, range.startOffset, false);
  const end = edge(own.at(-1)!, range.endContainer, range.endOffset, true);
  const text = source.slice(start, end);
  return text.trim() ? { element, path: element.getAttribute('data-passage')!, start, text } : undefined;
};
