import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { paths } from '../../paths.ts';
import { useMay } from '../../resources/session/me.ts';
import { kindOf } from '../../resources/systems/prompt-draft.ts';
import { systemsQuery } from '../../resources/systems/queries.ts';
import { buttonClass } from '../../ui/button.tsx';
import { countOf } from '../../ui/format.ts';
import { Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';

const route = getRouteApi('/app/projects/$projectId/systems');

/** The systems of a project: prompts, endpoints, and what clients call. */
export const SystemsPage = () => {
  const { projectId } = route.useParams();
  const systems = useQuery(systemsQuery(projectId));
  const { write } = useMay();
  const navigate = useNavigate();
  const newPrompt = write && (
    <Link {...paths.playground(projectId)} className={buttonClass('primary')}>
      <Plus size={14} aria-hidden /> New prompt
    </Link>
  );
  return (
    <Page title="Prompts and systems" actions={newPrompt}>
      <Loaded
        query={systems}
        lines={4}
        empty={
          <Empty title="No prompts yet" action={newPrompt}>
            A prompt is written in the playground, saved as a version, run on a testset, and fetched by your
            code by its label. Endpoints and other systems that you evaluate are listed here too.
          </Empty>
        }
      >
        {(list) => (
          <Table label="Prompts and systems" head={['Name', 'What it is', 'Production', 'Versions']}>
            {list.map(({ id, name, description, productionVersion, versions }) => (
              <Row key={id} onOpen={() => void navigate(paths.system(projectId, id))}>
                <Cell className="max-w-80">
                  <Link
                    {...paths.system(projectId, id)}
                    className="block truncate font-medium hover:underline"
                    onClick={(event) => event.stopPropagation()}
                  >
                    <bdi>{name || 'Without a name'}</bdi>
                  </Link>
                  {description && <span className="block truncate text-sm text-soft">{description}</span>}
                </Cell>
                <Cell className="max-w-64 truncate">{kindOf(productionVersion.config)}</Cell>
                <Cell className="max-w-48 truncate">
                  <bdi>{productionVersion.name || productionVersion.id.slice(-8)}</bdi>
                </Cell>
                <Cell className="whitespace-nowrap text-soft">{countOf(versions.length, 'version')}</Cell>
              </Row>
            ))}
          </Table>
        )}
      </Loaded>
    </Page>
  );
};
