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
  const base64 = value.length - value.indexOf(',') - 1 - (/=*$/.exec(value.slice(-2))?.[0].length ?? 0);
  return { mediaType: mediaType.toLowerCase(), sizeBytes: Math.floor((base64 * 3) / 4) };
};

const beginning = /data:(?:(?:image|audio|video)\/[\w.+-]+|application\/pdf)(?:;[\w.+=-]+)*?;base64,/gi;
const notBase64 = /[^A-Za-z0-9+/=]/g;

/** The files in a value, as data URIs: whole texts, and within them. */
export const dataUrisIn = (value: unknown): string[] => {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(dataUrisIn);
  if (typeof value !== 'string') return [];
  return [...value.matchAll(beginning)].map(({ 0: head, index }) => {
    notBase64.lastIndex = index + head.length;
    return value.slice(index, notBase64.exec(value)?.index ?? value.length);
  });
};

/** The bytes of a data URI; none if it is not readable. */
export const bytesOf = (uri: string): Uint8Array<ArrayBuffer> => {
  try {
    return Uint8Array.from(atob(uri.slice(uri.indexOf(',') + 1)), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
};

/** Images that browsers show and models take. */
export const isImage = ({ mediaType }: DataFile): boolean => /^image\/(png|jpeg|gif|webp)$/.test(mediaType);

export const dataFileText = ({ mediaType, sizeBytes }: DataFile): string =>
  `${mediaType}, ${bytesText(sizeBytes)}`;
