import { useMutation } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { api, keyOf } from '../../api.ts';
import { requireAsRead } from '../../as-read.ts';
import { useFields } from '../../fields.ts';
import { useMay, useMe } from '../../resources/session/me.ts';
import type { Me } from '../../types.ts';
import { IconButton } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Input } from '../../ui/field.tsx';
import { sayError } from '../../ui/toast.tsx';

type Organization = Me['organization'];

/** Changes the organization, if what is changed is still as the page shows it. */
const change = async (read: Organization, changes: Partial<Pick<Organization, 'name' | 'reportLinks'>>) => {
  const { organization } = await api.getMe();
  requireAsRead(organization, read, Object.keys(changes) as (keyof typeof changes)[]);
  return api.updateMyOrganization(changes);
};

const Rename = ({ onClose }: { onClose: () => void }) => {
  const { organization } = useMe();
  const { values, fieldsOf, outdated } = useFields({ name: organization.name });
  const name = values.name.trim();
  const rename = useMutation({
    mutationFn: () => change(organization, { name }),
    meta: { refreshes: [keyOf('getMe')] },
    onSuccess: onClose,
  });
  return (
    <FormDialog
      open
      onClose={onClose}
      title="Rename the organization"
      description="Every member sees the new name. Keys, links and addresses stay as they are."
      write={rename}
      outdated={outdated}
      action="Rename"
      disabled={!name}
    >
      <Input label="Name" required {...fieldsOf(rename.error)('name')} />
    </FormDialog>
  );
};

/** Whether reports can be shared by links, which an admin decides. */
const ReportLinks = () => {
  const { organization } = useMe();
  const may = useMay();
  const set = useMutation({
    mutationFn: (reportLinks: boolean) => change(organization, { reportLinks }),
    meta: { refreshes: [keyOf('getMe')] },
    onError: sayError,
  });
  const isOn = set.isPending ? set.variables : organization.reportLinks;
  if (!may.administer) return null;
  return (
    <label className="mb-3 flex items-baseline gap-2">
      <input
        type="checkbox"
        checked={isOn}
        disabled={set.isPending}
        onChange={({ target }) => set.mutate(target.checked)}
      />
      <span>
        Links to reports
        <span className="block text-sm text-soft">
          Members may make links that show one report to people without an account. Without the mark, links
          that exist show nothing.
        </span>
      </span>
    </label>
  );
};

/** The name of the organization, which an admin can change, and whether reports can be shared. */
export const OrganizationHead = () => (
  <>
    <OrganizationName />
    <ReportLinks />
  </>
);

/** The name of the organization, which an admin can change. */
const OrganizationName = () => {
  const { organization } = useMe();
  const may = useMay();
  const [isRenaming, setRenaming] = useState(false);
  return (
    <p className="mb-3 flex items-center gap-1.5">
      <span className="text-soft">Organization</span>
      <bdi className="font-medium">{organization.name}</bdi>
      {may.administer && (
        <IconButton icon={Pencil} label="Rename the organization" onClick={() => setRenaming(true)} />
      )}
      {isRenaming && <Rename onClose={() => setRenaming(false)} />}
    </p>
  );
};
