import { expect, it } from 'vitest';
import { evidenceFacts } from '../records/evidence.tsx';
import { dataFileOf } from './media.ts';

it('a value is a file only as a whole data URI', () => {
  expect(dataFileOf('data:image/png;base64,aGVsbG8h')).toEqual({ mediaType: 'image/png', sizeBytes: 6 });
  expect(dataFileOf('See data:image/png;base64,aGVsbG8h')).toBeUndefined();
  expect(dataFileOf('data:text/plain;base64,aGVsbG8h')).toBeUndefined();
  expect(dataFileOf({})).toBeUndefined();
});

it('the evidence says which files the judge saw', () => {
  const media = [{ mediaType: 'image/png', sizeBytes: 2048, sha256: 'abcdef0123456789' }];
  expect(evidenceFacts({ modelAsked: 'm', media })).toContainEqual([
    'Files that the judge saw',
    '1: image/png, 2.0 kB, SHA-256 abcdef01…',
  ]);
});
