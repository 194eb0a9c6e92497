import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { etagOf } from '../../../../client/src/etags.ts';
import { api, keyOf } from '../../api.ts';
import { requireAsRead } from '../../as-read.ts';
import { useFields } from '../../fields.ts';
import { ManagedTable, NameCell, type RowForm } from '../../managed-table.tsx';
import { accessQuery, membersQuery, useMay, useNames } from '../../resources/session/me.ts';
import { type Role, RoleSelect, roles } from '../../resources/session/role-select.tsx';
import type { ProjectAccess } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/field.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Loaded } from '../../ui/states.tsx';
import { sayError } from '../../ui/toast.tsx';

const route = getRouteApi('/app/projects/$projectId/access');

type PartProps = { projectId: string; access: ProjectAccess };

/** Gives a member a role in the project, if they still have the one that the page shows. */
const giveRole = async (projectId: string, userId: string, known: Role | undefined, role: Role) => {
  const { members } = await api.getProjectAccess(projectId);
  const now = members.find((member) => member.userId === userId)?.role;
  requireAsRead({ role: now }, { role: known }, ['role']);
  return api.upsertProjectMember(projectId, userId, { role });
};

/** Who sees the project at all. */
const Visibility = ({ projectId, access: { restricted } }: PartProps) => {
  const may = useMay();
  const change = useMutation({
    mutationFn: async (isNow: boolean) => {
      const now = requireAsRead(await api.getProjectSettings(projectId), { restricted }, ['restricted']);
      return api.updateProjectSettings(projectId, { restricted: isNow }, { ifMatch: etagOf(now) });
    },
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

const RoleDialog = ({ projectId, access, dialog, saving }: PartProps & RowForm<Person>) => {
  const { data: members = [] } = useQuery(membersQuery);
  const known = new Set(access.members.map(({ userId }) => userId));
  const others = members.filter(({ id, active }) => active && !known.has(id));
  const { values, fieldsOf } = useFields({ userId: '', role: 'member' as Role });
  const userId = values.userId || (others[0]?.id ?? '');
  const add = useMutation({
    mutationFn: () => giveRole(projectId, userId, undefined, values.role),
    ...saving,
  });
  const field = fieldsOf(add.error);
  return (
    <FormDialog {...dialog} title="Give a role in this project" write={add} action="Give role">
      <Select
        label="Member"
        options={others.map(({ id, name, email }) => ({ value: id, label: `${name} (${email})` }))}
        {...field('userId')}
        value={userId}
      />
      <Select label="Role" options={roles} {...field('role')} />
    </FormDialog>
  );
};

type Person = { id: string; name: string; role: Role };

const People = ({ projectId, access }: PartProps) => {
  const nameOf = useNames();
  const { administerProject } = useMay();
  const list = accessQuery(projectId);
  const peopleOf = ({ members }: ProjectAccess): Person[] =>
    members.map(({ userId, role }) => ({ id: userId, name: nameOf(userId), role }));
  return (
    <ManagedTable
      as="section"
      title="Roles in this project"
      noun="role"
      createLabel="Give a role"
      list={{ ...list, select: peopleOf }}
      may={administerProject}
      empty="Here members get a role for this project alone: viewer, annotator, member or admin."
      columns={[
        { head: 'Member', cell: (person) => <NameCell of={person} /> },
        {
          head: 'Role',
          className: 'min-w-32',
          cell: (person) => (
            <RoleSelect
              person={person}
              may={administerProject}
              send={(role) => giveRole(projectId, person.id, person.role, role)}
              meta={{ refreshes: [list.queryKey] }}
            />
          ),
        },
      ]}
      fixed
      form={(form) => <RoleDialog {...{ projectId, access }} {...form} />}
      remove={{
        verb: 'Remove',
        send: (userId) => api.deleteProjectMember(projectId, userId),
        warning: 'They keep their role in the organization.',
      }}
    />
  );
};

/** Who may do what in a project. */
export const AccessPage = () => {
  const { projectId } = route.useParams();
  const access = useQuery(accessQuery(projectId));
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
