import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AwsClient } from 'aws4fetch';
import type { Config } from '../config.ts';
import { unavailable } from '../errors.ts';

/** Where the bytes of attachments are. Names are our own ids; nothing that a client sends becomes part of a path. */
export type AttachmentStore = {
  /** Keeps all of the stream or, when it fails, nothing. */
  write(id: string, bytes: Readable, expected: { sizeBytes: number; sha256: string }): Promise<void>;
  /** The bytes; throws when they are not there. */
  read(id: string): Promise<Readable>;
  /** Size in bytes, or undefined when there are none. */
  size(id: string): Promise<number | undefined>;
  /** Fine when there are none. */
  remove(id: string): Promise<void>;
};

const openDirectory = (directory: string): AttachmentStore => {
  // The end of a UUID v7 is random, its beginning is the time: by the end, directories fill evenly.
  const pathOf = (id: string) => join(directory, id.slice(-2), id);
  return {
    write: async (id, bytes) => {
      const path = pathOf(id);
      const partial = `${path}.${process.pid}.${Date.now()}.partial`;
      await mkdir(dirname(path), { recursive: true });
      try {
        await pipeline(bytes, createWriteStream(partial, { flush: true }));
        await rename(partial, path);
      } catch (error) {
        await rm(partial, { force: true });
        throw error;
      }
    },
    read: async (id) => {
      await stat(pathOf(id));
      return createReadStream(pathOf(id));
    },
    size: (id) =>
      stat(pathOf(id)).then(
        (file) => file.size,
        () => undefined,
      ),
    remove: (id) => rm(pathOf(id), { force: true }),
  };
};

const openS3 = (config: Config): AttachmentStore => {
  const client = new AwsClient({
    accessKeyId: config.DOKIMA_S3_ACCESS_KEY_ID!,
    secretAccessKey: config.DOKIMA_S3_SECRET_ACCESS_KEY!,
    region: config.DOKIMA_S3_REGION,
    service: 's3',
    // A stream can be sent only once.
    retries: 0,
  });
  const urlOf = (id: string) => `${config.DOKIMA_S3_ENDPOINT}/${config.DOKIMA_S3_BUCKET}/attachments/${id}`;
  const ask = async (
    id: string,
    init: RequestInit & { duplex?: 'half' },
    accept: number[],
  ): Promise<Response> => {
    const request = await client.sign(urlOf(id), init);
    const response = await fetch(request).catch((error) => {
      throw unavailable(error);
    });
    if (!accept.includes(response.status)) {
      throw unavailable(
        new Error(`${init.method} to the store answered ${response.status}: ${await response.text()}`),
      );
    }
    return response;
  };
  return {
    write: async (id, bytes, { sizeBytes, sha256 }) => {
      // Signed with the hash that was declared, so the store refuses other bytes as well.
      const headers = { 'content-length': String(sizeBytes), 'x-amz-content-sha256': sha256 };
      const body = Readable.toWeb(bytes) as unknown as ReadableStream;
      await ask(id, { method: 'PUT', headers, body, duplex: 'half' }, [200, 201, 204]);
    },
    read: async (id) => {
      const { body } = await ask(id, { method: 'GET' }, [200]);
      return Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]);
    },
    size: async (id) => {
      const response = await ask(id, { method: 'HEAD' }, [200, 404]);
      return response.status === 404 ? undefined : Number(response.headers.get('content-length'));
    },
    remove: async (id) => {
      await ask(id, { method: 'DELETE' }, [200, 204, 404]);
    },
  };
};

/** The store that the settings name: S3-compatible, else a directory. */
export const openStore = async (config: Config): Promise<AttachmentStore> =>
  config.DOKIMA_S3_ENDPOINT ? openS3(config) : openDirectory(join(config.DOKIMA_DATA_DIR, 'attachments'));
