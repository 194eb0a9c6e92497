import type { Attachment } from '../../types.ts';

export type PreviewKind = 'image' | 'audio' | 'video' | 'text' | 'pdf' | 'none';

/** How a file can be shown, by its declared type. Files of other types can only be saved. */
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
