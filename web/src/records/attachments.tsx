import { useQuery } from '@tanstack/react-query';
import { File, FileAudio, FileImage, FileText, FileVideo } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { Attachment } from '../types.ts';
import { bytesText } from '../ui/format.ts';
import { attachmentsQuery } from './queries.ts';

const AttachmentPreview = lazy(() => import('./attachment-preview.tsx'));

const icons = {
  image: FileImage,
  audio: FileAudio,
  video: FileVideo,
  text: FileText,
  pdf: FileText,
  none: File,
};
export type PreviewKind = keyof typeof icons;

/** How a file can be shown, by its declared type. What has no way of its own here is only saved. */
export const kindOf = (contentType: string | null): PreviewKind => {
  const type = (contentType ?? '').split(';', 1)[0]!.trim().toLowerCase();
  if (/^(image|audio|video)\//.test(type)) return type.split('/', 1)[0] as PreviewKind;
  if (type === 'application/pdf') return 'pdf';
  // HTML and XML as well: their source, as text.
  if (/^text\//.test(type) || /[/+](json|xml|yaml|x-yaml|x-ndjson|javascript|csv|markdown)$/.test(type))
    return 'text';
  return 'none';
};

export const nameOf = ({ filename, filePath }: Pick<Attachment, 'filename' | 'filePath'>): string =>
  filename ?? filePath;

/** The files of the record's session. */
export const Attachments = ({ sessionId }: { sessionId: string }) => {
  const { data = [] } = useQuery(attachmentsQuery(sessionId));
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
