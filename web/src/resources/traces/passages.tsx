import { Popover } from '@base-ui/react/popover';
import { useQuery } from '@tanstack/react-query';
import { MessageSquarePlus } from 'lucide-react';
import {
  createContext,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { apiData } from '../../api.ts';
import type { Annotation, Passage } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { useKeys } from '../../ui/keys.ts';
import { type Mark, MarksContext, selectedText } from '../../ui/marked-text.tsx';
import { Annotations } from '../records/annotations.tsx';
import { type AnnotationTarget, spanKey, spanOfKey, targetKey } from '../records/target.ts';
import { useRecordWrites } from '../records/use-record-writes.ts';
import { useMay } from '../session/me.ts';

/** The fields of a passage that the API accepts. */
const longestPassage = 10_000;

type OnPassage = AnnotationTarget & { passage: Passage };
type Threads = {
  annotations: readonly Annotation[];
  open: OnPassage | undefined;
  onOpen: (target: OnPassage) => void;
};
const ThreadsContext = createContext<Threads>({ annotations: [], open: undefined, onOpen: () => {} });
const ScopeContext = createContext<string | null>(null);

const hasPassage = <T extends AnnotationTarget>(on: T): on is T & { passage: Passage } =>
  on.passage !== undefined;

/** Returns the position of a passage in a text: its old position, or else the nearest one with the same words. */
export const locate = (text: string, { start, text: quote }: Passage): number | undefined => {
  if (text.startsWith(quote, start)) return start;
  const places = [text.lastIndexOf(quote, start), text.indexOf(quote, start)].filter((at) => at >= 0);
  return places.sort((a, b) => Math.abs(a - start) - Math.abs(b - start))[0];
};

type SpanOrRecord = { traceId: string; spanId: string } | null;

/** Marks the passages of the texts below that belong to a span (null: to the record itself) and have been annotated. */
export const PassageScope = ({ of, children }: { of: SpanOrRecord; children: ReactNode }) => {
  const scope = of && spanKey(of);
  const { annotations, open, onOpen } = useContext(ThreadsContext);
  const marks = useMemo(() => {
    const on = [...annotations, ...(open ? [open] : [])]
      .filter(hasPassage)
      .filter((each) => spanKey(each) === scope);
    const byPath = Map.groupBy(on, ({ passage }) => passage.path);
    const byId = new Map(on.map((each) => [targetKey(each), each]));
    return {
      marksOf: (path: string, text: string): Mark[] => {
        const threads = Map.groupBy(byPath.get(path) ?? [], targetKey);
        return [...threads].flatMap(([id, said]) => {
          const { passage } = said[0]!;
          const start = locate(text, passage);
          const count = said.filter((each) => each !== open).length;
          return start === undefined ? [] : [{ id, start, end: start + passage.text.length, count }];
        });
      },
      onOpen: (id: string) => {
        const { passage } = byId.get(id) ?? {};
        if (passage) onOpen({ ...spanOfKey(scope), passage });
      },
    };
  }, [annotations, open, onOpen, scope]);
  return (
    <ScopeContext value={scope}>
      <MarksContext value={marks}>
        <div data-scope={scope ?? ''} className="contents">
          {children}
        </div>
      </MarksContext>
    </ScopeContext>
  );
};

type Selected = { target: OnPassage; left: number; top: number };

/** The selection below an element, and a position for its button. */
const readSelection = (root: Element | null): Selected | undefined => {
  const selection = document.getSelection();
  if (!root || !selection || selection.isCollapsed || selection.rangeCount === 0) return undefined;
  const range = selection.getRangeAt(0);
  const found = selectedText(root, range);
  if (!found) return undefined;
  const { element, path, start, text } = found;
  const scope = element.closest('[data-scope]')?.getAttribute('data-scope') || null;
  const { right, bottom } = [...range.getClientRects()].at(-1) ?? range.getBoundingClientRect();
  return {
    target: { ...spanOfKey(scope), passage: { path, start, text } },
    left: Math.max(8, Math.min(right, window.innerWidth - 180)),
    top: Math.min(bottom + 4, window.innerHeight - 40),
  };
};

const useSelected = (root: RefObject<Element | null>, enabled: boolean) => {
  const [selected, setSelected] = useState<Selected>();
  useEffect(() => {
    if (!enabled) return;
    let frame = 0;
    const read = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => setSelected(readSelection(root.current)));
    };
    document.addEventListener('selectionchange', read);
    // A part of the page scrolls, and its scroll event does not bubble.
    document.addEventListener('scroll', read, { capture: true, passive: true });
    return () => {
      cancelAnimationFrame(frame);
      document.removeEventListener('selectionchange', read);
      document.removeEventListener('scroll', read, { capture: true });
    };
  }, [root, enabled]);
  return [selected, () => setSelected(undefined)] as const;
};

