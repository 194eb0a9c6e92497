import { useMutation } from '@tanstack/react-query';
import { api } from '../../api.ts';
import { useFields } from '../../fields.ts';
import type { RowForm } from '../../managed-table.tsx';
import type { ApiKey } from '../../types.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { Input, optionsOf, Select } from '../../ui/field.tsx';
import { ShownOnce } from '../../ui/shown-once.tsx';

const lifetimes = [
  { value: '', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
];
const accesses: Record<ApiKey['access'], string> = {
  full: 'Full: everything you can do',
  read: 'Read only',
};
const dayMs = 86_400_000;

/** Creates a key and shows it once. */
export const KeyDialog = ({ dialog, saving }: RowForm<ApiKey>) => {
  const { values, fieldsOf } = useFields({ name: '', access: 'full' as ApiKey['access'], days: '' });
  const create = useMutation({
    mutationFn: () => {
      const { name, access, days } = values;
      const expiresAt = days && new Date(Date.now() + Number(days) * dayMs).toISOString();
      return api.createKey({ name, access, ...(expiresAt && { expiresAt }) });
    },
    meta: saving.meta,
  });
  const field = fieldsOf(create.error);
  if (create.data)
    return (
      <ShownOnce
        onClose={dialog.onClose}
        title="Key created"
        description="Copy it now: it is not shown again."
        texts={{ 'Copy the key': create.data.key }}
      />
    );
  return (
    <FormDialog {...dialog} title="New API key" write={create}>
      <Input label="Name" required maxLength={200} hint="What the key is for." {...field('name')} />
      <Select label="Access" options={optionsOf(accesses)} {...field('access')} />
      <Select label="Expires" options={lifetimes} {...field('days')} />
    </FormDialog>
  );
};
