import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { apiQuery } from '../../api.ts';
import { paths, type TraceTab } from '../../paths.ts';

const tabs: { tab: TraceTab | undefined; label: string }[] = [
  { tab: undefined, label: 'Record' },
  { tab: 'conversation', label: 'Conversation' },
  { tab: 'timeline', label: 'Timeline' },
  { tab: 'spans', label: 'Spans' },
];

type RecordTabsProps = {
  projectId: string;
  recordId: string;
  q: string;
  tab: TraceTab | undefined;
  span: string | undefined;
};

/** The tabs of a record's page. A record without spans has none. */
export const RecordTabs = ({ projectId, recordId, q, tab, span }: RecordTabsProps) => {
  // A page that was opened at a tab shows the tabs at once, without asking whether there are spans.
  const [cameToTab] = useState(tab !== undefined);
  const { data: hasSpans = cameToTab } = useQuery({
    ...apiQuery('listRecordSpans', recordId, { limit: 1 }),
    select: ({ data }) => data.length > 0,
    enabled: tab === undefined,
  });
  if (!hasSpans && !tab) return null;
  return (
    <nav aria-label="Parts of the record" className="flex gap-4 overflow-x-auto">
      {tabs.map(({ tab: each, label }) => (
        <Link
          key={label}
          {...paths.record(projectId, recordId, q, {
            ...(each && { tab: each }),
            ...(each && span && { span }),
          })}
          replace
          activeOptions={{ exact: true, includeSearch: true }}
          className="flex h-8 shrink-0 items-center border-b-2 border-transparent text-soft hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink"
        >
          {label}
        </Link>
      ))}
    </nav>
  );
};
