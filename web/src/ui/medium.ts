/** An image, a sound, a film or another file in a message, in the terms of no provider. */
export type Medium = {
  kind: 'image' | 'audio' | 'video' | 'file';
  mediaType?: string;
  name?: string;
  /** Its bytes, as base64. */
  base64?: string;
  /** Its text, for a document that came as text. */
  text?: string;
  /** An address outside the service. Nothing of it is loaded. */
  url?: string;
  /** The id by which a provider knows it. */
  fileId?: string;
};

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Members that hold the file or its source, by the names that providers and frameworks give them. */
const wrappers = [
  'message_content',
  'image_url',
  'imageUrl',
  'input_audio',
  'inputAudio',
  'image',
  'audio',
  'video',
  'document',
  'file',
  'source',
  'inlineData',
  'inline_data',
  'fileData',
  'file_data',
  'blob',
  's3Location',
  'audio_url',
  'video_url',
  'document_url',
  'file_url',
];
const dataNames = [
  'data',
  'base64',
  'bytes',
  'base64Data',
  'b64_json',
  'content',
  'result',
  ...wrappers,
] as const;
const urlNames = ['url', 'uri', 'fileUri', 'file_uri'];
const typeNames = ['mediaType', 'media_type', 'mimeType', 'mime_type', 'contentType', 'content_type'];
const nameNames = ['filename', 'fileName', 'file_name', 'title', 'name'];
const idNames = ['file_id', 'fileId'];

const formats: Record<string, string> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  flac: 'audio/flac',
  opus: 'audio/ogg',
  ogg: 'audio/ogg',
  aac: 'audio/aac',
  m4a: 'audio/mp4',
  mp4: 'video/mp4',
  webm: 'video/webm',
  mov: 'video/quicktime',
  pdf: 'application/pdf',
  csv: 'text/csv',
  txt: 'text/plain',
  md: 'text/markdown',
  html: 'text/html',
};

/** The beginnings of files in base64, for those that came without a type. */
const beginnings: [string, string][] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['JVBERi0', 'application/pdf'],
  ['SUQz', 'audio/mpeg'],
  ['T2dnUw', 'audio/ogg'],
];

const kinds = ['image', 'audio', 'video'] as const;

/** Shorter texts of these letters are words, unless something says that they are a file. */
const leastBase64 = 64;
const base64Text = /^[A-Za-z0-9+/_-]+={0,2}$/;
const isBase64 = (text: string): boolean =>
  base64Text.test(text) || (/\s/.test(text.slice(0, 200)) && base64Text.test(text.replace(/\s+/g, '')));

/** The type of a file that came without one, by its first bytes. */
const sniffed = (base64: string): string | undefined => {
  const known = beginnings.find(([beginning]) => base64.startsWith(beginning))?.[1];
  if (known || !base64.startsWith('UklGR')) return known;
  const inside = new TextDecoder('latin1').decode(bytesOfBase64(base64.slice(0, 16)).slice(8));
  return inside === 'WEBP' ? 'image/webp' : inside === 'WAVE' ? 'audio/wav' : undefined;
};

