import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api, apiQuery, keyOf } from '../../api.ts';
import { membersQuery, useMay, useNames } from '../../resources/session/me.ts';
import type { Member, ProjectAccess } from '../../types.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/field.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Empty, Loaded } from '../../ui/states.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { sayError } from '../../ui/toast.tsx';

const route = getRouteApi('/app/projects/$projectId/access');

type Role = Member['role'];
const roles: { value: Role; label: string }[] = [
  { value: 'viewer', label: 'Viewer' },
  { value: 'annotator', label: 'Annotator' },
  { value: 'member', label: 'Member' },
  { value: 'admin', label: 'Admin' },
];

type PartProps = { projectId: string; access: ProjectAccess };

/** Who sees the project at all. */
const Visibility = ({ projectId, access: { restricted } }: PartProps) => {
  const may = useMay();
  const change = useMutation({
    mutationFn: (isNow: boolean) => api.updateProjectSettings(projectId, { restricted: isNow }),
    meta: { refreshes: [keyOf('getProjectAccess', projectId), keyOf('getProjectSettings', projectId)] },
    onError: sayError,
  });
  return (
    <Section title="Visibility">
      <p className="mb-2 max-w-2xl">
        {restricted
          ? 'Restricted: only the people below and the admins of the organization see this project.'
          : 'Open: everyone in the organization sees this project, with their role there. A role below adds to it.'}
      </p>
      {may.administerProject && (
        <Button disabled={change.isPending} onClick={() => change.mutate(!restricted)}>
          {restricted ? 'Open the project' : 'Restrict the project'}
        </Button>
      )}
    </Section>
  );
};

const AddPerson = ({ projectId, access, onClose }: PartProps & { onClose: () => void }) => {
  const { data: members = [] } = useQuery(membersQuery);
  const known = new Set(access.members.map(({ userId }) => userId));
  const others = members.filter(({ id, active }) => active && !known.has(id));
  const [chosen, setChosen] = useState('');
  const [role, setRole] = useState<Role>('member');
  const userId = chosen || (others[0]?.id ?? '');
  const add = useMutation({
    mutationFn: () => api.upsertProjectMember(projectId, userId, { role }),
    meta: { refreshes: [keyOf('getProjectAccess', projectId)] },
    onSuccess: onClose,
  });
  return (
    <FormDialog open onClose={onClose} title="Give a role in this project" write={add} action="Give role">
      <Select
        label="Member"
        options={others.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }))}
        value={userId}
        onChange={setChosen}
      />
      <Select label="Role" options={roles} value={role} onChange={setRole} />
    </FormDialog>
  );
};

const People = ({ projectId, access }: PartProps) => {
  const may = useMay();
  const nameOf = useNames();
  const [isAdding, setAdding] = useState(false);
  const refreshes = [keyOf('getProjectAccess', projectId)];
  const setRole = useMutation({
    mutationFn: ({ userId, role }: { userId: string; role: Role }) =>
      api.upsertProjectMember(projectId, userId, { role }),
    meta: { refreshes },
    onError: sayError,
  });
  const remove = useMutation({
    mutationFn: (userId: string) => api.deleteProjectMember(projectId, userId),
    meta: { refreshes },
    onError: sayError,
  });
  const button = may.administerProject && (
    <Button look="primary" onClick={() => setAdding(true)}>
      Give a role
    </Button>
  );
  return (
    <Section title="Roles in this project" actions={access.members.length > 0 && button}>
      {access.members.length === 0 ? (
        <Empty title="No roles" action={button}>
          Here members get a role for this project alone: viewer, annotator, member or admin.
        </Empty>
      ) : (
        <Table label="Roles in this project" head={['Member', 'Role', '']}>
          {access.members.map(({ userId, role }) => (
            <Row key={userId}>
              <Cell className="font-medium">{nameOf(userId)}</Cell>
              <Cell className="min-w-32">
                {may.administerProject ? (
                  <Select
                    label={`Role of ${nameOf(userId)}`}
                    hideLabel
                    options={roles}
                    value={role}
                    onChange={(value) => setRole.mutate({ userId, role: value })}
                  />
                ) : (
                  role
                )}
              </Cell>
              <Cell className="text-right">
                {may.administerProject && (
                  <IconButton
                    icon={Trash2}
                    label={`Take the role of ${nameOf(userId)}`}
                    onClick={() => remove.mutate(userId)}
                  />
                )}
              </Cell>
            </Row>
          ))}
        </Table>
      )}
      {isAdding && <AddPerson projectId={projectId} access={access} onClose={() => setAdding(false)} />}
    </Section>
  );
};

/** Who may do what in a project. */
export const AccessPage = () => {
  const { projectId } = route.useParams();
  const access = useQuery({ ...apiQuery('getProjectAccess', projectId), staleTime: 60_000 });
  return (
    <Page title="Access">
      <Loaded query={access} lines={5}>
        {(found) => (
          <>
            <Visibility projectId={projectId} access={found} />
            <People projectId={projectId} access={found} />
          </>
        )}
      </Loaded>
    </Page>
  );
};
