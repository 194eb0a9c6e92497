import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, apiList, keyOf } from '../../api.ts';
import { base } from '../../base.ts';
import { paths } from '../../paths.ts';
import { lastProject } from '../../resources/projects/last-project.ts';
import type { Project } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { countOf } from '../../ui/format.ts';
import { deleteDraftsOf } from '../../ui/local-storage.ts';
import { Loaded } from '../../ui/states.tsx';
import { say } from '../../ui/toast.tsx';

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
        <ul aria-label="What will be deleted" className="list-disc pl-4">
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </Loaded>
  );
};

const Deletion = ({ project, onClose }: { project: Project; onClose: () => void }) => {
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
        deleteDraftsOf(project.id);
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

/** How to delete a project, after a copy of it. */
export const DeleteProject = ({ project }: { project: Project }) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <p className="mb-3 max-w-2xl text-soft">
        Deletes the project with its testsets, metrics, runs, records, scores and traces. To keep a copy,{' '}
        <a
          className="text-accent underline underline-offset-2"
          href={`${base}/api/v2/projects/${project.id}/archive`}
          download={`project-${project.id}.ndjson`}
        >
          download an archive
        </a>{' '}
        first; <code className="font-mono">dokima import</code> makes a project from it.
      </p>
      <Button look="danger" onClick={() => setOpen(true)}>
        Delete project…
      </Button>
      {isOpen && <Deletion project={project} onClose={() => setOpen(false)} />}
    </>
  );
};