const textUnder = (fields: Fields, names: readonly string[]): string | undefined => {
  for (const name of names) {
    const value = fields[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
};

/** Reads a text that is a data URI, an address or base64 into a medium that lacks it. */
const take = (medium: Partial<Medium>, text: string): void => {
  if (medium.base64 !== undefined || medium.url !== undefined) return;
  const [, mediaType, base64] = /^data:([\w.+/-]*)[^,]{0,200},(.*)$/s.exec(text) ?? [];
  if (base64 !== undefined) {
    medium.base64 = base64;
    if (mediaType) medium.mediaType = mediaType.toLowerCase();
  } else if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) medium.url = text;
  else if ((text.length >= leastBase64 || medium.mediaType !== undefined) && isBase64(text))
    medium.base64 = text;
};

const deepest = 5;

/** Gathers what an object and the members that it wraps say about a file. */
const gather = (medium: Partial<Medium>, fields: Fields, depth: number): void => {
  const found = {
    mediaType: textUnder(fields, typeNames)?.toLowerCase() ?? formats[textUnder(fields, ['format']) ?? ''],
    name: textUnder(fields, nameNames),
    fileId: textUnder(fields, idNames),
  };
  for (const [name, value] of Object.entries(found))
    if (value !== undefined) medium[name as keyof typeof found] ??= value;
  if (fields.type === 'text' && typeof fields.data === 'string') medium.text ??= fields.data;
  else
    for (const name of [...urlNames, ...dataNames])
      if (typeof fields[name] === 'string') take(medium, fields[name]);
  for (const name of wrappers) {
    const inner = fields[name];
    if (!isFields(inner) || depth >= deepest) continue;
    medium.kind ??= kinds.find((kind) => name.toLowerCase().includes(kind)) as Medium['kind'];
    gather(medium, inner, depth + 1);
  }
};

const kindOfType = (mediaType: string | undefined): Medium['kind'] | undefined =>
  kinds.find((kind) => mediaType?.startsWith(`${kind}/`));

/** Kinds of parts that are not files, whatever they hold. */
const otherParts = /tool|function|text|reasoning|thinking|refusal/i;

/** The parts that were read, since a file of megabytes is looked through. */
const read = new WeakMap<object, Medium | null>();

/**
 * Reads a part of a message that is not text: of OpenAI (chat and responses), Anthropic, Gemini, Bedrock, OpenTelemetry, OpenInference,
 * LangChain, Pydantic AI and the Vercel AI SDK. Undefined for a part in which there is no file.
 */
export const mediumOf = (part: unknown): Medium | undefined => {
  if (!isFields(part) || otherParts.test(String(part.type ?? ''))) return undefined;
  const known = read.get(part);
  if (known !== undefined) return known ?? undefined;
  const medium = readMedium(part);
  read.set(part, medium ?? null);
  return medium;
};

const readMedium = (part: Fields): Medium | undefined => {
  const medium: Partial<Medium> = {};
  gather(medium, part, 0);
  const { base64, url, fileId, text } = medium;
  if (base64 === undefined && url === undefined && fileId === undefined && text === undefined)
    return undefined;
  medium.mediaType ??= (base64 && sniffed(base64)) as string;
  const said = `${part.type ?? ''} ${part.modality ?? ''}`.toLowerCase();
  const kind =
    kindOfType(medium.mediaType) ?? medium.kind ?? kinds.find((each) => said.includes(each)) ?? 'file';
  return {
    ...medium,
    kind: medium.mediaType !== undefined && kindOfType(medium.mediaType) === undefined ? 'file' : kind,
  };
};

const membersOfFiles = new Set([
  'type',
  'modality',
  'detail',
  'format',
  'source_type',
  ...typeNames,
  ...nameNames,
  ...idNames,
  ...urlNames,
  ...dataNames,
]);

/** An object that is a file and says nothing else; undefined for any other, so that nothing of it is left out. */
export const mediumAlone = (value: object): Medium | undefined =>
  Object.keys(value).every((name) => membersOfFiles.has(name)) ? mediumOf(value) : undefined;

/** A text that is a file as a whole: a data URI. */
export const mediumOfText = (text: string): Medium | undefined =>
  text.startsWith('data:') && text.includes(';base64,') ? mediumOf({ url: text.trim() }) : undefined;

/** The size in bytes of a file in base64. */
export const sizeOfBase64 = (base64: string): number =>
  Math.floor(((base64.length - (/=*$/.exec(base64.slice(-2))?.[0].length ?? 0)) * 3) / 4);

/** The bytes of a file in base64, also in the alphabet for addresses; none if it is not readable. */
export const bytesOfBase64 = (base64: string): Uint8Array<ArrayBuffer> => {
  try {
    const plain = base64.replace(/\s+/g, '').replaceAll('-', '+').replaceAll('_', '/');
    return Uint8Array.from(atob(plain), (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
};

/** Types that a browser draws or plays and that run nothing. Any other is only given to save. */
export const isShown = ({ kind, mediaType = '' }: Medium): boolean =>
  kind === 'image'
    ? /^image\/(png|jpe?g|gif|webp|avif|bmp)$/.test(mediaType)
    : kind !== 'file' && /^(audio|video)\/[\w.+-]+$/.test(mediaType);

const longUri =
  /!?\[[^\]]*\]\(\s*(data:[\w.+/-]+(?:;[\w.+=-]+)*;base64,[A-Za-z0-9+/=]{64,})\s*\)|(data:[\w.+/-]+(?:;[\w.+=-]+)*;base64,[A-Za-z0-9+/=]{64,})/g;

/** A thousand letters without a space are a file in base64, and no word. */
const longData = /[A-Za-z0-9+/]{1000,}={0,2}/g;

const cutAt = (
  text: string,
  pattern: RegExp,
  fileOf: (match: RegExpMatchArray) => Medium | undefined,
): (string | Medium)[] => {
  const pieces: (string | Medium)[] = [];
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    const medium = fileOf(match);
    if (!medium) continue;
    if (match.index > at) pieces.push(text.slice(at, match.index));
    pieces.push(medium);
    at = match.index + match[0].length;
  }
  if (at < text.length) pieces.push(text.slice(at));
  return pieces;
};

/** The pieces of a text, and the files in it, which stand there as data URIs. One piece when there is none. */
export const piecesOf = (text: string): (string | Medium)[] =>
  text.includes(';base64,') ? cutAt(text, longUri, (match) => mediumOfText(match[1] ?? match[2]!)) : [text];

/** The same for text that holds JSON, as attributes of spans do: base64 stands there without a data URI too. */
export const piecesOfData = (text: string): (string | Medium)[] =>
  piecesOf(text).flatMap((piece) =>
    typeof piece === 'string' ? cutAt(piece, longData, ([data]) => mediumOf({ data })) : [piece],
  );
