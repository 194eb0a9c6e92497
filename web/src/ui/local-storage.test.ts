import { afterEach, expect, it, vi } from 'vitest';
import { deleteDraftsOf } from './local-storage.ts';

afterEach(() => vi.unstubAllGlobals());

it('a deletion takes the drafts of what is deleted along, and no others', () => {
  const names = [
    'drafts 7 12',
    'metric 7 3',
    'playground 7 01,02',
    'new metric 7',
    'drafts 7 120',
    'drafts 8 12',
    'comment 7-1 x',
  ];
  const stored: Record<string, unknown> = Object.fromEntries(
    names.map((name) => [`draft ${name}`, 'marker']),
  );
  const storage = Object.assign(stored, {
    removeItem: (key: string) => {
      delete stored[key];
    },
  });
  vi.stubGlobal('localStorage', storage);
  const left = () => names.filter((name) => `draft ${name}` in stored);
  deleteDraftsOf('7', '12');
  expect(left()).toEqual(names.slice(1));
  deleteDraftsOf('7');
  expect(left()).toEqual(['drafts 8 12', 'comment 7-1 x']);
});
