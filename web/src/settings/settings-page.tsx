import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { apiQuery } from '../api.ts';
import { useMay } from '../session/me.ts';
import { Page, Section } from '../ui/page.tsx';
import { Loaded } from '../ui/states.tsx';
import { MaskingForm } from './masking-form.tsx';
import { RetentionForm } from './retention-form.tsx';

const route = getRouteApi('/app/projects/$projectId/settings');

export const SettingsPage = () => {
  const { projectId } = route.useParams();
  const may = useMay();
  const retention = useQuery(apiQuery('getRetention', projectId));
  const masking = useQuery(apiQuery('getMasking', projectId));
  return (
    <Page title="Project settings">
      {!may.administer && <p className="mb-3 text-soft">Only an admin may change these settings.</p>}
      <Section title="Retention">
        <Loaded query={retention} lines={4}>
          {(stored) => <RetentionForm key={projectId} projectId={projectId} stored={stored} />}
        </Loaded>
      </Section>
      <Section title="Masking of personal data">
        <Loaded query={masking} lines={8}>
          {(stored) => <MaskingForm key={projectId} projectId={projectId} stored={stored} />}
        </Loaded>
      </Section>
    </Page>
  );
};
