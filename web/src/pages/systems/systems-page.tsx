import { getRouteApi, Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { ManagedTable, NameCell } from '../../managed-table.tsx';
import { paths } from '../../paths.ts';
import { LastResult } from '../../resources/runs/last-result.tsx';
import { useLatestResults } from '../../resources/runs/latest-results.ts';
import { ResultTrend, UsedBy } from '../../resources/runs/result-trend.tsx';
import { useMay } from '../../resources/session/me.ts';
import { useOwners } from '../../resources/session/owners.ts';
import { kindOf } from '../../resources/systems/prompt-draft.ts';
import { systemsQuery } from '../../resources/systems/queries.ts';
import type { System } from '../../types.ts';
import { buttonClass } from '../../ui/button.tsx';
import { countOf } from '../../ui/format.ts';

const route = getRouteApi('/app/projects/$projectId/systems');

/** The systems of a project: prompts, endpoints, and what clients call. */
export const SystemsPage = () => {
  const { projectId } = route.useParams();
  const results = useLatestResults(projectId);
  const resultsOf = ({ versions }: System) =>
    results?.filter(({ systemVersionId }) => versions.some(({ id }) => id === systemVersionId));
  return (
    <ManagedTable
      title="Prompts and systems"
      noun="prompt"
      list={systemsQuery(projectId)}
      may={useMay().write}
      create={
        <Link {...paths.playground(projectId)} className={buttonClass('primary')}>
          <Plus size={14} aria-hidden /> New prompt
        </Link>
      }
      empty="A prompt is written in the playground, saved as a version, run on a testset, and fetched by your code by its label. Endpoints and other systems that you evaluate are listed here too."
      page={({ id }) => paths.system(projectId, id)}
      owners={useOwners(projectId, 'systems')}
      columns={[
        {
          head: 'Name',
          cell: (system) => (
            <NameCell of={system} to={paths.system(projectId, system.id)}>
              {system.description}
            </NameCell>
          ),
        },
        {
          head: 'What it is',
          className: 'max-w-64 truncate',
          cell: ({ productionVersion }) => kindOf(productionVersion.config),
        },
        {
          head: 'Production',
          className: 'max-w-48 truncate',
          cell: ({ productionVersion: { id, name } }) => <bdi>{name || id.slice(-8)}</bdi>,
        },
        {
          head: 'Last result',
          cell: (system) => <LastResult projectId={projectId} results={resultsOf(system)} />,
        },
        { head: 'Trend', cell: (system) => <ResultTrend results={resultsOf(system)} /> },
        { head: 'Used by', cell: (system) => <UsedBy results={resultsOf(system)} /> },
        {
          head: 'Versions',
          className: 'whitespace-nowrap text-soft',
          cell: ({ versions }) => countOf(versions.length, 'version'),
        },
      ]}
    />
  );
};
