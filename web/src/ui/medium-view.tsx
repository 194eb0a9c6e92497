import { Download, ExternalLink, File, FileAudio, FileImage, FileVideo } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button, buttonClass } from './button.tsx';
import { download } from './download.ts';
import { bytesText } from './format.ts';
import { bytesOfBase64, isShown, type Medium, sizeOfBase64 } from './medium.ts';

const icons = { image: FileImage, audio: FileAudio, video: FileVideo, file: File };
const words = { image: 'Image', audio: 'Audio', video: 'Video', file: 'File' };

/** A larger file is decoded when the reader asks for it. */
const shownAtOnce = 8_000_000;

/** A link to the bytes, which lasts as long as what shows them. The content security policy plays no data URIs. */
const useBlobUrl = ({ base64, mediaType = '' }: Medium, enabled: boolean): string | undefined => {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!enabled || base64 === undefined) return;
    const made = URL.createObjectURL(new Blob([bytesOfBase64(base64)], { type: mediaType }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [base64, mediaType, enabled]);
  return url;
};

const extensionOf = (mediaType: string | undefined): string =>
  /\/([a-z0-9]+)/.exec(mediaType ?? '')?.[1]?.replace('mpeg', 'mp3') ?? 'bin';

const nameOf = ({ name, kind }: Medium): string => name ?? words[kind];

/** Gives the file to save. As bytes without a type: a page or a drawing among them is not opened on this site. */
const save = (medium: Medium): void => {
  const { name, kind, mediaType, base64 = '', text } = medium;
  download(
    name ?? `${kind}.${extensionOf(mediaType)}`,
    [text ?? bytesOfBase64(base64)],
    'application/octet-stream',
  );
};

const Shown = ({ medium }: { medium: Medium }) => {
  const [asked, setAsked] = useState(false);
  const [isBroken, setBroken] = useState(false);
  const isSmall = (medium.base64?.length ?? 0) <= shownAtOnce;
  const url = useBlobUrl(medium, isSmall || asked);
  const name = nameOf(medium);
  if (!isSmall && !asked) return <Button onClick={() => setAsked(true)}>Show</Button>;
  if (isBroken) return <p className="text-soft">This browser can’t show the file.</p>;
  if (!url) return null;
  const onError = () => setBroken(true);
  if (medium.kind === 'image')
    return (
      <img
        src={url}
        alt={name}
        onError={onError}
        className="max-h-80 max-w-full rounded-md border bg-white"
      />
    );
  if (medium.kind === 'audio')
    // biome-ignore lint/a11y/useMediaCaption: a message’s file comes without captions
    return <audio controls src={url} aria-label={name} onError={onError} className="w-80 max-w-full" />;
  return (
    // biome-ignore lint/a11y/useMediaCaption: a message’s file comes without captions
    <video controls src={url} aria-label={name} onError={onError} className="max-h-80 max-w-full" />
  );
};

/** An address outside the service as a link: nothing of it is loaded before a click. */
const Outside = ({ url }: { url: string }) => {
  if (!/^https?:\/\//i.test(url)) return <span className="min-w-0 font-mono text-sm break-all">{url}</span>;
  const host = URL.parse(url)?.host ?? url;
  return (
    <a
      href={url}
      target="_blank"
      rel="noopener noreferrer"
      title={url.slice(0, 500)}
      className={buttonClass()}
    >
      <ExternalLink size={14} aria-hidden /> Open at {host}
    </a>
  );
};

/** A file of a message: a picture, a player, or a way to save it. Its base64 never stands in the page. */
export const MediumView = ({ medium }: { medium: Medium }) => {
  const { kind, mediaType, base64, text, url, fileId, name } = medium;
  const Icon = icons[kind];
  const size = base64 === undefined ? text?.length : sizeOfBase64(base64);
  const facts = [mediaType, size !== undefined && bytesText(size), fileId].filter(Boolean).join(', ');
  const isData = base64 !== undefined || text !== undefined;
  return (
    <figure className="my-1 flex flex-col items-start gap-1">
      <figcaption className="flex max-w-full flex-wrap items-center gap-2 text-sm text-soft">
        <Icon size={14} aria-hidden className="shrink-0" />
        <span className="min-w-0 break-words">
          {name ?? words[kind]}
          {facts && ` · ${facts}`}
        </span>
        {isData && (
          <Button onClick={() => save(medium)}>
            <Download size={14} aria-hidden /> Save
          </Button>
        )}
        {!isData && url !== undefined && <Outside url={url} />}
      </figcaption>
      {base64 !== undefined && isShown(medium) && <Shown medium={medium} />}
    </figure>
  );
};
