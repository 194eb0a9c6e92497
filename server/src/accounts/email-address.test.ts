import { expect, it } from 'vitest';
import { isEmailAddress } from './email-address.ts';

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
