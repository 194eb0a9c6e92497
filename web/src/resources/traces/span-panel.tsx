import { durationText } from '../../ui/format.ts';
import { Part } from '../../ui/part.tsx';
import { Scrolled, SidePanel } from '../../ui/side-panel.tsx';
import { Annotations } from '../records/annotations.tsx';
import { useRecordWrites } from '../records/use-record-writes.ts';
import { AddSpanToTestset } from './add-span-to-testset.tsx';
import { SpanTitle } from './operation.tsx';
import { PassageList, PassageScope, Passages } from './passages.tsx';
import { SpanContents } from './span-contents.tsx';
import { type Node, spanDurationText } from './span-tree.ts';

type SpanPanelProps = { projectId: string; recordId: string; node: Node; onClose: () => void };

/** A span beside the tree: its annotations and all of its contents. */
export const SpanPanel = ({ projectId, recordId, node, onClose }: SpanPanelProps) => {
  const { span } = node;
  const writes = useRecordWrites();
  return (
    <SidePanel
      label={`Span ${span.name}`}
      title={<SpanTitle span={span} />}
      width="w-[52%]"
      actions={
        <AddSpanToTestset projectId={projectId} traceId={span.traceId} spanId={span.spanId} what="span" />
      }
      onClose={onClose}
    >
      <Scrolled className="pb-8">
        <Passages recordId={recordId}>
          <PassageScope spanId={span.spanId}>
            <SpanContents
              projectId={projectId}
              traceId={span.traceId}
              spanId={span.spanId}
              facts={[
                ['Duration', spanDurationText(span)],
                ...(node.numChildren > 0 ? ([['Self', durationText(node.self)]] as [string, string][]) : []),
                ['Started', `+${durationText(node.from)}`],
              ]}
            >
              <Part title="Annotations">
                <PassageList />
                <Annotations recordId={recordId} writes={writes} on={{ spanId: span.spanId }} />
              </Part>
            </SpanContents>
          </PassageScope>
        </Passages>
      </Scrolled>
    </SidePanel>
  );
};
