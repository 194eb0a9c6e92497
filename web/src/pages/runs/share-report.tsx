import { useMutation, useQuery } from '@tanstack/react-query';
import { Link2, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api, apiQuery, keyOf } from '../../api.ts';
import { useFields } from '../../fields.ts';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import { useMay, useNames } from '../../resources/session/me.ts';
import type { CreateReportLinkBody, ReportLink } from '../../types.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Input, Select } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { countOf } from '../../ui/format.ts';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { sayError } from '../../ui/toast.tsx';

type Report = Omit<CreateReportLinkBody, 'name' | 'days'>;
type ShareProps = { projectId: string; report: Report };

/** Makes links that show the report without an account, and revokes them. */
export const ShareReport = ({ projectId, report }: ShareProps) => {
  const may = useMay();
  const [isOpen, setOpen] = useState(false);
  if (!may.write) return null;
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Link2 size={14} aria-hidden /> Share
      </Button>
      {isOpen && <ShareDialog {...{ projectId, report }} onClose={() => setOpen(false)} />}
    </>
  );
};

const lives = [
  { value: '1', label: 'In a day' },
  { value: '7', label: 'In 7 days' },
  { value: '14', label: 'In 14 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
];

const ShareDialog = ({ projectId, report, onClose }: ShareProps & { onClose: () => void }) => {
  // Readers open links at any time.
  const links = useQuery({ ...apiQuery('listReportLinks', projectId), staleTime: 0 });
  const { values, fieldsOf } = useFields({ name: '', days: '14' });
  const make = useMutation({
    mutationFn: () =>
      api.createReportLink(projectId, { ...report, name: values.name.trim(), days: Number(values.days) }),
    meta: { refreshes: [keyOf('listReportLinks', projectId)] },
  });
  if (make.data)
    return (
      <ShownOnce
        onClose={onClose}
        title="Link made"
        description="Copy it now: it is not shown again. People who have it read this report, and nothing else of the project, until it ends or someone revokes it."
        texts={{ 'Copy the link': make.data.url }}
      />
    );
  const field = fieldsOf(make.error);
  return (
    <Dialog
      open
      onClose={onClose}
      title="Share this report"
      description="A link shows the report as it is when it is opened, to people without an account. It quotes the inputs and answers of the testcases that got worse."
    >
      {links.error && <ErrorNote error={links.error} />}
      {!links.data && !links.error && <Skeleton lines={3} />}
      {links.data && !links.data.allowed && (
        <p className="mb-3 text-soft">
          Links to reports are off in this organization. An admin can allow them on the page{' '}
          <TextLink {...paths.members()}>Members</TextLink>.
        </p>
      )}
      {links.data?.allowed && (
        <Form write={make} action="Make a link" disabled={!values.name.trim()} className="mb-4">
          <Input
            label="For"
            required
            autoFocus
            maxLength={200}
            hint="Who gets the link."
            {...field('name')}
          />
          <Select label="Ends" options={lives} {...field('days')} />
        </Form>
      )}
      {links.data && links.data.data.length > 0 && (
        <>
          <h3 className="mb-1 text-sm font-medium">Links of this project</h3>
          <ul aria-label="Links of this project" className="divide-y divide-line border-y">
            {links.data.data.map((link) => (
              <LinkRow key={link.id} projectId={projectId} link={link} />
            ))}
          </ul>
        </>
      )}
    </Dialog>
  );
};

const LinkRow = ({ projectId, link }: { projectId: string; link: ReportLink }) => {
  const nameOf = useNames();
  const revoke = useMutation({
    mutationFn: () => api.deleteReportLink(link.id),
    meta: { refreshes: [keyOf('listReportLinks', projectId)] },
    onError: sayError,
  });
  return (
    <li className="flex items-center gap-2 py-1.5 text-sm">
      <div className="min-w-0 flex-1">
        <bdi className="block truncate font-medium">{link.name}</bdi>
        <span className="text-soft">
          Runs {link.runs.join(', ')} by {nameOf(link.userId)}. Opened {countOf(link.numUses, 'time')}. Ends{' '}
          <Time at={link.expiresAt} />
        </span>
      </div>
      <IconButton
        icon={Trash2}
        label={`Revoke ${link.name}`}
        disabled={revoke.isPending}
        onClick={() => revoke.mutate()}
      />
    </li>
  );
};
