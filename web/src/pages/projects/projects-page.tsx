import { useMutation, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { api, apiList, keyOf } from '../../api.ts';
import { paths } from '../../paths.ts';
import { useMay } from '../../resources/session/me.ts';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Input, TextArea } from '../../ui/field.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';

const NewProject = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: () => api.createProject({ name, description }),
    meta: { refreshes: [keyOf('listProjects')] },
    onSuccess: ({ id }) => navigate(paths.home(id)),
  });
  return (
    <FormDialog
      open={open}
      onClose={onClose}
      title="New project"
      description="A project holds everything about one AI system under test."
      write={create}
      action="Create project"
    >
      <Input label="Name" required value={name} onChange={setName} />
      <TextArea label="Description" rows={3} value={description} onChange={setDescription} />
    </FormDialog>
  );
};

export const ProjectsPage = () => {
  const projects = useQuery(apiList('listProjects'));
  const may = useMay();
  const [isNew, setNew] = useState(false);
  const newButton = may.write && (
    <Button look="primary" onClick={() => setNew(true)}>
      <Plus size={14} aria-hidden /> New project
    </Button>
  );
  return (
    <Page title="Projects" actions={projects.data?.length ? newButton : undefined}>
      <Loaded
        query={projects}
        lines={6}
        empty={
          <Empty title="No projects yet" action={newButton}>
            A project holds the testsets, metrics and runs of one AI system under test.
            {may.write ? ' Create the first one.' : ' Ask a member or an admin to create one.'}
          </Empty>
        }
      >
        {(list) => (
          <ul className="max-w-3xl divide-y divide-line">
            {list.map(({ id, name, description }) => (
              <li key={id}>
                <Link
                  {...paths.home(id)}
                  className="flex items-baseline gap-3 rounded-sm px-2 py-2 hover:bg-hover"
                >
                  <span className="max-w-lg truncate font-medium" title={name ?? undefined}>
                    {name || 'Untitled'}
                  </span>
                  <span className="min-w-0 flex-1 truncate text-soft">{description}</span>
                  <span className="whitespace-nowrap text-soft">project {id}</span>
                </Link>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <NewProject open={isNew} onClose={() => setNew(false)} />
    </Page>
  );
};
