import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, it } from 'vitest';
import { checkNumbers, differences } from '../../client/src/decision-file/check.ts';
import {
  type FileNumbers,
  fileFormat,
  fileText,
  fileVersion,
  openDecisionFile,
  predicateType,
  statementBytes,
  statementType,
} from '../../client/src/decision-file/file.ts';
import { keyIdOf } from '../../client/src/passport/passport.ts';
import { mutate, seeded } from './mutate.ts';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
const publicKeyPem = publicKey.export({ type: 'spki', format: 'pem' }) as string;

const records = Array.from({ length: 12 }, (_, n) => ({ n, testcase: `1-${n}`, group: null, trial: 1 }));
const statement = {
  _type: statementType,
  subject: [{ name: 'commit', digest: { gitCommit: 'a'.repeat(40) } }],
  predicateType,
  predicate: {
    format: fileFormat,
    version: fileVersion,
    decision: { id: 'b'.repeat(64), document: { question: 'Größer als „2“?', level: 0.95 } },
    data: { runs: [{ records, scores: records.map(({ n }) => ({ n, value: n / 7 })) }] },
    numbers: { outcome: 'pass', checks: [{ rule: 'Right', figure: { n: 12, value: 0.123456789012345 } }] },
  },
};
const signed = (of: object, key = privateKey, pem = publicKeyPem): Buffer =>
  Buffer.from(
    fileText({
      statement: of,
      publicKeyPem: pem,
      signatures: [{ keyid: keyIdOf(pem), sig: sign(null, statementBytes(of), key).toString('base64') }],
    }),
  );
const bytes = signed(statement);

it('a file opens as it was written, with and without the key of the service', () => {
  expect(openDecisionFile(bytes)).toMatchObject({ state: 'whole', isKnownKey: false });
  expect(openDecisionFile(bytes, publicKeyPem)).toMatchObject({ state: 'whole', isKnownKey: true });
});

it('no random change of a file opens: bits, bytes, white space, parts, values, fields', () => {
  const draw = seeded(7);
  const opened: string[] = [];
  for (let i = 0; i < 1_500; i++) {
    const { kind, bytes: changed } = mutate(bytes, draw);
    if (openDecisionFile(changed).state !== 'tampered') opened.push(kind);
  }
  expect(opened).toEqual([]);
});

it('another key, another writing of the same key or signature, and a second signature are refused', () => {
  const other = generateKeyPairSync('ed25519');
  const pem = other.publicKey.export({ type: 'spki', format: 'pem' }) as string;
  const forged = signed(statement, other.privateKey, pem);
  expect(openDecisionFile(forged, publicKeyPem)).toEqual({
    state: 'tampered',
    sentence: expect.stringMatching(
      /^The file was signed with key \w+; the given key is \w+: it may be forged\.$/,
    ),
  });
  const file = JSON.parse(bytes.toString());
  const [{ keyid, sig }] = file.signatures;
  for (const changed of [
    { ...file, publicKeyPem: publicKeyPem.replace('\n', '\n\n') },
    { ...file, signatures: [{ keyid, sig: sig.replace('==', '') }] },
    {
      ...file,
      signatures: [
        { keyid, sig },
        { keyid, sig },
      ],
    },
    { ...file, signatures: [] },
    { ...file, more: 1 },
  ])
    expect(openDecisionFile(Buffer.from(fileText(changed))).state).toBe('tampered');
});

it('numbers are the same to 1e-9, and the verdict is named if it is another', () => {
  const stated = { outcome: 'pass', rates: [{ estimate: 0.5, n: 3 }], checks: [{ said: 'a' }] };
  const near = { outcome: 'pass', rates: [{ estimate: 0.5 + 9e-10, n: 3 }], checks: [{ said: 'b' }] };
  expect(differences(stated, near)).toEqual({ paths: [], numbers: 2 });
  const far = { ...near, rates: [{ estimate: 0.5 + 2e-9, n: 3 }] };
  expect(differences(stated, far).paths).toEqual(['rates.0.estimate']);
  const worse = { ...far, outcome: 'worse' } as unknown as FileNumbers;
  const found = checkNumbers(stated as unknown as FileNumbers, { numbers: worse, byRegistered: worse });
  expect(found.map(({ state }) => state)).toEqual(['tampered', 'otherVerdict', 'otherVerdict']);
});
