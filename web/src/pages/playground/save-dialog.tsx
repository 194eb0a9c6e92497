import { useMutation } from '@tanstack/react-query';
import { upsertVersion } from '../../../../client/src/versions.ts';
import { api, keyOf } from '../../api.ts';
import { useFields } from '../../fields.ts';
import { systemQueries } from '../../resources/systems/queries.ts';
import type { System } from '../../types.ts';
import { FormDialog } from '../../ui/dialog.tsx';
import { Input, Select } from '../../ui/field.tsx';
import { unsavedConfigOf, type Variant, variantOf } from './variant.ts';

type SaveDialogProps = {
  projectId: string;
  variant: Variant;
  /** The prompt that another variant was saved as: this one is most likely a version of the same. */
  otherSystemId: string | undefined;
  systems: readonly System[];
  onSaved: (variant: Variant) => void;
  onClose: () => void;
};

/** Saves the draft of a variant as a version. Labels stay where they are. */
export const SaveDialog = ({
  projectId,
  variant,
  otherSystemId = '',
  systems,
  onSaved,
  onClose,
}: SaveDialogProps) => {
  const { values, fieldsOf } = useFields({
    systemId: variant.systemId ?? otherSystemId,
    systemName: '',
    name: '',
    note: '',
  });
  const { systemId, systemName, name, note } = values;
  const save = useMutation({
    mutationFn: async () => {
      const config = unsavedConfigOf(variant);
      const known = systems.find(({ id }) => id === systemId);
      // The list may be old: another tab may have made a prompt of this name.
      const system = known ?? {
        id: (await upsertVersion(api, projectId, systemName.trim(), config)).systemId,
        name: systemName.trim(),
      };
      const told = { ...(name.trim() && { name: name.trim() }), ...(note.trim() && { note: note.trim() }) };
      const version = await api.upsertSystemVersion(system.id, { config, ...told });
      return { ...version, systemName: system.name };
    },
    meta: { refreshes: [...systemQueries(projectId, systemId), keyOf('listSystemVersions')] },
    onSuccess: (version) => {
      onSaved(variantOf(variant.key, version, variant.draft));
      onClose();
    },
  });
  const field = fieldsOf(save.error);
  const isTaken = systemId === '' && systems.some((each) => each.name === systemName.trim());
  return (
    <FormDialog
      open
      onClose={onClose}
      title="Save version"
      description="A version never changes. Labels stay where they are until you promote it."
      write={save}
      action="Save version"
      disabled={isTaken}
    >
      <Select
        label="Prompt"
        options={[
          { value: '', label: 'A new prompt' },
          ...systems.map(({ id, name: label }) => ({ value: id, label: label || 'Without a name' })),
        ]}
        {...field('systemId')}
      />
      {systemId === '' && (
        <Input
          label="Name of the prompt"
          required
          maxLength={256}
          placeholder="support-answer"
          hint="Your code fetches the prompt by this name."
          {...field('systemName')}
          error={isTaken ? 'A prompt of this name exists: choose it above.' : field('name').error}
        />
      )}
      <Input label="Name of the version" placeholder="By its number" {...field('name')} />
      <Input label="Note" maxLength={10_000} placeholder="What changed, and why" {...field('note')} />
    </FormDialog>
  );
};
