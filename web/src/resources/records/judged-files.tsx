import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { bytesOf, dataFileText, dataUrisIn } from '../../ui/media.ts';
import { ErrorNote } from '../../ui/states.tsx';
import { linkOf } from './attachment-preview.tsx';
import type { Evidence } from './evidence.tsx';

type File = NonNullable<Evidence['media']>[number];

/** The file's bytes, from the data URI in the record; null if the record has changed since. */
const findBytes = async (
  { sizeBytes, sha256 }: File,
  record: unknown,
): Promise<Uint8Array<ArrayBuffer> | null> => {
  for (const uri of dataUrisIn(record)) {
    const bytes = bytesOf(uri);
    if (bytes.length !== sizeBytes) continue;
    // Browsers have it on localhost and over HTTPS alone. Elsewhere the size must do.
    if (!crypto.subtle) return bytes;
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    if ([...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('') === sha256) return bytes;
  }
  return null;
};

/** A link to the file: to its attachment, or to its bytes in the record. Null if the file no longer exists. */
const useLink = (file: File, record: unknown): { url: string | null | undefined; error: Error | null } => {
  const { attachmentId, sha256, mediaType } = file;
  const link = useQuery({
    queryKey: ['link', attachmentId],
    queryFn: () => linkOf(attachmentId!),
    // The link expires after 15 minutes.
    staleTime: 600_000,
    gcTime: 0,
    enabled: attachmentId !== undefined,
  });
  const own = useQuery({
    queryKey: ['judged file', sha256],
    queryFn: () => findBytes(file, record),
    staleTime: 600_000,
    gcTime: 0,
    enabled: attachmentId === undefined,
  });
  const [blobUrl, setBlobUrl] = useState<string>();
  const { data: bytes } = own;
  // The content security policy plays no data URIs.
  useEffect(() => {
    if (!bytes) return;
    const url = URL.createObjectURL(new Blob([bytes], { type: mediaType }));
    setBlobUrl(url);
    return () => URL.revokeObjectURL(url);
  }, [bytes, mediaType]);
  return { url: attachmentId ? link.data : bytes === null ? null : blobUrl, error: link.error ?? own.error };
};

const Shown = ({ file, name, record }: { file: File; name: string; record: unknown }) => {
  const { mediaType } = file;
  const { url, error } = useLink(file, record);
  if (error) return <ErrorNote error={error} />;
  if (url === undefined) return null;
  if (url === null) return <p className="text-soft">The record does not hold this file any more.</p>;
  if (mediaType.startsWith('image/'))
    return <img src={url} alt={name} className="max-h-40 max-w-full rounded-md border bg-white" />;
  if (mediaType.startsWith('audio/'))
    // biome-ignore lint/a11y/useMediaCaption: a client’s file comes without captions
    return <audio controls src={url} aria-label={name} className="w-64 max-w-full" />;
  if (mediaType.startsWith('video/'))
    // biome-ignore lint/a11y/useMediaCaption: a client’s file comes without captions
    return <video controls src={url} aria-label={name} className="max-h-60 max-w-full" />;
  return (
    <a href={url} download={`${name}.pdf`} className="text-accent underline">
      Save the PDF
    </a>
  );
};

/** The files that a judge saw, by the labels that stand for them in its prompt. */
export const JudgedFiles = ({ media, record }: { media: readonly File[]; record: unknown }) => (
  <ol aria-label="Files that the judge saw" className="flex flex-wrap gap-3">
    {media.map((file, i) => (
      <li key={file.sha256} className="min-w-0">
        <p className="mb-1 text-sm text-soft">
          {i + 1}: {dataFileText(file)}
        </p>
        <Shown file={file} name={`File ${i + 1}`} record={record} />
      </li>
    ))}
  </ol>
);
