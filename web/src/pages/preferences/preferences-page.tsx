import { getRouteApi } from '@tanstack/react-router';
import { apiList } from '../../api.ts';
import { TextLink } from '../../links.tsx';
import { ManagedTable, NameCell } from '../../managed-table.tsx';
import { paths } from '../../paths.ts';
import { useMay } from '../../resources/session/me.ts';
import { countText } from '../../ui/format.ts';
import { Time } from '../../ui/time.tsx';

const route = getRouteApi('/app/projects/$projectId/preferences');

/** The studies of a project that ask which output is better. */
export const PreferencesPage = () => {
  const { projectId } = route.useParams();
  const { read } = useMay();
  return (
    <ManagedTable
      title="Side by side"
      noun="comparison"
      list={apiList('listPreferenceStudies', projectId)}
      may={read}
      create={<TextLink {...paths.compare(projectId, [])}>Compare runs</TextLink>}
      empty={
        read
          ? 'Compare two or more runs, then choose “Start a side-by-side study”. People and a model choose between two outputs at a time, and the runs are ranked.'
          : 'Nothing waits for you here. Members of the project start comparisons, in which you choose between two outputs at a time.'
      }
      columns={[
        {
          head: 'Criterion',
          cell: ({ id, name, criterion }) => (
            <NameCell
              of={{ name: name || criterion }}
              to={read ? paths.preference(projectId, id) : paths.prefer(projectId, id)}
            />
          ),
        },
        { head: 'Runs', cell: ({ runIds }) => runIds.join(', ') },
        {
          head: 'By people',
          cell: ({ people, numPairs }) => `${countText(people.numPairs)} of ${countText(numPairs)}`,
        },
        {
          head: 'By a model',
          cell: ({ judge, numPairs }) =>
            judge ? (
              `${countText(judge.scored)} of ${countText(numPairs)}`
            ) : (
              <span className="text-soft">none</span>
            ),
        },
        { head: 'Started', cell: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
    />
  );
};
