import { useNavigate } from '@tanstack/react-router';
import { useCallback } from 'react';
import { paths, type TraceTab } from '../../paths.ts';
import { ConversationView } from './conversation-view.tsx';
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
  const onChoose = useCallback(
    (next: string | undefined) =>
      void navigate({
        ...paths.record(projectId, recordId, q, { tab, ...(next && { span: next }) }),
        replace: true,
      }),
    [navigate, projectId, recordId, q, tab],
  );
  if (tab === 'conversation')
    return <ConversationView key={recordId} projectId={projectId} recordId={recordId} span={span} />;
  return (
    <TraceView
      key={`${recordId} ${tab}`}
      projectId={projectId}
      recordId={recordId}
      view={tab}
      span={span}
      onChoose={onChoose}
    />
  );
};
export default TraceTabView;
