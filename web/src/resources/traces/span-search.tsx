import { Search, TriangleAlert, X } from 'lucide-react';
import { useMemo, useState } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { countOf, durationText } from '../../ui/format.ts';
import { matching, type Node, type SpanTree } from './span-tree.ts';

/** The search for spans of a tree, and what it finds: null without a search. */
export const useSpanSearch = (tree: SpanTree) => {
  const [text, setText] = useState('');
  const [failedOnly, setFailedOnly] = useState(false);
  const found = useMemo(() => matching(tree, { text, failed: failedOnly }), [tree, text, failedOnly]);
  const failed = useMemo(() => tree.nodes.filter((node) => node.span.failed), [tree]);
  return { tree, text, setText, failedOnly, setFailedOnly, found, failed };
};

type SpanSearchProps = {
  search: ReturnType<typeof useSpanSearch>;
  /** Goes to the next or the previous of some spans. */
  onStep: (spans: readonly Node[], by: 1 | -1) => void;
};

export const SpanSearch = ({ search, onStep }: SpanSearchProps) => {
  const { tree, text, setText, failedOnly, setFailedOnly, found, failed } = search;
  return (
    <>
      <search className="flex h-7 min-w-40 flex-1 items-center gap-1.5 rounded-md border border-edge px-2 focus-within:outline-2 focus-within:outline-accent sm:max-w-80">
        <Search size={13} className="shrink-0 text-soft" aria-hidden />
        <input
          aria-label="Find spans"
          placeholder="Name, service, model, id"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') onStep(found ?? [], event.shiftKey ? -1 : 1);
          }}
          className="min-w-0 flex-1 bg-transparent outline-none"
        />
        {text && (
          <IconButton
            icon={X}
            size={12}
            label="Clear"
            className="-mr-1.5 size-5"
            onClick={() => setText('')}
          />
        )}
      </search>
      <Button
        aria-pressed={failedOnly}
        disabled={failed.length === 0}
        onClick={() => setFailedOnly(!failedOnly)}
        className="aria-pressed:bg-fail-wash aria-pressed:text-fail"
      >
        <TriangleAlert size={13} aria-hidden /> {failed.length.toLocaleString('en')} failed
      </Button>
      <span className="text-soft" role="status">
        {found
          ? `${found.length.toLocaleString('en')} of ${countOf(tree.nodes.length, 'span')}`
          : `${countOf(tree.nodes.length, 'span')} · ${durationText(tree.durationMs)}`}
      </span>
    </>
  );
};
