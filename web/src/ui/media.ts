import { bytesText } from './format.ts';

export type DataFile = { mediaType: string; sizeBytes: number };

/** The type and size of a value that is a file as a data URI, as a whole; undefined for any other value. */
export const dataFileOf = (value: unknown): DataFile | undefined => {
  if (typeof value !== 'string') return undefined;
  const [, mediaType] =
    /^data:((?:image|audio|video)\/[\w.+-]+|application\/pdf)(?:;[\w.+=-]+)*?;base64,[A-Za-z0-9+/]+={0,2}$/i.exec(
      value,
    ) ?? [];
  if (mediaType === undefined) return undefined;
  const base64 = value.length - value.indexOf(',') - 1;
  return { mediaType: mediaType.toLowerCase(), sizeBytes: Math.floor((base64 * 3) / 4) };
};

/** Images that browsers show and models take. */
export const isImage = ({ mediaType }: DataFile): boolean => /^image\/(png|jpeg|gif|webp)$/.test(mediaType);

export const dataFileText = ({ mediaType, sizeBytes }: DataFile): string =>
  `${mediaType}, ${bytesText(sizeBytes)}`;
