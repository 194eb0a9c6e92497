import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { api, keyOf } from '../../api.ts';
import { paths } from '../../paths.ts';
import type { Project } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { sayError } from '../../ui/toast.tsx';

/** Whether a project is the one of the first start, by its name. Renamed, it is a project like others. */
export const isDemo = ({ name }: Project): boolean => (name ?? '').startsWith('Demo: ');

/** Leads from the demo to the reader's own data: creates a project, and opens the way to its first result. */
export const OwnProject = () => {
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: () => api.createProject({ name: 'My project', description: '' }),
    meta: { refreshes: [keyOf('listProjects')] },
    onSuccess: ({ id }) => navigate(paths.first(id)),
    onError: sayError,
  });
  return (
    <Button
      look="primary"
      disabled={create.isPending}
      onClick={() => create.mutate()}
      title="Creates a project for your own data"
    >
      Evaluate my own
    </Button>
  );
};
