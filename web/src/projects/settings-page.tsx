import { useMutation, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, apiList, apiQuery, issuesOf, keyOf } from '../api.ts';
import { paths } from '../paths.ts';
import { useMay } from '../session/me.ts';
import type { Project } from '../types.ts';
import { Button } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { Input, TextArea } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { countOf } from '../ui/format.ts';
import { Page, Section } from '../ui/page.tsx';
import { Loaded } from '../ui/states.tsx';
import { say } from '../ui/toast.tsx';
import { lastProject } from './last-project.ts';

const route = getRouteApi('/app/projects/$projectId/settings');

const About = ({ project }: { project: Project }) => {
  const [name, setName] = useState(project.name ?? '');
  const [description, setDescription] = useState(project.description ?? '');
  const isChanged = name !== (project.name ?? '') || description !== (project.description ?? '');
  const save = useMutation({
    mutationFn: () => api.updateProject(project.id, { name: name.trim(), description }),
    meta: { refreshes: [keyOf('listProjects'), keyOf('getProject', project.id)] },
    onSuccess: () => say('Project saved.'),
  });
  const issue = issuesOf(save.error);
  return (
    <Form write={save} action="Save changes" disabled={!isChanged || !name.trim()} className="max-w-md">
      <Input label="Name" required error={issue('/name')} value={name} onChange={setName} />
      <TextArea
        label="Description"
        rows={3}
        error={issue('/description')}
        value={description}
        onChange={setDescription}
      />
    </Form>
  );
};

/** What is in the project. A list that is longer than the browser reads is counted as "at least". */
const Contents = ({ projectId }: { projectId: string }) => {
  const runs = useQuery(apiList('listRuns', projectId));
  const testsets = useQuery(apiList('listTestsets', projectId));
  const metrics = useQuery(apiList('listMetrics', projectId));
  const isPending = runs.isPending || testsets.isPending || metrics.isPending;
  const error = runs.error ?? testsets.error ?? metrics.error;
  const numRecords = runs.data?.reduce((sum, run) => sum + run.numRecords, 0) ?? 0;
  const atLeast = (runs.data?.length ?? 0) >= 2_000 ? 'at least ' : '';
  const data =
    isPending || error
      ? undefined
      : [
          `${atLeast}${countOf(runs.data?.length ?? 0, 'run')} with ${atLeast}${countOf(numRecords, 'record')}, their scores, annotations and traces`,
          `${countOf(testsets.data?.length ?? 0, 'testset')} with all testcases`,
          `${countOf(metrics.data?.length ?? 0, 'metric')} with every version`,
          'its systems, monitors, saved searches and attachments',
        ];
  return (
    <Loaded query={{ data, error, isPending }} lines={4}>
      {(lines) => (
        <ul aria-label="What will be deleted" className="list-disc pl-5">
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </Loaded>
  );
};

const DeleteProject = ({ project, onClose }: { project: Project; onClose: () => void }) => {
  const navigate = useNavigate();
  const name = project.name || 'Untitled';
  return (
    <Confirm
      onClose={onClose}
      title={`Delete ${name}?`}
      action="Delete project"
      typed={project.name?.trim() || `project ${project.id}`}
      send={() => api.deleteProject(project.id)}
      meta={{ refreshes: [keyOf('listProjects')] }}
      onDone={() => {
        lastProject.forget();
        say(`Project ${name} deleted.`);
        return navigate(paths.projects());
      }}
    >
      <p className="mb-2">This deletes, for every member of the organization:</p>
      <Contents projectId={project.id} />
      <p className="mt-2">This can’t be undone.</p>
    </Confirm>
  );
};

/** Settings of a project: its name, and how to get rid of it. */
export const ProjectSettingsPage = () => {
  const { projectId } = route.useParams();
  const { data: project } = useSuspenseQuery(apiQuery('getProject', projectId));
  const may = useMay();
  const [isDeleting, setDeleting] = useState(false);
  return (
    <Page title="Project settings">
      <Section title="Name and description">
        {may.write ? (
          <About key={projectId} project={project} />
        ) : (
          <p className="max-w-md text-soft">
            {project.name || 'Untitled'}. {project.description} A member can change this.
          </p>
        )}
      </Section>
      {may.write && (
        <Section title="Delete this project">
          <p className="mb-3 max-w-2xl text-soft">
            Deletes the project with its testsets, metrics, runs, records, scores and traces. To keep a copy,{' '}
            <a
              className="text-accent underline underline-offset-2"
              href={`/api/v2/projects/${projectId}/archive`}
              download={`project-${projectId}.ndjson`}
            >
              download an archive
            </a>{' '}
            first. <code className="font-mono">dokima import</code> makes a project from it.
          </p>
          <Button look="danger" onClick={() => setDeleting(true)}>
            Delete project…
          </Button>
        </Section>
      )}
      {isDeleting && <DeleteProject project={project} onClose={() => setDeleting(false)} />}
    </Page>
  );
};
