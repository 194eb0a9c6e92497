import { type MutationMeta, useMutation } from '@tanstack/react-query';
import type { Member } from '../../types.ts';
import { Select } from '../../ui/field.tsx';
import { sayError } from '../../ui/toast.tsx';

export type Role = Member['role'];

export const roles: { value: Role; label: string }[] = [
  { value: 'viewer', label: 'Viewer' },
  { value: 'annotator', label: 'Annotator' },
  { value: 'member', label: 'Member' },
  { value: 'admin', label: 'Admin' },
];

type RoleSelectProps = {
  person: { name: string; role: Role };
  /** The reader may change the role. */
  may: boolean;
  send: (role: Role) => Promise<unknown>;
  meta: MutationMeta;
};

/** The role of a person in a table, to be changed on the spot. */
export const RoleSelect = ({ person: { name, role }, may, send, meta }: RoleSelectProps) => {
  const change = useMutation({ mutationFn: send, meta, onError: sayError });
  if (!may) return role;
  return (
    // Taller than the lines of text beside it.
    <div className="-my-1">
      <Select label={`Role of ${name}`} hideLabel options={roles} value={role} onChange={change.mutate} />
    </div>
  );
};
