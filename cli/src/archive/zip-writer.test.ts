import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { zipWriter } from './zip-writer.ts';

// Only Linux has a device that is always full.
it.runIf(process.platform === 'linux')(
  'an archive that finds no room ends with that error, in the midst of a file too',
  async () => {
    const zip = zipWriter('/dev/full');
    const parts = Array.from({ length: 20 }, () => randomBytes(200_000));
    await expect(zip.add('attachment', parts)).rejects.toThrow('ENOSPC');
  },
);
