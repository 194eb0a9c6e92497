import { useQuery } from '@tanstack/react-query';
import { File, FileAudio, FileImage, FileText, FileVideo } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { apiQuery } from '../../api.ts';
import { bytesText } from '../../ui/format.ts';
import { kindOf, nameOf, type PreviewKind } from './attachment-kind.ts';

const AttachmentPreview = lazy(() => import('./attachment-preview.tsx'));

const icons: Record<PreviewKind, typeof File> = {
  image: FileImage,
  audio: FileAudio,
  video: FileVideo,
  text: FileText,
  pdf: FileText,
  none: File,
};
/** The files of the record's session in its project. */
export const Attachments = ({ sessionId, projectId }: { sessionId: string; projectId: string }) => {
  const { data: page } = useQuery(apiQuery('listSessionAttachments', sessionId, { projectId, limit: 100 }));
  const data = page?.data ?? [];
  const [opened, setOpened] = useState<string>();
  if (data.length === 0) return null;
  const open = data.find(({ id }) => id === opened);
  return (
    <section aria-label="Attachments of the session" className="border-t px-4 py-3">
      <h2 className="mb-1 text-sm font-semibold">Attachments of the session ({data.length})</h2>
      <ul className="flex flex-col">
        {data.map((attachment) => {
          const { id, contentType, sizeBytes, status } = attachment;
          const Icon = icons[kindOf(contentType)];
          return (
            <li key={id}>
              <button
                type="button"
                disabled={status === 'pending'}
                onClick={() => setOpened(id)}
                className="-mx-2 flex min-h-7 w-[calc(100%+16px)] items-center gap-2 rounded-sm px-2 text-left hover:bg-hover disabled:opacity-60"
              >
                <Icon size={14} className="shrink-0 text-soft" aria-hidden />
                <span className="min-w-0 flex-1 truncate">{nameOf(attachment)}</span>
                <span className="shrink-0 text-sm text-soft">
                  {status === 'pending' ? 'not uploaded yet' : bytesText(sizeBytes)}
                </span>
              </button>
            </li>
          );
        })}
      </ul>
      {open && (
        <Suspense>
          <AttachmentPreview attachment={open} onClose={() => setOpened(undefined)} />
        </Suspense>
      )}
    </section>
  );
};
