import type { ReactNode } from 'react';
import { durationText } from '../../ui/format.ts';
import { Part } from '../../ui/part.tsx';
import { Scrolled, SidePanel } from '../../ui/side-panel.tsx';
import { Annotations } from '../records/annotations.tsx';
import { useRecordWrites } from '../records/use-record-writes.ts';
import { AddSpanToTestset } from './add-span-to-testset.tsx';
import { SpanTitle } from './operation.tsx';
import { PassageList, PassageScope, Passages } from './passages.tsx';
import type { SpanSource } from './source.ts';
import { SpanContents } from './span-contents.tsx';
import { SpanScorePart } from './span-scores.tsx';
import { type Node, spanDurationText } from './span-tree.ts';

type SpanPanelProps = {
  source: SpanSource;
  node: Node;
  width?: string;
  onClose: () => void;
};

/** A span beside the tree: its annotations and all of its contents. */
export const SpanPanel = ({ source, node, width = 'w-[52%]', onClose }: SpanPanelProps) => {
  // Without a record there is nothing to annotate.
  const { projectId, recordId } = source;
  const { span } = node;
  const writes = useRecordWrites();
  const contents = (children?: ReactNode) => (
    <SpanContents
      projectId={projectId}
      traceId={span.traceId}
      spanId={span.spanId}
      facts={[
        ['Duration', spanDurationText(span)],
        ...(node.numChildren > 0 ? ([['Self', durationText(node.self)]] as [string, string][]) : []),
        ['After the first', durationText(node.from)],
      ]}
    >
      {children}
    </SpanContents>
  );
  return (
    <SidePanel
      label={`Span ${span.name}`}
      title={<SpanTitle span={span} />}
      width={width}
      actions={
        <AddSpanToTestset projectId={projectId} traceId={span.traceId} spanId={span.spanId} what="span" />
      }
      onClose={onClose}
    >
      <Scrolled className="pb-8">
        {recordId === null ? (
          contents()
        ) : (
          <Passages recordId={recordId}>
            <PassageScope of={span}>
              {contents(
                <>
                  <SpanScorePart recordId={recordId} traceId={span.traceId} spanId={span.spanId} />
                  <Part title="Annotations">
                    <PassageList />
                    <Annotations
                      recordId={recordId}
                      writes={writes}
                      on={{ spanId: span.spanId, traceId: span.traceId }}
                    />
                  </Part>
                </>,
              )}
            </PassageScope>
          </Passages>
        )}
      </Scrolled>
    </SidePanel>
  );
};
