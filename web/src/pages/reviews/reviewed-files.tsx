import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { apiQuery } from '../../api.ts';
import { kindOf } from '../../resources/records/attachment-kind.ts';
import { Attachments } from '../../resources/records/attachments.tsx';
import type { Attachment } from '../../types.ts';
import { Skeleton } from '../../ui/states.tsx';

const ShownAttachment = lazy(async () => {
  const { ShownAttachment: shown } = await import('../../resources/records/attachment-preview.tsx');
  return { default: shown };
});

/** Only some are shown at once: each is a download. */
const mostShown = 12;

/** Whether a file is shown where it stands; others are opened. */
const isShown = ({ contentType, status }: Attachment): boolean =>
  status !== 'pending' && ['image', 'audio', 'video'].includes(kindOf(contentType));

/** The session of an agent's record and its files. Without spans there is none. */
export const useFiles = (projectId: string, recordId: string, hasSpans: boolean) => {
  const { data: record } = useQuery({ ...apiQuery('getRecord', recordId), enabled: hasSpans });
  const sessionId = record?.sessionId ?? '';
  const { data: page } = useQuery({
    ...apiQuery('listSessionAttachments', sessionId, { projectId, limit: 100 }),
    enabled: sessionId !== '',
  });
  return { sessionId, files: page?.data ?? [] };
};

type FilesProps = { projectId: string; sessionId: string; files: readonly Attachment[] };

/** The files of the session: pictures, sound and films where they stand, and a list of all. */
export const ReviewedFiles = ({ projectId, sessionId, files }: FilesProps) => (
  <>
    <div className="flex flex-col gap-4 px-4 pb-3">
      <Suspense fallback={<Skeleton lines={8} />}>
        {files
          .filter(isShown)
          .slice(0, mostShown)
          .map((file) => (
            <ShownAttachment key={file.id} attachment={file} />
          ))}
      </Suspense>
    </div>
    <Attachments sessionId={sessionId} projectId={projectId} />
  </>
);
