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
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button onClick={() => setAsking(true)}>
        <Tag size={14} aria-hidden /> {action}
      </Button>
      {isAsking && <PromoteDialog {...{ projectId, version, versions }} onClose={() => setAsking(false)} />}
    </>
  );
};

/** The choice of a label that does not exist yet. */
const another = '';

/** Asks which label moves, and says from which version: programs in production rely on it. */
const PromoteDialog = ({
  projectId,
  version,
  versions,
  onClose,
}: Omit<PromoteProps, 'action'> & { onClose: () => void }) => {
  const { protectedLabels } = version;
  const may = useMay();
  const labels = [...new Set(['production', 'staging', ...versions.flatMap(({ labels }) => labels)])].filter(
    (label) => label !== 'latest' && !version.labels.includes(label),
  );
  const mayMove = (label: string) => may.administerProject || !protectedLabels.includes(label);
  const [chosen, setChosen] = useState(labels.find(mayMove) ?? another);
  const [name, setName] = useState('');
  const [isProtected, setProtected] = useState<boolean>();
  const set = useSetLabel(projectId, version, versions, onClose);
  const label = chosen || name.trim();
  const send = () =>
    set.mutate({
      label,
      isProtected: may.administerProject ? (isProtected ?? protectedLabels.includes(label)) : undefined,
    });
  return (
    <FormDialog
      open
      onClose={onClose}
      title={`Promote ${nameOfVersion(version)}`}
      description={<WhoGets label={label} version={version} replaced={nameOfHolder(versions, label)} />}
      write={{ ...set, mutate: send }}
      action={label ? `Promote to ${label}` : 'Promote'}
      disabled={label === ''}
    >
      <LabelChoice
        labels={[...labels, another]}
        {...{ chosen, protectedLabels, mayMove }}
        onChoose={setChosen}
      />
      {chosen === another && (
        <Input
          label="Name of the label"
          required
          maxLength={64}
          placeholder="tenant-a"
          error={issuesOf(set.error)('/label')}
          hint="Small letters, digits, dots, _ or -."
          value={name}
          onChange={setName}
        />
      )}
      {may.administerProject && (
        <label className="flex items-center gap-2">
          <input
            type="checkbox"
            checked={isProtected ?? protectedLabels.includes(label)}
            onChange={({ target }) => setProtected(target.checked)}
          />
          Only admins of the project move this label
        </label>
      )}
    </FormDialog>
  );
};

type LabelChoiceProps = {
  labels: readonly string[];
  chosen: string;
  protectedLabels: readonly string[];
  mayMove: (label: string) => boolean;
  onChoose: (label: string) => void;
};

const LabelChoice = ({ labels, chosen, protectedLabels, mayMove, onChoose }: LabelChoiceProps) => (
  <div role="radiogroup" aria-label="Label" className="flex flex-col gap-2">
    {labels.map((each) => (
      <label key={each} className="flex items-baseline gap-2">
        <input
          type="radio"
          name="label"
          checked={chosen === each}
          disabled={each !== another && !mayMove(each)}
          onChange={() => onChoose(each)}
        />
        <span>
          {each || 'Another label'} {protectedLabels.includes(each) && '(protected)'}
        </span>
      </label>
    ))}
  </div>
);

type WhoGetsProps = { label: string; version: SystemVersionDetails; replaced: string | undefined };

/** Which version programs get after the move, and which one they get now. */
const WhoGets = ({ label, version, replaced }: WhoGetsProps) => (
  <>
    Programs that fetch {label || 'the label'} get <bdi>{nameOfVersion(version)}</bdi>
    {replaced !== undefined && (
      <>
        {' '}
        instead of <bdi>{replaced}</bdi>
      </>
    )}
    , most of them within a minute.
  </>
);
