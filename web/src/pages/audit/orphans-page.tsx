import { api, apiList } from '../../api.ts';
import { ManagedTable, NameCell } from '../../managed-table.tsx';
import { useMay, useNames } from '../../resources/session/me.ts';
import { bytesText } from '../../ui/format.ts';
import { Time } from '../../ui/time.tsx';

/** Files that no record and no trace uses, for admins. */
export const OrphansPage = () => {
  const nameOf = useNames();
  return (
    <ManagedTable
      title="Unused files"
      noun="file"
      list={{
        ...apiList('listOrphanAttachments'),
        select: (files) => files.map((file) => ({ ...file, name: file.filename ?? file.filePath })),
      }}
      may={useMay().administer}
      empty="Attachments that no record and no trace uses would be listed here: their session was never stored. They count for the quota."
      columns={[
        { head: 'Name', cell: (file) => <NameCell of={file} /> },
        { head: 'Session', className: 'font-mono text-sm', cell: ({ sessionId }) => sessionId },
        { head: 'Project', cell: ({ projectId }) => projectId ?? 'none yet' },
        {
          head: 'Size',
          cell: ({ status, sizeBytes }) => (status === 'pending' ? 'not uploaded yet' : bytesText(sizeBytes)),
        },
        {
          head: 'Declared by',
          cell: ({ createdByUserId }) => (createdByUserId ? nameOf(createdByUserId) : '–'),
        },
        { head: 'Declared', className: 'text-soft', cell: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
      remove={{
        send: api.deleteAttachment,
        warning: 'Its bytes are deleted. A record that is stored later would miss it.',
      }}
    />
  );
};
