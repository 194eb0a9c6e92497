import { DokimaError } from './errors.ts';
import type { Attachment, InitiateAttachmentBody, Operations } from './generated.ts';
import type { CallOptions } from './types.ts';

/** A file to attach. Its size and digest are computed from its bytes. */
export type Upload = Omit<InitiateAttachmentBody, 'sha256' | 'sizeBytes'> & {
  bytes: Uint8Array<ArrayBuffer>;
};

const hex = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

export const attachmentCalls = (api: Operations, fetch: typeof globalThis.fetch) => ({
  /** Declares a file, sends its bytes and commits it. Does not send bytes that the service already has. */
  uploadFile: async ({ bytes, ...declared }: Upload, options: CallOptions = {}): Promise<Attachment> => {
    const sha256 = hex(await crypto.subtle.digest('SHA-256', bytes));
    const started = await api.initiateAttachment({ ...declared, sha256, sizeBytes: bytes.length }, options);
    if (started.uploadUrl !== null) {
      const response = await fetch(started.uploadUrl, {
        method: started.uploadMethod ?? 'PUT',
        body: bytes,
        ...(options.signal && { signal: options.signal }),
      });
      if (!response.ok) {
        const text = await response.text();
        throw new DokimaError(`HTTP_${response.status}`, `The bytes were refused: ${text.slice(0, 500)}`, {
          status: response.status,
        });
      }
    }
    return api.commitAttachment(started.id, { signal: options.signal });
  },
});
