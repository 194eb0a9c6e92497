import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { apiQuery } from '../../api.ts';
import { useMay } from '../../resources/session/me.ts';
import { Page, Section } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { AboutProject } from './about-project.tsx';
import { DeleteProject } from './delete-project.tsx';
import { MaskingForm } from './masking-form.tsx';
import { RetentionForm } from './retention-form.tsx';
import { SearchIndexForm } from './search-index-form.tsx';

const route = getRouteApi('/app/projects/$projectId/settings');

export const SettingsPage = () => {
  const { projectId } = route.useParams();
  const { data: project } = useSuspenseQuery(apiQuery('getProject', projectId));
  const may = useMay();
  const settings = useQuery(apiQuery('getProjectSettings', projectId));
  return (
    <Page title="Project settings">
      <Section title="Name and description">
        {may.write ? (
          <AboutProject key={projectId} project={project} />
        ) : (
          <p className="max-w-md text-soft">
            {project.name || 'Untitled'}. {project.description} A member can change this.
          </p>
        )}
      </Section>
      {!may.administerProject && (
        <p className="mb-3 text-soft">
          Only an admin can change the retention, the search index and the masking.
        </p>
      )}
      <Section title="Retention">
        <Loaded query={settings} lines={4}>
          {(stored) => <RetentionForm key={projectId} projectId={projectId} stored={stored} />}
        </Loaded>
      </Section>
      <Section title="Search index">
        <Loaded query={settings} lines={2}>
          {(stored) => <SearchIndexForm projectId={projectId} stored={stored} />}
        </Loaded>
      </Section>
      <Section title="Masking of personal data">
        <Loaded query={settings} lines={8}>
          {(stored) => <MaskingForm key={projectId} projectId={projectId} project={stored} />}
        </Loaded>
      </Section>
      {may.write && (
        <Section title="Delete this project">
          <DeleteProject project={project} />
        </Section>
      )}
    </Page>
  );
};
