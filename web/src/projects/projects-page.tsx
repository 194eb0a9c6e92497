import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { api } from '../api.ts';
import { paths } from '../paths.ts';
import { useMay } from '../session/who.ts';
import type { Project } from '../types.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Input, TextArea } from '../ui/field.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, ErrorNote, Skeleton } from '../ui/states.tsx';
import { projectsQuery } from './queries.ts';

const NewProject = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const navigate = useNavigate();
  const queries = useQueryClient();
  const create = useMutation({
    mutationFn: () => api.post<Project>('/projects', { name, description }),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: projectsQuery.queryKey });
      await navigate(paths.home(id));
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="New project"
      description="A project holds everything about one AI system under test."
    >
      <form onSubmit={submit} className="flex flex-col gap-3">
        <Input label="Name" required value={name} onChange={(event) => setName(event.target.value)} />
        <TextArea
          label="Description"
          rows={3}
          value={description}
          onChange={(event) => setDescription(event.target.value)}
        />
        {create.error && <ErrorNote error={create.error} />}
        <Button type="submit" look="primary" disabled={create.isPending} className="self-end">
          Make the project
        </Button>
      </form>
    </Dialog>
  );
};

export const ProjectsPage = () => {
  const projects = useQuery(projectsQuery);
  const may = useMay();
  const [isNew, setNew] = useState(false);
  const newButton = may.write && (
    <Button look="primary" onClick={() => setNew(true)}>
      <Plus size={14} aria-hidden /> New project
    </Button>
  );
  return (
    <Page title="Projects" actions={projects.data?.length ? newButton : undefined}>
      {projects.error && <ErrorNote error={projects.error} />}
      {projects.isPending && <Skeleton lines={6} className="max-w-3xl" />}
      {projects.data?.length === 0 && (
        <Empty title="No project yet" action={newButton}>
          A project holds the testsets, metrics and runs of one AI system under test.
          {may.write ? ' Make the first one.' : ' A member with the role member or admin can make one.'}
        </Empty>
      )}
      <ul className="max-w-3xl divide-y divide-line">
        {projects.data?.map(({ id, name, description }) => (
          <li key={id}>
            <Link
              {...paths.home(id)}
              className="flex items-baseline gap-3 rounded-sm px-2 py-2 hover:bg-hover"
            >
              <span className="font-medium">{name || 'Untitled'}</span>
              <span className="min-w-0 flex-1 truncate text-soft">{description}</span>
              <span className="text-soft">project {id}</span>
            </Link>
          </li>
        ))}
      </ul>
      <NewProject open={isNew} onClose={() => setNew(false)} />
    </Page>
  );
};
