import { expect, it } from 'vitest';
import { openApp } from '../../test/opened.ts';
import { system } from '../platform/db/database.ts';
import { isEmailAddress, isSameAddress } from './email-address.ts';

const { app } = await openApp();

it.each([
  'kim@corp.example',
  'Kim@Corp.Example',
  'jörg@bücher.example',
  'ΝΊΚΟΣ@corp.example',
  '用户@例え.jp',
  "o'neil+x@a.b",
])('takes %s', (text) => {
  expect(isEmailAddress(text)).toBe(true);
});

it.each([
  ['the Kelvin sign', '\u212aim@corp.example'],
  ['a dotted capital I', '\u0130st@corp.example'],
  ['the Angstrom sign', '\u212bsa@corp.example'],
  ['the Ohm sign', '\u2126@corp.example'],
  ['a capital sharp s', 'wei\u1e9e@corp.example'],
  ['a long s', '\u017fam@corp.example'],
  ['full-width letters', '\uff4bim@corp.example'],
  ['a full-width @', 'kim\uff20corp.example'],
  ['a ligature', 'o\ufb03ce@corp.example'],
  ['a lone surrogate', 'k\ud800@corp.example'],
  ['a NUL', 'k\0@corp.example'],
  ['no domain', 'kim@'],
  ['a space', 'kim x@corp.example'],
])('refuses %s', (_what, text) => {
  expect(isEmailAddress(text)).toBe(false);
});

it.each([
  ['in any case', 'Kim@Corp.Example', 'kIM@cORP.eXAMPLE', true],
  ['with letters beyond ASCII in any case', 'JÖRG@bücher.example', 'jörg@BÜCHER.example', true],
  ['with the Kelvin sign', '\u212aim@corp.example', 'kim@corp.example', false],
  ['with a dotted capital I', '\u0130st@corp.example', 'ist@corp.example', false],
  ['with a dotless i', '\u0131st@corp.example', 'ist@corp.example', false],
  ['with a dotless i and a capital I', '\u0131st@corp.example', 'IST@corp.example', false],
  ['with the Angstrom sign', '\u212bsa@corp.example', 'åsa@corp.example', false],
  ['with the Ohm sign', '\u2126@corp.example', 'ω@corp.example', false],
  ['with a long s', '\u017fam@corp.example', 'sam@corp.example', false],
  ['with a sharp s', 'weiß@corp.example', 'weiss@corp.example', false],
  ['in full width', '\uff4bim@corp.example', 'kim@corp.example', false],
  ['with a composed letter', 'jo\u0308rg@corp.example', 'jörg@corp.example', false],
])('an address %s: %s and %s are one person: %s', async (_what, one, other, expected) => {
  for (const [left, right] of [
    [one, other],
    [other, one],
  ] as const) {
    const [row] = await app.db.read(
      system,
      (sql) => sql<{ same: boolean }[]>`select ${isSameAddress(sql, sql`${left}`, sql`${right}`)} as same`,
    );
    expect(row!.same).toBe(expected);
  }
});
