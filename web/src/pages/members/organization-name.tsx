import { useMutation } from '@tanstack/react-query';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { api, issuesOf, keyOf } from '../../api.ts';
import { useMay, useMe } from '../../resources/session/me.ts';
import { IconButton } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Input } from '../../ui/field.tsx';

const Rename = ({ onClose }: { onClose: () => void }) => {
  const [name, setName] = useState(useMe().organization.name);
  const rename = useMutation({
    mutationFn: () => api.updateMyOrganization({ name: name.trim() }),
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
      action="Rename"
      disabled={!name.trim()}
    >
      <Input label="Name" required error={issuesOf(rename.error)('/name')} value={name} onChange={setName} />
    </FormDialog>
  );
};

/** The name of the organization, which an admin can change. */
export const OrganizationName = () => {
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
