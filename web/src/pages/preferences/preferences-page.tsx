import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { apiList } from '../../api.ts';
import { QuietLink, TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { useMay } from '../../resources/session/me.ts';
import { countText } from '../../ui/format.ts';
import { Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';

const route = getRouteApi('/app/projects/$projectId/preferences');

/** The studies of a project that ask which output is better. */
export const PreferencesPage = () => {
  const { projectId } = route.useParams();
  const may = useMay();
  const studies = useQuery(apiList('listPreferenceStudies', projectId));
  return (
    <Page title="Preferences">
      <Loaded
        query={studies}
        lines={4}
        empty={
          <Empty
            title="No comparisons yet"
            action={may.read && <TextLink {...paths.compare(projectId, [])}>Compare runs</TextLink>}
          >
            Compare two or more runs, then choose “Ask which is better”. People and a model choose between two
            outputs at a time, and the runs are ranked.
          </Empty>
        }
      >
        {(all) => (
          <Table label="Preferences" head={['Criterion', 'Runs', 'By people', 'By a model', 'Started']}>
            {all.map(({ id, name, criterion, runIds, numPairs, people, judge, createdAt }) => (
              <Row key={id}>
                <Cell className="max-w-96 truncate">
                  <QuietLink
                    {...(may.read ? paths.preference(projectId, id) : paths.prefer(projectId, id))}
                    className="font-medium"
                  >
                    <bdi title={criterion}>{name || criterion}</bdi>
                  </QuietLink>
                </Cell>
                <Cell>{runIds.join(', ')}</Cell>
                <Cell>
                  {countText(people.numPairs)} of {countText(numPairs)}
                </Cell>
                <Cell className={judge ? '' : 'text-soft'}>
                  {judge ? `${countText(judge.scored)} of ${countText(numPairs)}` : 'none'}
                </Cell>
                <Cell>
                  <Time at={createdAt} />
                </Cell>
              </Row>
            ))}
          </Table>
        )}
      </Loaded>
    </Page>
  );
};
