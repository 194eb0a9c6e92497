import { afterEach, expect, it, vi } from 'vitest';
import { deleteDraftsOf, keepDraftsOf } from './local-storage.ts';

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

it('drafts stay for the person who wrote them, and are deleted for the next one at this browser', () => {
  const stored: Record<string, unknown> = { 'draft review 7-1': '{"a":true}', theme: 'dark' };
  const storage = Object.assign(stored, {
    getItem: (key: string) => stored[key] ?? null,
    setItem: (key: string, value: string) => {
      stored[key] = value;
    },
    removeItem: (key: string) => {
      delete stored[key];
    },
  });
  vi.stubGlobal('localStorage', storage);
  vi.stubGlobal('indexedDB', undefined);
  keepDraftsOf('ada@example.org');
  keepDraftsOf('ada@example.org');
  expect(stored['draft review 7-1']).toBe('{"a":true}');
  keepDraftsOf('ben@example.org');
  expect([stored['draft review 7-1'], stored.theme, stored['drafts of']]).toEqual([
    undefined,
    'dark',
    '"ben@example.org"',
  ]);
});
