import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { paths, type TraceTab } from '../../paths.ts';
import { useMay } from '../session/me.ts';
import { ConversationView } from './conversation-view.tsx';
import { keyOf } from './span-tree.ts';
import { TraceView } from './trace-view.tsx';

type TraceTabProps = {
  projectId: string;
  recordId: string;
  q: string;
  tab: TraceTab;
  span: string | undefined;
};

/** The content of the tabs of a record with spans. The URL holds the selected span. Loaded on demand. */
const TraceTabView = ({ projectId, recordId, q, tab, span }: TraceTabProps) => {
  const navigate = useNavigate();
  // People who only review see the tree. What a span holds may be a verdict that they must not see.
  const { read } = useMay();
  const onChoose = useCallback(
    (next: string | undefined) =>
      void (
        read &&
        navigate({
          ...paths.record(projectId, recordId, q, { tab, ...(next && { span: next }) }),
          replace: true,
        })
      ),
    [navigate, projectId, recordId, q, tab, read],
  );
  const source = { projectId, recordId };
  if (tab === 'conversation')
    return (
      <ConversationView
        key={recordId}
        source={source}
        span={span}
        spanLink={(of) => paths.record(projectId, recordId, undefined, { tab: 'spans', span: keyOf(of) })}
      />
    );
  return (
    <TraceView
      key={`${recordId} ${tab}`}
      source={source}
      view={tab}
      span={read ? span : undefined}
      onChoose={onChoose}
    />
  );
};
export default TraceTabView;
