import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { paths } from '../../paths.ts';
import { runsQuery } from '../../resources/runs/queries.ts';
import { configText } from '../../resources/systems/prompt-draft.ts';
import { versionQuery } from '../../resources/systems/queries.ts';
import type { ListedRun } from '../../types.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/field.tsx';
import { Skeleton } from '../../ui/states.tsx';

const TextDiff = lazy(() => import('../../ui/text-diff.tsx'));

type Props = { projectId: string; run: ListedRun; onClose: () => void };

/** What the system of a run was, and what differs from that of another run. */
export const VersionDialog = ({ projectId, run, onClose }: Props) => {
  const [against, setAgainst] = useState('');
  const own = useQuery(versionQuery(run.systemVersionId ?? ''));
  const other = useQuery({ ...versionQuery(against), enabled: against !== '' });
  const { data } = useInfiniteQuery(runsQuery(projectId));
  const others = new Map(
    (data?.pages.flatMap((page) => page.data) ?? [])
      .filter(({ id, systemVersionId }) => id !== run.id && systemVersionId !== null)
      .map(({ systemVersionId, title }) => [systemVersionId!, title]),
  );
  others.delete(run.systemVersionId ?? '');
  return (
    <Dialog open wide onClose={onClose} title={`System of ${run.title}`}>
      <div className="mb-3 max-w-96">
        <Select
          label="Compare with the system of"
          value={against}
          onChange={setAgainst}
          options={[
            { value: '', label: others.size > 0 ? 'No other run' : 'No run has another version' },
            ...[...others].map(([value, label]) => ({ value, label })),
          ]}
        />
      </div>
      {!own.data && <Skeleton lines={4} />}
      {own.data && (
        <div className="rounded-md border bg-sunken p-3 font-mono text-sm break-words whitespace-pre-wrap">
          {against && other.data ? (
            <Suspense fallback={configText(own.data.config)}>
              <TextDiff before={configText(other.data.config)} after={configText(own.data.config)} />
            </Suspense>
          ) : (
            configText(own.data.config) || 'The configuration is empty.'
          )}
        </div>
      )}
      {run.systemId !== null && (
        <p className="mt-2">
          <Link {...paths.system(projectId, run.systemId)} className="underline">
            Versions and labels of this system
          </Link>
        </p>
      )}
      {against && (
        <p className="mt-2 text-sm text-soft">
          Underlined: only in this run’s version. Struck through: only in the other. Headers are shown as they
          are stored.
        </p>
      )}
    </Dialog>
  );
};
