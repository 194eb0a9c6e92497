import { expect, it } from 'vitest';
import { evidenceFacts } from '../resources/records/evidence.tsx';
import { bytesOf, dataFileOf, dataUrisIn } from './media.ts';

it('a value is a file only as a whole data URI', () => {
  expect(dataFileOf('data:image/png;base64,aGVsbG8h')).toEqual({ mediaType: 'image/png', sizeBytes: 6 });
  expect(dataFileOf('See data:image/png;base64,aGVsbG8h')).toBeUndefined();
  expect(dataFileOf('data:text/plain;base64,aGVsbG8h')).toBeUndefined();
  expect(dataFileOf({})).toBeUndefined();
});

it('files are found in any depth and within texts, with the size that they have', () => {
  const [png, wav] = ['data:image/png;base64,aGVsbG8=', 'data:audio/wav;base64,aA=='];
  const found = dataUrisIn({
    a: { b: [png] },
    c: `![x](${wav}) and text`,
    d: 1,
    e: 'data:text/plain;base64,aA==',
  });
  expect(found).toEqual([png, wav]);
  expect(found.map((uri) => [bytesOf(uri).length, dataFileOf(uri)?.sizeBytes])).toEqual([
    [5, 5],
    [1, 1],
  ]);
});

it('the evidence says which files the judge saw', () => {
  const media = [{ mediaType: 'image/png', sizeBytes: 2048, sha256: 'abcdef0123456789' }];
  expect(evidenceFacts({ modelAsked: 'm', media })).toContainEqual([
    'Files that the judge saw',
    '1: image/png, 2.0 kB, SHA-256 abcdef01…',
  ]);
});
