import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { api } from '../../api.ts';
import type { Attachment } from '../../types.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Drawer } from '../../ui/drawer.tsx';
import { bytesText } from '../../ui/format.ts';
import { ErrorNote, Skeleton } from '../../ui/states.tsx';
import { Value } from '../../ui/value.tsx';
import { kindOf, nameOf } from './attachment-kind.ts';

/** The most bytes of a text that are shown. */
const mostTextBytes = 200_000;

/**
 * The signed link as a path of this site: the content security policy allows no other address, whatever public address the
 * service has.
 */
export const linkOf = async (id: string): Promise<string> => {
  const { downloadUrl } = await api.getAttachment(id);
  if (!downloadUrl) throw new Error('The file is not uploaded yet.');
  const { pathname, search } = new URL(downloadUrl);
  return pathname + search;
};

/** The first bytes of a text; the rest is not fetched. */
const readText = async (url: string): Promise<{ text: string; isWhole: boolean }> => {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`The service answered ${response.status}.`);
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let size = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return { text: text + decoder.decode(), isWhole: true };
    size += value.byteLength;
    text += decoder.decode(value, { stream: true });
    if (size < mostTextBytes) continue;
    await reader.cancel();
    return { text, isWhole: false };
  }
};

const useLink = (id: string) =>
  useQuery({
    queryKey: ['link', id],
    queryFn: () => linkOf(id),
    // The link expires after 15 minutes.
    staleTime: 600_000,
    gcTime: 0,
  });

/** A file where it stands, such as a picture beside the scores that it is judged by. */
export const ShownAttachment = ({ attachment }: { attachment: Attachment }) => {
  const link = useLink(attachment.id);
  return (
    <figure className="flex flex-col gap-1">
      <figcaption className="break-all text-soft">
        {nameOf(attachment)} · {bytesText(attachment.sizeBytes)}
      </figcaption>
      {link.error && <ErrorNote error={link.error} />}
      {link.isPending && <Skeleton lines={4} />}
      {link.data && <Preview attachment={attachment} url={link.data} />}
    </figure>
  );
};

/** A file of a record's session, shown by its declared type. Loaded on demand. */
const AttachmentPreview = ({ attachment, onClose }: { attachment: Attachment; onClose: () => void }) => {
  const link = useLink(attachment.id);
  return (
    <Drawer
      open
      onClose={onClose}
      title={nameOf(attachment)}
      actions={
        link.data && (
          <a href={link.data} download className={buttonClass()}>
            <Download size={14} aria-hidden /> Save
          </a>
        )
      }
    >
      <p className="mb-3 text-soft">
        {attachment.contentType} · {bytesText(attachment.sizeBytes)} · {attachment.filePath}
      </p>
      {link.error && <ErrorNote error={link.error} />}
      {link.isPending && <Skeleton lines={6} />}
      {link.data && <Preview attachment={attachment} url={link.data} />}
    </Drawer>
  );
};
export default AttachmentPreview;

const Note = ({ children }: { children: ReactNode }) => <p className="text-soft">{children}</p>;

const Preview = ({ attachment, url }: { attachment: Attachment; url: string }) => {
  const [isBroken, setBroken] = useState(false);
  const name = nameOf(attachment);
  const kind = kindOf(attachment.contentType);
  if (isBroken) return <Note>This browser can’t show the file. Save it to open it elsewhere.</Note>;
  // An SVG too: as an image it runs no script and loads nothing.
  if (kind === 'image')
    return (
      <img
        src={url}
        alt={name}
        onError={() => setBroken(true)}
        className="max-w-full rounded-md border bg-white"
      />
    );
  if (kind === 'audio')
    return (
      // biome-ignore lint/a11y/useMediaCaption: a client’s file comes without captions
      <audio controls src={url} aria-label={name} onError={() => setBroken(true)} className="w-full" />
    );
  if (kind === 'video')
    return (
      // biome-ignore lint/a11y/useMediaCaption: a client’s file comes without captions
      <video controls src={url} aria-label={name} onError={() => setBroken(true)} className="w-full" />
    );
  if (kind === 'pdf') return <Pdf name={name} url={url} />;
  if (kind === 'text') return <TextPreview name={name} url={url} />;
  return <Note>This kind of file has no preview.</Note>;
};

const TextPreview = ({ name, url }: { name: string; url: string }) => {
  const { data, error } = useQuery({ queryKey: ['text', url], queryFn: () => readText(url), gcTime: 0 });
  if (error) return <ErrorNote error={error} />;
  if (!data) return <Skeleton lines={6} />;
  return (
    <>
      <Value name={name} value={data.text} />
      {!data.isWhole && (
        <Note>The first {bytesText(mostTextBytes)} are shown. Save the file to read the rest.</Note>
      )}
    </>
  );
};

/** The browser's own viewer. The service sends a file inline only when its declared type is PDF. */
const Pdf = ({ name, url }: { name: string; url: string }) =>
  navigator.pdfViewerEnabled ? (
    <iframe title={name} src={`${url}&inline=true`} className="h-[80vh] w-full rounded-md border" />
  ) : (
    <Note>This browser can’t show a PDF. Save the file to read it.</Note>
  );
