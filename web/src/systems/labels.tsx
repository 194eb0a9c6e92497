import { useMutation } from '@tanstack/react-query';
import { Tag, X } from 'lucide-react';
import { useState } from 'react';
import { api, issuesOf } from '../api.ts';
import type { SystemVersionDetails } from '../types.ts';
import { Badge, type Tone } from '../ui/badge.tsx';
import { Button } from '../ui/button.tsx';
import { FormDialog } from '../ui/dialog.tsx';
import { Input } from '../ui/field.tsx';
import { Menu, MenuItem, MenuLabel } from '../ui/menu.tsx';
import { ErrorNote } from '../ui/states.tsx';
import { systemQueries } from './queries.ts';

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

type PromoteProps = {
  projectId: string;
  systemId: string;
  versionId: string;
  /** Labels that the version has already. */
  has: readonly string[];
  /** Labels of the system. */
  known: readonly string[];
};

/** Points a label to a version: clients that ask for the label get this version from then on. */
export const Promote = ({ projectId, systemId, versionId, has, known }: PromoteProps) => {
  const [isNew, setNew] = useState(false);
  const [name, setName] = useState('');
  const set = useMutation({
    mutationFn: (label: string) => api.setSystemLabel(systemId, label, { systemVersionId: versionId }),
    meta: { refreshes: systemQueries(projectId, systemId) },
    onSuccess: () => setNew(false),
  });
  const labels = [...new Set(['production', 'staging', ...known])].filter(
    (label) => label !== 'latest' && !has.includes(label),
  );
  return (
    <>
      <Menu
        align="end"
        trigger={
          <Button disabled={set.isPending}>
            <Tag size={14} aria-hidden /> Promote
          </Button>
        }
      >
        <MenuLabel>Point a label to this version</MenuLabel>
        {labels.map((label) => (
          <MenuItem key={label} onSelect={() => set.mutate(label)}>
            {label}
          </MenuItem>
        ))}
        <MenuItem onSelect={() => setNew(true)}>Another label…</MenuItem>
      </Menu>
      {set.error && !isNew && <ErrorNote error={set.error} />}
      {isNew && (
        <FormDialog
          open
          onClose={() => setNew(false)}
          title="Set label"
          description="Clients that ask for the label get this version from then on."
          write={{ ...set, mutate: () => set.mutate(name.trim()) }}
          action="Set label"
        >
          <Input
            label="Label"
            required
            maxLength={64}
            placeholder="tenant-a"
            error={issuesOf(set.error)('/label')}
            hint="Small letters, digits, dots, _ or -."
            value={name}
            onChange={setName}
          />
        </FormDialog>
      )}
    </>
  );
};