/**
 * Texts below can be annotated where they are selected, and show the annotations of their passages. Texts of a span stand in a
 * PassageScope of their own.
 */
export const Passages = ({ recordId, children }: { recordId: string; children: ReactNode }) => {
  const { data: annotations = none } = useQuery(apiData('listAnnotations', recordId));
  const may = useMay();
  const root = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<OnPassage>();
  const [selected, clear] = useSelected(root, may.write);
  const threads = useMemo(() => ({ annotations, open, onOpen: setOpen }), [annotations, open]);
  const isTooLong = selected !== undefined && selected.target.passage.text.length > longestPassage;
  const start = () => {
    if (!selected || isTooLong) return false;
    setOpen(selected.target);
    document.getSelection()?.removeAllRanges();
    clear();
    return true;
  };
  useKeys('A trace', { c: ['Comment on the selected passage', start] }, selected !== undefined);
  return (
    <ThreadsContext value={threads}>
      <div ref={root} className="contents">
        <PassageScope of={null}>{children}</PassageScope>
      </div>
      {selected && !open && (
        <div className="fixed z-40" style={{ left: selected.left, top: selected.top }}>
          <Button
            className="shadow-lg"
            disabled={isTooLong}
            // A press would clear the selection before it is read.
            onPointerDown={(event) => event.preventDefault()}
            onClick={start}
          >
            <MessageSquarePlus size={14} aria-hidden />
            {isTooLong ? `Longer than ${longestPassage.toLocaleString('en')} characters` : 'Comment (c)'}
          </Button>
        </div>
      )}
      {open && <Thread root={root} recordId={recordId} target={open} onClose={() => setOpen(undefined)} />}
    </ThreadsContext>
  );
};

const none: Annotation[] = [];

type ThreadProps = {
  root: RefObject<HTMLElement | null>;
  recordId: string;
  target: OnPassage;
  onClose: () => void;
};

/** The annotations of a passage, beside it. */
const Thread = ({ root, recordId, target, onClose }: ThreadProps) => {
  const writes = useRecordWrites();
  const popup = useRef<HTMLDivElement>(null);
  const key = targetKey(target);
  const anchor = () =>
    [...(root.current?.querySelectorAll('[data-mark]') ?? [])].findLast(
      (mark) => mark.getAttribute('data-mark') === key,
    ) ??
    root.current?.querySelector(`[data-thread="${CSS.escape(key)}"]`) ??
    null;
  return (
    <Popover.Root open onOpenChange={(open) => !open && onClose()}>
      <Popover.Portal>
        <Popover.Positioner
          anchor={anchor}
          sideOffset={6}
          align="start"
          collisionPadding={8}
          className="z-40"
        >
          <Popover.Popup
            ref={popup}
            initialFocus={() => popup.current?.querySelector('textarea') ?? true}
            className="flex max-h-[60vh] w-90 max-w-[calc(100vw-16px)] flex-col gap-2 overflow-auto rounded-lg border bg-surface p-3 shadow-xl outline-none"
          >
            <Popover.Title className="sr-only">Passage</Popover.Title>
            <blockquote
              className="line-clamp-3 shrink-0 border-l-2 border-warn pl-2 break-words text-soft"
              dir="auto"
            >
              {target.passage.text}
            </blockquote>
            <Annotations key={key} recordId={recordId} writes={writes} on={target} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
};

/** The annotated passages of a span, also those whose text has changed since. */
export const PassageList = () => {
  const { annotations, onOpen } = useContext(ThreadsContext);
  const scope = useContext(ScopeContext);
  const on = annotations.filter(hasPassage).filter((each) => spanKey(each) === scope);
  const threads = [...Map.groupBy(on, targetKey)];
  if (threads.length === 0) return null;
  return (
    <ul className="flex flex-col gap-1" aria-label="Annotated passages">
      {threads.map(([key, said]) => (
        <li key={key}>
          <button
            type="button"
            data-thread={key}
            onClick={() => onOpen({ ...spanOfKey(scope), passage: said[0]!.passage })}
            className="w-full rounded-md border-l-2 border-warn px-2 py-0.5 text-left hover:bg-hover"
          >
            <span className="line-clamp-2 break-words" dir="auto">
              {said[0]!.passage.text}
            </span>
            <span className="text-sm text-soft">
              {said.length} said · <span className="font-mono text-sm">{said[0]!.passage.path}</span>
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
};
