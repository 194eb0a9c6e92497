import { Copy, Save, X } from 'lucide-react';
import { useState } from 'react';
import { placeholderOf } from '../../../../client/src/read-fields.ts';
import { ModelInput } from '../../resources/providers/model-input.tsx';
import { Promote } from '../../resources/systems/labels.tsx';
import type { PromptDraft } from '../../resources/systems/prompt-draft.ts';
import { Messages, Parameters } from '../../resources/systems/prompt-fields.tsx';
import type { SystemVersionDetails } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { Input, Select } from '../../ui/field.tsx';
import { isEdited, isSaved, letterOf, titleOf, type Variant } from './variant.ts';

/** Chooses an endpoint that is not saved. No version has such an id. */
export const unsavedEndpoint = 'endpoint';

type CardProps = {
  projectId: string;
  i: number;
  variant: Variant;
  /** All versions that can stand here, and where they come from. */
  versions: readonly { value: string; label: string }[];
  /** The variant's version, with its labels, and all of its system. */
  details: SystemVersionDetails | undefined;
  ofSystem: readonly SystemVersionDetails[];
  inputs: readonly string[];
  canAdd: boolean;
  canRemove: boolean;
  onChange: (variant: Variant) => void;
  onChoose: (versionId: string) => void;
  onCopy: () => void;
  onRemove: () => void;
  onSave: () => void;
};

/** The editor of one variant: which version it is, its messages and its parameters. */
export const VariantCard = (props: CardProps) => {
  const { projectId, i, variant, versions, details, ofSystem, inputs, canAdd, canRemove } = props;
  const { onChange, onChoose, onCopy, onRemove, onSave } = props;
  const { endpoint } = variant;
  const [isOpen, setOpen] = useState(true);
  return (
    <section
      aria-label={`Variant ${letterOf(i)}`}
      className="flex min-w-0 flex-col gap-2 rounded-md border p-3"
    >
      <header className="flex min-h-7 items-center gap-1">
        <button
          type="button"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          className="mr-auto flex min-w-0 items-center gap-2 text-left"
        >
          <Badge tone="accent">{letterOf(i)}</Badge>
          <bdi className="truncate font-semibold" title={titleOf(variant)}>
            {titleOf(variant)}
          </bdi>
          {variant.versionId !== undefined && isEdited(variant) && <Badge tone="warn">edited</Badge>}
        </button>
        {canAdd && <IconButton icon={Copy} label={`Copy variant ${letterOf(i)}`} onClick={onCopy} />}
        {canRemove && <IconButton icon={X} label={`Remove variant ${letterOf(i)}`} onClick={onRemove} />}
      </header>
      {isOpen && (
        <>
          <Select
            label={`Version of ${letterOf(i)}`}
            hideLabel
            value={variant.versionId ?? (endpoint === undefined ? '' : unsavedEndpoint)}
            options={[
              { value: '', label: 'New prompt' },
              { value: unsavedEndpoint, label: 'New endpoint' },
              ...versions,
            ]}
            onChange={onChoose}
          />
          <VariantFields {...{ i, variant, inputs, onChange }} />
        </>
      )}
      <VariantFooter
        variant={variant}
        details={details}
        ofSystem={ofSystem}
        projectId={projectId}
        onSave={onSave}
      />
    </section>
  );
};

type VariantFieldsProps = Pick<CardProps, 'i' | 'variant' | 'inputs' | 'onChange'>;

/** What is called: the messages and parameters of a prompt, or the address of an endpoint. */
const VariantFields = ({ i, variant, inputs, onChange }: VariantFieldsProps) => {
  const { draft, endpoint } = variant;
  if (endpoint !== undefined)
    return (
      <Input
        label={`Address of ${letterOf(i)}`}
        type="url"
        placeholder="https://example.org/answer"
        hint="Dokima posts the inputs there as JSON, without a key. Save it as a version of a system to add one."
        value={endpoint}
        onChange={(changed) => onChange({ ...variant, endpoint: changed })}
      />
    );
  if (!draft) return <p className="text-soft">An HTTP endpoint: it is called as its version says.</p>;
  const edit = (change: Partial<PromptDraft>) => onChange({ ...variant, draft: { ...draft, ...change } });
  const hint =
    inputs.length > 0
      ? `Jinja. Available: ${inputs.map((name) => placeholderOf('inputs', name)).join(', ')}.`
      : 'Jinja: {{ inputs.name }} becomes a field below.';
  return (
    <>
      <ModelInput
        label={`Model of ${letterOf(i)}`}
        hideLabel
        value={draft.modelName}
        onChange={(modelName) => edit({ modelName })}
      />
      <Messages draft={draft} onChange={edit} hint={hint} />
      <Parameters draft={draft} onChange={edit} />
    </>
  );
};

type VariantFooterProps = Pick<CardProps, 'projectId' | 'variant' | 'details' | 'ofSystem' | 'onSave'>;

/** Saves the variant as a version, and shows and moves the labels of a saved one. */
const VariantFooter = ({ projectId, variant, details, ofSystem, onSave }: VariantFooterProps) => {
  const { draft, endpoint } = variant;
  return (
    <div className="mt-auto flex flex-wrap items-center gap-2 pt-1">
      {(draft || endpoint !== undefined) && (
        <Button onClick={onSave} disabled={!isEdited(variant) || draft?.modelName.trim() === ''}>
          <Save size={14} aria-hidden /> {isSaved(variant) ? 'Saved' : 'Save version'}
        </Button>
      )}
      {isSaved(variant) && details && <Promote {...{ projectId, versions: ofSystem, version: details }} />}
      {isSaved(variant) &&
        details?.labels.map((label) => (
          <Badge key={label} tone={label === 'production' ? 'pass' : 'neutral'}>
            {label}
          </Badge>
        ))}
    </div>
  );
};
