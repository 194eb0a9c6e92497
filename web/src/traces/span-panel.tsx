import { X } from 'lucide-react';
import { Annotations } from '../records/annotations.tsx';
import { useRecordWrites } from '../records/use-record-writes.ts';
import { IconButton } from '../ui/button.tsx';
import { durationText } from '../ui/format.ts';
import { Failed, OperationIcon } from './operation.tsx';
import { PassageList, PassageScope, Passages } from './passages.tsx';
import { Part, SpanContents } from './span-contents.tsx';
import type { Node } from './span-tree.ts';

type SpanPanelProps = { projectId: string; recordId: string; node: Node; onClose: () => void };

/** A span beside the tree: what people say of it, and everything that came with it. */
export const SpanPanel = ({ projectId, recordId, node, onClose }: SpanPanelProps) => {
  const { span } = node;
  const writes = useRecordWrites();
  return (
    <aside
      aria-label={`Span ${span.name}`}
      className="flex w-[52%] shrink-0 flex-col border-t border-l max-md:fixed max-md:inset-0 max-md:z-30 max-md:w-auto max-md:bg-surface"
    >
      <header className="flex min-h-11 shrink-0 items-center gap-2 px-4 py-1">
        <OperationIcon operation={span.operation} />
        <h2 className="min-w-0 flex-1 truncate font-semibold" title={span.name}>
          {span.name || '(no name)'}
        </h2>
        {span.failed && <Failed />}
        <IconButton label="Close (Esc)" onClick={onClose}>
          <X size={14} />
        </IconButton>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard */}
      <div className="min-h-0 flex-1 overflow-auto pb-8" tabIndex={0}>
        <Passages recordId={recordId}>
          <PassageScope spanId={span.spanId}>
            <SpanContents
              projectId={projectId}
              traceId={span.traceId}
              spanId={span.spanId}
              facts={[
                ['Duration', durationText(span.durationMs)],
                ...(node.numChildren > 0 ? ([['Self', durationText(node.self)]] as [string, string][]) : []),
                ['Began', `+${durationText(node.from)}`],
              ]}
            >
              <Part title="Annotations">
                <PassageList />
                <Annotations recordId={recordId} writes={writes} on={{ spanId: span.spanId }} />
              </Part>
            </SpanContents>
          </PassageScope>
        </Passages>
      </div>
    </aside>
  );
};
