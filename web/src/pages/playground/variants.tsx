import { useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { draftOf } from '../../resources/systems/prompt-draft.ts';
import { nameOfVersion, systemsQuery, versionQuery, versionsQuery } from '../../resources/systems/queries.ts';
import type { JsonObject } from '../../types.ts';
import { ErrorNote } from '../../ui/states.tsx';
import { SaveDialog } from './save-dialog.tsx';
import { useNewVariant } from './use-new-variant.ts';
import { columnsOf, mostVariants, newEndpoint, type Variant, variantOf } from './variant.ts';
import { unsavedEndpoint, VariantCard } from './variant-card.tsx';

type VariantsProps = {
  projectId: string;
  variants: readonly Variant[];
  /** The fields of the examples that a prompt can name. */
  inputs: readonly string[];
  onChange: (variants: Variant[]) => void;
};

/** The editors of the variants, side by side. Each can become another version, or be saved as one. */
export const Variants = ({ projectId, variants, inputs, onChange }: VariantsProps) => {
  const client = useQueryClient();
  const newOne = useNewVariant();
  const { data: systems = [] } = useQuery(systemsQuery(projectId));
  const systemIds = [...new Set(variants.flatMap(({ systemId }) => systemId ?? []))];
  const details = useQueries({ queries: systemIds.map((id) => versionsQuery(id)) }).flatMap(
    ({ data }) => data ?? [],
  );
  const [saving, setSaving] = useState<string>();
  const replace = (variant: Variant) =>
    onChange(variants.map((each) => (each.key === variant.key ? variant : each)));
  const choose = useMutation({
    mutationFn: async ({ key, versionId }: { key: string; versionId: string }) => {
      if (versionId === '') return newOne(key);
      if (versionId === unsavedEndpoint) return newEndpoint(key);
      const system = systems.find(({ versions }) => versions.some(({ id }) => id === versionId))!;
      const version = await client.ensureQueryData(versionQuery(versionId));
      return variantOf(key, { ...version, systemName: system.name }, draftOf(version.config as JsonObject));
    },
    onSuccess: replace,
  });
  const options = systems.flatMap(({ name, versions }) =>
    versions.toReversed().map((each) => ({ value: each.id, label: `${name}: ${nameOfVersion(each)}` })),
  );
  return (
    <>
      <div className="grid gap-3" style={columnsOf(variants)}>
        {variants.map((variant, i) => (
          <VariantCard
            key={variant.key}
            {...{ projectId, i, variant, inputs }}
            versions={options}
            details={details.find(({ id }) => id === variant.versionId)}
            ofSystem={details.filter(({ systemId }) => systemId === variant.systemId)}
            canAdd={variants.length < mostVariants}
            canRemove={variants.length > 1}
            onChange={replace}
            onChoose={(versionId) => choose.mutate({ key: variant.key, versionId })}
            onCopy={() => onChange(variants.toSpliced(i + 1, 0, { ...variant, key: newOne().key }))}
            onRemove={() => onChange(variants.filter(({ key }) => key !== variant.key))}
            onSave={() => setSaving(variant.key)}
          />
        ))}
      </div>
      {choose.error && (
        <div className="sticky left-0 mt-2 max-w-5xl">
          <ErrorNote error={choose.error} />
        </div>
      )}
      {saving !== undefined && (
        <SaveDialog
          projectId={projectId}
          variant={variants.find(({ key }) => key === saving)!}
          otherSystemId={systemIds.at(-1)}
          systems={systems}
          onSaved={replace}
          onClose={() => setSaving(undefined)}
        />
      )}
    </>
  );
};
