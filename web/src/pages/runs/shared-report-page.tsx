import { useQuery } from '@tanstack/react-query';
import { Printer } from 'lucide-react';
import { useEffect, useState } from 'react';
import { apiQuery } from '../../api.ts';
import { base } from '../../base.ts';
import { Button } from '../../ui/button.tsx';
import { titleTab } from '../../ui/page.tsx';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { ReportBody } from './report-body.tsx';

const incomplete = new Error('The link is incomplete. Copy all of it, including what follows the #.');

/** Keeps search engines from listing the page. */
const useNoIndex = () =>
  useEffect(() => {
    const meta = Object.assign(document.createElement('meta'), {
      name: 'robots',
      content: 'noindex, nofollow',
    });
    document.head.append(meta);
    return () => meta.remove();
  }, []);

/** The page that a link to a report opens. The token is behind the #, which browsers do not send. */
export const SharedReportPage = () => {
  const [token] = useState(() => window.location.hash.slice(1));
  useNoIndex();
  const { data, error } = useQuery({
    ...apiQuery('getSharedReport', { token }),
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const problem = token === '' ? incomplete : error;
  const title = problem ? 'This link does not work' : (data?.name ?? 'Report');
  useEffect(() => titleTab(title), [title]);
  return (
    <main className="mx-auto h-full max-w-5xl overflow-auto px-4 py-6 print:overflow-visible">
      <div className="mb-4 flex items-center gap-2">
        <img src={`${base}/icon.svg`} alt="" width={20} height={20} />
        <h1 className="flex-1 text-focal font-semibold">{problem ? title : 'Report'}</h1>
        {data && (
          <Button className="print:hidden" onClick={() => window.print()}>
            <Printer size={14} aria-hidden /> Print or save as PDF
          </Button>
        )}
      </div>
      {problem && <ErrorNote error={problem} />}
      {!data && !problem && <Skeleton lines={10} />}
      {data && (
        <ReportBody
          projectId={undefined}
          projectName={data.projectName}
          runIds={data.runs}
          measure={data.measure}
          weights={data.shares ?? data.weightBy}
          looks={data.looks}
          data={data.comparison}
          runs={data.details}
        />
      )}
    </main>
  );
};
