import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { AwsClient } from 'aws4fetch';
import { type FreeBytes, reservedBytes, roomKeeper } from '../../platform/db/disk.ts';
import { ApiError } from '../../platform/errors.ts';
import type { ByteRange } from './range.ts';

/** Stores the bytes of attachments by their ids. No data of a client becomes part of a path. */
export type AttachmentStore = {
  /** Stores the whole stream; if that fails, it stores nothing. */
  write(id: string, bytes: Readable, expected: { sizeBytes: number; sha256: string }): Promise<void>;
  /** Returns the bytes, or a range of them; undefined when there are none. */
  read(id: string, range?: ByteRange): Promise<Readable | undefined>;
  /** Returns the size in bytes; undefined when there are none. */
  size(id: string): Promise<number | undefined>;
  /** Deletes the bytes, if there are any. */
  remove(id: string): Promise<void>;
  /** Deletes what uploads left whose process was killed. */
  removeCutOff(): Promise<void>;
};

/** No upload pauses for so long. */
const cutOffMs = 3_600_000;

/** Turns the error of a missing file into undefined. */
const ifMissing = (error: NodeJS.ErrnoException): undefined => {
  if (error.code !== 'ENOENT') throw error;
};

const openDirectory = (directory: string, free?: FreeBytes): AttachmentStore => {
  const requireRoom = roomKeeper(directory, free);
  // A UUID v7 begins with the time and ends with random digits: these spread the files evenly.
  const pathOf = (id: string) => join(directory, id.slice(-2), id);
  const partials = join(directory, 'partial');
  return {
    write: async (id, bytes, { sizeBytes }) => {
      await mkdir(partials, { recursive: true });
      await requireRoom(sizeBytes + reservedBytes);
      const path = pathOf(id);
      // Each upload has its own file, so that a refused upload does not delete the bytes of another one.
      const partial = join(partials, `${id}.${randomUUID()}`);
      await mkdir(dirname(path), { recursive: true });
      try {
        await pipeline(bytes, createWriteStream(partial, { flush: true }));
        await rename(partial, path);
      } catch (error) {
        await rm(partial, { force: true });
        throw error;
      }
    },
    read: async (id, range) => (await open(pathOf(id)).catch(ifMissing))?.createReadStream(range),
    size: async (id) => (await stat(pathOf(id)).catch(ifMissing))?.size,
    remove: (id) => rm(pathOf(id), { force: true }),
    removeCutOff: async () => {
      for (const name of (await readdir(partials).catch(ifMissing)) ?? []) {
        const path = join(partials, name);
        const written = await stat(path).catch(ifMissing);
        if (written && Date.now() - written.mtimeMs > cutOffMs) await rm(path, { force: true });
      }
    },
  };
};

const storeUnavailable = (cause: unknown) =>
  new ApiError('UNAVAILABLE', 'The attachment store does not answer. Try again shortly.', {
    retryAfterSeconds: 2,
    cause,
  });

/** The settings of the store. With DOKIMA_S3_ENDPOINT, all DOKIMA_S3_… are set. */
type StoreSettings = {
  DOKIMA_DATA_DIR: string;
  DOKIMA_S3_ENDPOINT?: string;
  DOKIMA_S3_BUCKET?: string;
  DOKIMA_S3_REGION: string;
  DOKIMA_S3_ACCESS_KEY_ID?: string;
  DOKIMA_S3_SECRET_ACCESS_KEY?: string;
};

const openS3 = (settings: StoreSettings): AttachmentStore => {
  const client = new AwsClient({
    accessKeyId: settings.DOKIMA_S3_ACCESS_KEY_ID!,
    secretAccessKey: settings.DOKIMA_S3_SECRET_ACCESS_KEY!,
    region: settings.DOKIMA_S3_REGION,
    service: 's3',
    // A stream can be sent only once.
    retries: 0,
  });
  const endpoint = settings.DOKIMA_S3_ENDPOINT!.replace(/\/+$/, '');
  const urlOf = (id: string) => `${endpoint}/${settings.DOKIMA_S3_BUCKET}/attachments/${id}`;
  const ask = async (
    id: string,
    init: RequestInit & { duplex?: 'half' },
    accept: number[],
  ): Promise<Response> => {
    const request = await client.sign(urlOf(id), init);
    const response = await fetch(request).catch((error) => {
      throw storeUnavailable(error);
    });
    if (!accept.includes(response.status)) {
      throw storeUnavailable(
        new Error(`${init.method} to the store answered ${response.status}: ${await response.text()}`),
      );
    }
    return response;
  };
  const written = [200, 201, 204];
  return {
    write: async (id, bytes, { sizeBytes, sha256 }) => {
      // Signed with the declared hash, so that the store refuses other bytes as well.
      const headers = { 'x-amz-content-sha256': sha256 };
      if (sizeBytes === 0) {
        // An empty object is complete at once, so the stream must end without an error first.
        await buffer(bytes);
        await ask(id, { method: 'PUT', headers }, written);
        return;
      }
      const body = Readable.toWeb(bytes) as unknown as ReadableStream;
      const known = { ...headers, 'content-length': String(sizeBytes) };
      await ask(id, { method: 'PUT', headers: known, body, duplex: 'half' }, written);
    },
    read: async (id, range) => {
      const headers: Record<string, string> = range ? { range: `bytes=${range.start}-${range.end}` } : {};
      const found = range ? 206 : 200;
      const { status, body } = await ask(id, { method: 'GET', headers }, [found, 404]);
      if (status === found) return Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]);
      // An unread body would keep its connection open.
      await body?.cancel();
      return undefined;
    },
    size: async (id) => {
      const response = await ask(id, { method: 'HEAD' }, [200, 404]);
      return response.status === 404 ? undefined : Number(response.headers.get('content-length'));
    },
    remove: async (id) => {
      await ask(id, { method: 'DELETE' }, [200, 204, 404]);
    },
    // A store completes an object at once, or not at all.
    removeCutOff: async () => {},
  };
};

/** Opens the store that the settings name: an S3-compatible store, or a directory, on whose disk some space is always left free. */
export const openStore = async (settings: StoreSettings, free?: FreeBytes): Promise<AttachmentStore> =>
  settings.DOKIMA_S3_ENDPOINT
    ? openS3(settings)
    : openDirectory(join(settings.DOKIMA_DATA_DIR, 'attachments'), free);
