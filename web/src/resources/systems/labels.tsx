import { useMutation } from '@tanstack/react-query';
import { Tag, X } from 'lucide-react';
import { useState } from 'react';
import { allOf, api, issuesOf } from '../../api.ts';
import { requireAsRead } from '../../as-read.ts';
import type { SystemVersionDetails } from '../../types.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/dialog.tsx';
import { Input } from '../../ui/field.tsx';
import { Menu, MenuItem, MenuLabel } from '../../ui/menu.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { say } from '../../ui/toast.tsx';
import { useMay } from '../session/me.ts';
import { nameOfVersion, systemQueries } from './queries.ts';

const toneOf = (label: string): Tone => (label === 'production' ? 'pass' : 'neutral');

type LabelsProps = {
  projectId: string;
  version: Pick<SystemVersionDetails, 'systemId' | 'labels'>;
  mayWrite: boolean;
};

/** The labels of a version. Those of the team can be removed here. */
export const Labels = ({ projectId, version: { systemId, labels }, mayWrite }: LabelsProps) => {
  const remove = useMutation({
    mutationFn: (label: string) => api.deleteSystemLabel(systemId, label),
    meta: { refreshes: systemQueries(projectId, systemId) },
  });
  return (
    <>
      {labels.map((label) => (
        <Badge key={label} tone={toneOf(label)}>
          {label}
          {mayWrite && label !== 'production' && label !== 'latest' && (
            <button
              type="button"
              className="-mr-1.5 flex size-6 items-center justify-center"
              aria-label={`Remove label ${label}`}
              title={`Remove label ${label}`}
              disabled={remove.isPending}
              onClick={() => remove.mutate(label)}
            >
              <X size={12} aria-hidden />
            </button>
          )}
        </Badge>
      ))}
      {remove.error && <ErrorNote error={remove.error} />}
    </>
  );
};

type Labelled = Pick<SystemVersionDetails, 'id' | 'labels'>;

const holderOf = <Version extends Labelled>(versions: readonly Version[], label: string) =>
  versions.find(({ labels }) => labels.includes(label));

const nameOfHolder = (versions: readonly SystemVersionDetails[], label: string): string | undefined => {
  const holder = holderOf(versions, label);
  return holder && nameOfVersion(holder);
};

type PromoteProps = {
  projectId: string;
  version: SystemVersionDetails;
  /** The versions of its system, with their labels as the page shows them. */
  versions: readonly SystemVersionDetails[];
  /** Text of the button. */
  action?: string;
};

/** Points a label to a version, if the label is still where the page shows it. */
const useSetLabel = (
  projectId: string,
  version: SystemVersionDetails,
  versions: readonly SystemVersionDetails[],
  onDone: () => void,
) => {
  const { systemId } = version;
  return useMutation({
    mutationFn: async ({ label, isProtected }: { label: string; isProtected?: boolean | undefined }) => {
      const now = await allOf(api.listSystemVersions(systemId));
      requireAsRead({ holder: holderOf(now, label)?.id }, { holder: holderOf(versions, label)?.id }, [
        'holder',
      ]);
      return api.upsertSystemLabel(systemId, label, {
        systemVersionId: version.id,
        ...(isProtected !== undefined && { protected: isProtected }),
      });
    },
    meta: { refreshes: systemQueries(projectId, systemId) },
    onSuccess: (_, { label }) => {
      say(`${label} points to ${nameOfVersion(version)} now.`);
      onDone();
    },
  });
};

/** Points a label to a version: clients that ask for the label get this version from then on. */
export const Promote = ({ projectId, version, versions, action = 'Promote' }: PromoteProps) => {
  const { protectedLabels } = version;
  const may = useMay();
  const [isNew, setNew] = useState(false);
  const [asked, setAsked] = useState<string>();
  const set = useSetLabel(projectId, version, versions, () => {
    setNew(false);
    setAsked(undefined);
  });
  const labels = [...new Set(['production', 'staging', ...versions.flatMap(({ labels }) => labels)])].filter(
    (label) => label !== 'latest' && !version.labels.includes(label),
  );
  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button disabled={set.isPending}>
            <Tag size={14} aria-hidden /> {action}
          </Button>
        }
      >
        <MenuLabel>Point a label to this version</MenuLabel>
        {labels.map((label) => (
          <MenuItem
            key={label}
            disabled={protectedLabels.includes(label) && !may.administerProject}
            onSelect={() => {
              if (label !== 'production' && !protectedLabels.includes(label)) return set.mutate({ label });
              setAsked(label);
            }}
          >
            {label}
            {protectedLabels.includes(label) && ' (protected)'}
          </MenuItem>
        ))}
        <MenuItem onSelect={() => setNew(true)}>Another label…</MenuItem>
      </Menu>
      {set.error && !isNew && asked === undefined && <ErrorNote error={set.error} />}
      {asked !== undefined && (
        <ConfirmLabel
          label={asked}
          name={nameOfVersion(version)}
          replaced={nameOfHolder(versions, asked)}
          wasProtected={protectedLabels.includes(asked)}
          write={{ ...set, mutate: (isProtected) => set.mutate({ label: asked, isProtected }) }}
          onClose={() => setAsked(undefined)}
        />
      )}
      {isNew && (
        <NewLabel
          onClose={() => setNew(false)}
          write={{ ...set, mutate: (label) => set.mutate({ label }) }}
        />
      )}
    </>
  );
};

type NewLabelProps = {
  write: { mutate: (label: string) => void; isPending: boolean; error: Error | null };
  onClose: () => void;
};

/** Asks for the name of another label. */
const NewLabel = ({ write, onClose }: NewLabelProps) => {
  const [name, setName] = useState('');
  return (
    <FormDialog
      open
      onClose={onClose}
      title="Set label"
      description="Clients that ask for the label get this version from then on."
      write={{ ...write, mutate: () => write.mutate(name.trim()) }}
      action="Set label"
    >
      <Input
        label="Label"
        required
        maxLength={64}
        placeholder="tenant-a"
        error={issuesOf(write.error)('/label')}
        hint="Small letters, digits, dots, _ or -."
        value={name}
        onChange={setName}
      />
    </FormDialog>
  );
};

type ConfirmLabelProps = {
  label: string;
  /** The name of the version, and of the one that has the label now. */
  name: string;
  replaced: string | undefined;
  wasProtected: boolean;
  /** `isProtected` is undefined if the member may not decide about it. */
  write: { mutate: (isProtected: boolean | undefined) => void; isPending: boolean; error: Error | null };
  onClose: () => void;
};

/** Asks before moving a label that programs in production or admins rely on. */
const ConfirmLabel = ({ label, name, replaced, wasProtected, write, onClose }: ConfirmLabelProps) => {
  const may = useMay();
  const [isProtected, setProtected] = useState(wasProtected);
  return (
    <FormDialog
      open
      onClose={onClose}
      title={`Point ${label} to ${name}?`}
      description={
        <>
          Programs that fetch {label} get <bdi>{name}</bdi>
          {replaced !== undefined && (
            <>
              {' '}
              instead of <bdi>{replaced}</bdi>
            </>
          )}
          , most of them within a minute.
        </>
      }
      write={{ ...write, mutate: () => write.mutate(may.administerProject ? isProtected : undefined) }}
      action={`Promote to ${label}`}
    >
      {may.administerProject && (
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            checked={isProtected}
            onChange={({ target }) => setProtected(target.checked)}
          />
          Only admins of the project move this label
        </label>
      )}
    </FormDialog>
  );
};
