import { createHash } from 'node:crypto';
import type { ProviderKind } from './provider.ts';
import type { Content } from './question.ts';

/** A file that a record names by `attachment:<id>`. `read` returns undefined when the bytes are gone. */
export type AttachedFile = {
  mediaType: string;
  sizeBytes: number;
  sha256: string;
  read: () => Promise<Buffer | undefined>;
};
/** By id; undefined if there is no such attachment. */
export type Attached = ReadonlyMap<string, AttachedFile>;

/** Description of a file that was shown, as stored with a score; never the bytes. */
export type ShownMedia = { mediaType: string; sizeBytes: number; sha256: string; attachmentId?: string };

/** Files in one question, and their bytes together. Providers take at least these: Bedrock 20 images, Gemini 20 MB a request in base64. */
export const mediaLimits = { files: 20, bytes: 15_000_000 };

/** A file in a text, by the token that replaces it. */
type Found = { token: string; base64?: string; attachmentId?: string; shown: ShownMedia | undefined };

// In JSON text a slash may be escaped. The base64 text is read separately: as part of the expression, a text of some megabytes overflows
// the stack.
const beginning =
  /data:((?:image|audio|video)\\?\/[\w.+-]+|application\\?\/pdf)(?:;[\w.+=-]+)*?;base64,(?=[A-Za-z0-9+/])/gi;
const notBase64 = /[^A-Za-z0-9+/=\\]|\\(?!\/)/g;
/** Maximum number of data URIs that are read in a text; further ones stay text. */
const mostUris = 1_000;

/** Replaces the data URIs in a JSON text. */
const replaceUris = (text: string, replacement: (mediaType: string, base64: string) => string): string => {
  const pieces: string[] = [];
  let from = 0;
  let count = 0;
  for (const match of text.matchAll(beginning)) {
    if (match.index < from) continue;
    if (++count > mostUris) break;
    const start = match.index + match[0].length;
    notBase64.lastIndex = start;
    const end = notBase64.exec(text)?.index ?? text.length;
    const base64 = text.slice(start, end).replaceAll('\\/', '/');
    pieces.push(
      text.slice(from, match.index),
      replacement(match[1]!.replace('\\', '').toLowerCase(), base64),
    );
    from = end;
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(from);
};

const reference = /"attachment:([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})"/gi;

/** Ids of the attachments that JSON texts name. */
export const attachmentIds = (texts: readonly string[]): string[] => [
  ...new Set(texts.flatMap((text) => [...text.matchAll(reference)].map(([, id]) => id!.toLowerCase()))),
];

const mightHold = (text: string): boolean => text.includes(';base64,') || text.includes('"attachment:');

/** Further input for a hash over these texts: that files are shown, and the content of the attachments. */
export const mediaDigests = (texts: readonly string[], attached?: Attached): string[] =>
  texts.some((text) => text.search(beginning) >= 0 || text.search(reference) >= 0)
    ? ['media', ...attachmentIds(texts).map((id) => `${id} ${attached?.get(id)?.sha256 ?? 'missing'}`)]
    : [];

type TokenFor = (source: string, make: () => Omit<Found, 'token'>) => string;

/** Assigns the tokens; the same file gets the same token. */
const openTokens = (nonce: string): { tokenFor: TokenFor; found: () => Found[] } => {
  const bySource = new Map<string, Found>();
  return {
    tokenFor: (source, make) => {
      let known = bySource.get(source);
      if (!known) {
        known = { token: `[media-${nonce}-${bySource.size + 1}]`, ...make() };
        bySource.set(source, known);
      }
      return known.token;
    },
    found: () => [...bySource.values()],
  };
};

const takeUris = (text: string, tokenFor: TokenFor): string =>
  replaceUris(text, (mediaType, base64) => {
    const bytes = Buffer.from(base64, 'base64');
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return tokenFor(`${mediaType} ${sha256}`, () => ({
      base64,
      shown: { mediaType, sizeBytes: bytes.length, sha256 },
    }));
  });

const takeReferences = (text: string, attached: Attached, tokenFor: TokenFor): string =>
  text.replace(reference, (_, given: string) => {
    const id = given.toLowerCase();
    const file = attached.get(id);
    const shown = file && {
      mediaType: file.mediaType.split(';', 1)[0]!.trim().toLowerCase(),
      sizeBytes: file.sizeBytes,
      sha256: file.sha256,
      attachmentId: id,
    };
    return `"${tokenFor(id, () => ({ attachmentId: id, shown }))}"`;
  });

/**
 * Replaces each file in JSON texts of a record by a token. A file is a data URI, or a value that is `attachment:<id>`. The nonce must not
 * occur in the texts, so that no text can hold a token.
 */
export const takeMedia = <T extends Record<string, string>>(
  texts: T,
  nonce: string,
  attached: Attached = new Map(),
): { texts: T; found: Found[] } => {
  const { tokenFor, found } = openTokens(nonce);
  const taken = Object.entries(texts).map(([name, text]) => [
    name,
    mightHold(text) ? takeReferences(takeUris(text, tokenFor), attached, tokenFor) : text,
  ]);
  return { texts: Object.fromEntries(taken) as T, found: found() };
};

const escaped = (text: string): string => text.replaceAll(/[[\]]/g, '\\$&');

const kindOf = (mediaType: string): string =>
  mediaType === 'application/pdf' ? 'PDF' : mediaType.split('/', 1)[0]!;

const images = /^image\/(png|jpeg|gif|webp)$/;
const pdf = /^application\/pdf$/;
const openAiAudio = /^audio\/(wav|mpeg|mp3)$/;
/** Media types that each provider's API can carry. The provider decides whether the model accepts them. */
const taken: Record<ProviderKind, RegExp[]> = {
  openai: [images, pdf, openAiAudio],
  azure: [images, pdf, openAiAudio],
  'openai-compatible': [images, pdf, openAiAudio],
  anthropic: [images, pdf],
  bedrock: [images, pdf],
  google: [/^image\//, pdf, /^(audio|video)\//],
  fake: [/./],
};

/** Other names of the same types. */
const usual: Record<string, string> = {
  'image/jpg': 'image/jpeg',
  'audio/x-wav': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
  'audio/mp3': 'audio/mpeg',
};

/** A text with files, ready to be sent; or the reason why not, which becomes the reason of an unscored score. */
export type Placed =
  /** `text` is the content without the files; it has a label before each. */
  { content: Content; text: string; media: ShownMedia[] } | { reason: string };

/**
 * Puts the files back into a rendered text, as parts of the message. A file that occurs several times is sent at its first place; the other
 * places keep only its label.
 */
export const placeMedia = async (
  rendered: string,
  found: readonly Found[],
  { attached, kind }: { attached?: Attached | undefined; kind: ProviderKind },
): Promise<Placed> => {
  const used = found
    .map((file) => ({ ...file, at: rendered.indexOf(file.token) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at);
  if (used.length === 0) return { content: rendered, text: rendered, media: [] };
  const media: ShownMedia[] = [];
  for (const { shown, attachmentId } of used) {
    if (!shown) return { reason: `media_missing: attachment:${attachmentId}` };
    const mediaType = usual[shown.mediaType] ?? shown.mediaType;
    if (!taken[kind].some((type) => type.test(mediaType)))
      return { reason: `media_unsupported: providers of kind ${kind} take no ${mediaType}` };
    media.push({ ...shown, mediaType });
  }
  if (media.length > mediaLimits.files)
    return { reason: `media_limit: ${media.length} files, and at most ${mediaLimits.files} are sent` };
  const bytes = media.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (bytes > mediaLimits.bytes)
    return {
      reason: `media_limit: the files have ${bytes} bytes, and at most ${mediaLimits.bytes} are sent`,
    };

  const labels = new Map(used.map(({ token }, i) => [token, `[${kindOf(media[i]!.mediaType)} ${i + 1}]`]));
  // Split at the tokens and not at the labels: a record can contain the text of a label, but never a token.
  const pieces = rendered.split(new RegExp(`(${used.map(({ token }) => escaped(token)).join('|')})`));
  const text = pieces.map((piece) => labels.get(piece) ?? piece).join('');
  const content: Exclude<Content, string> = [];
  let before = '';
  const sent = new Set<string>();
  for (const piece of pieces) {
    before += labels.get(piece) ?? piece;
    if (!labels.has(piece) || sent.has(piece)) continue;
    sent.add(piece);
    const { base64, attachmentId } = used.find(({ token }) => token === piece)!;
    const read = base64 ?? (await attached?.get(attachmentId!)?.read())?.toString('base64');
    if (read === undefined) return { reason: `media_missing: attachment:${attachmentId}` };
    const { mediaType } = media[sent.size - 1]!;
    content.push(before, { mediaType, base64: read });
    before = '';
  }
  // Providers refuse a part that is only white space.
  if (before.trim() !== '') content.push(before);
  return { content, text, media };
};

/** Returns a text as a message in which each file that is a data URI is shown. */
export const showUris = (text: string, kind: ProviderKind): Promise<Placed> => {
  const { tokenFor, found } = openTokens(createHash('sha256').update(text).digest('hex').slice(0, 16));
  return placeMedia(takeUris(text, tokenFor), found(), { kind });
};

/** Adds a paragraph to a message. */
export const followedBy = (content: Content, text: string): Content =>
  typeof content === 'string' ? `${content}\n\n${text}` : [...content, `\n\n${text}`];
