import { execFile } from 'node:child_process';
import { createHash, createPublicKey } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { checkDecision, exitOf } from '../../client/src/decision-file/check.ts';
import { openDecisionFile } from '../../client/src/decision-file/file.ts';
import { recompute } from '../../server/src/agents/decision-file/recompute.ts';
import { noScience, python } from '../../server/test/science.ts';
import { openWorld, type ScoreOf, type WorldOptions } from './decision-world.ts';
import { openTerminal, type Terminal } from './terminal.ts';

const second = fileURLToPath(new URL('../../examples/verify-decision/verify_decision.py', import.meta.url));

/** Verifies files by the second verifier, in one process: SciPy takes seconds to load. */
const verifyByScience = (files: readonly string[]): Promise<{ codes: number[]; sentence: string }[]> =>
  new Promise((resolve, reject) => {
    const program = `import json, sys; from verify_decision import verify
print(json.dumps([[list(one) for one in verify(open(file, encoding="utf-8", newline="").read())] for file in sys.argv[1:]]))`;
    execFile(
      python!,
      ['-c', program, ...files],
      { env: { PYTHONPATH: dirname(second), PYTHONDONTWRITEBYTECODE: '1' } },
      (error, out) =>
        error
          ? reject(error)
          : resolve(
              (JSON.parse(out) as [number, string][][]).map((found) => ({
                codes: found.map(([code]) => code),
                sentence: found
                  .slice(-2)
                  .map(([, sentence]) => sentence)
                  .join(' '),
              })),
            ),
    );
  });

let terminal: Terminal;
beforeAll(async () => {
  terminal = await openTerminal();
});
afterAll(() => terminal.close());

it('a gate that is a look of a ledger is computed again at the level of its look', async () => {
  const rules =
    'metrics: { Right: { nonInferiority: { margin: 0.05 } } }\nledger: { alpha: 0.05, per: year }';
  const world = await openWorld(terminal, (i) => i % 10 < 7, { rules });
  const id = await world.register();
  const run = await world.makeRun(2, (i) => i % 10 < 9);
  const { code, sentences } = await world.verified(id, run, 'ledger.json');
  expect([code, sentences.at(-1)]).toEqual([0, expect.stringMatching(/^The verdict is the same: /)]);
  expect(await terminal.read('ledger.json')).toMatch(/Look 1 of this year at the testset, tested at 1\.9 %/);
});

it('a decision leaves as one file, from which anyone gets the same numbers and verdict', async () => {
  const world = await openWorld(terminal, (i) => i % 10 < 7);
  const id = await world.register();
  const run = await world.makeRun(2, (i) => i % 10 < 9);
  const { code, sentences } = await world.verified(id, run, 'decision.json', '--commit', 'ab'.repeat(20));
  const der = createPublicKey((await terminal.dokima(['judge', 'key'])).out).export({
    type: 'spki',
    format: 'der',
  });
  const fingerprint = createHash('sha256').update(der).digest('hex');
  expect([code, sentences]).toEqual([
    0,
    [
      expect.stringMatching(/^The file is whole: signed with key [0-9a-f]{16}\.$/),
      expect.stringContaining(`this one is from the file: SHA-256 ${fingerprint}. Compare it`),
      expect.stringMatching(
        /^It is about commit \(abababababab\) and version [0-9a-f-]{36} \([0-9a-f]{12}\)\.$/,
      ),
      expect.stringMatching(/^It was registered at \S+Z, before the run was created at \S+Z\.$/),
      'The run answers 60 of the 60 registered testcases, unchanged; 60 were planned.',
      'The rules are those that were registered.',
      '1 run of the testset had scores since the registration, and 1 look at verdicts left the service.',
      expect.stringMatching(/^\d+ numbers follow from the data, to 1e-9\.$/),
      'The verdict is the same: pass.',
    ],
  ]);
  if (noScience === null) {
    const [theirs] = await verifyByScience([join(terminal.directory, 'decision.json')]);
    expect(theirs!.sentence).toMatch(/ numbers follow from the data\. The verdict is the same: pass\.$/);
  }
  const text = await terminal.read('decision.json');
  expect(text).not.toContain('Question 1');
  await terminal.write('changed.json', text.replace('"value":1', '"value":0'));
  const changed = await terminal.dokima(['verify', 'changed.json']);
  expect([changed.code, changed.out]).toEqual([2, expect.stringContaining('The signature does not fit')]);

  const more = ['--html', 'decision.html', '--eee', 'eee', '--predicate', 'predicate.json', '--texts'];
  const whole = JSON.parse(await world.exported(id, run, 'texts.json', ...more));
  const { predicate } = whole.statement;
  expect(JSON.parse(await terminal.read('predicate.json'))).toEqual(predicate);
  const [{ inputs, inputsHash }] = predicate.data.runs[0].records;
  expect(JSON.parse(inputs)).toEqual({ question: 'Question 0?' });
  expect(createHash('sha256').update(inputs).digest('hex')).toBe(inputsHash);
  const html = await terminal.read('decision.html');
  expect(html).toContain('<strong>Verdict: pass</strong>');
  expect(html).not.toMatch(/<script|src=|href=/);
  expect((await readdir(join(terminal.directory, 'eee'))).length).toBeGreaterThan(0);

  const { publicKeyPem } = await terminal.client.getPassportKey();
  await terminal.write('service.pem', publicKeyPem);
  const known = await terminal.dokima(['verify', 'decision.json', '--key', 'service.pem']);
  expect([known.code, known.out]).toEqual([0, expect.not.stringContaining('The key is the one in the file')]);
});

type Kind = WorldOptions & {
  before: ScoreOf;
  after: ScoreOf;
  verdict?: string;
};

/** A share of 0 to 1 that looks drawn, the same each time. */
const drawn = (i: number, of: number): number => (((i + 1) * 7_919 + of * 104_729) % 1_009) / 1_009;

const kinds: Record<string, Kind> = {
  'pass, of a binary metric': { before: (i) => i % 10 < 7, after: (i) => i % 10 < 9 },
  'worse, of a binary metric': {
    verdict: 'worse',
    before: (i) => i % 10 < 9,
    after: (i) => i % 10 < 5,
    rules: 'metrics: { Right: { noRegression: {}, notBelow: 0.6, atLeast: 0.4 } }',
  },
  'not enough data, of a binary metric': {
    verdict: 'inconclusive',
    before: (i) => i % 10 < 7,
    after: (i) => (i + 2) % 10 < 7,
  },
  'a float metric': {
    before: (i) => drawn(i, 1),
    after: (i) => Math.min(1, drawn(i, 1) * 0.8 + drawn(i, 2) * 0.3),
    metric: { outputType: 'float', passingThreshold: 0.5 },
    rules: 'metrics: { Right: { of: score, nonInferiority: { margin: 0.1 }, atLeast: 0.3 } }',
  },
  'few testcases of a float metric': {
    verdict: 'inconclusive',
    before: (i) => drawn(i, 3),
    after: (i) => drawn(i, 4),
    metric: { outputType: 'float', passingThreshold: 0.5 },
    rules: 'metrics: { Right: { of: score, superiority: {} } }',
    count: 11,
  },
  labels: {
    verdict: 'inconclusive',
    before: (i) => ['right', 'partly', 'wrong'][i % 3]!,
    after: (i) => ['right', 'right', 'wrong', 'partly'][i % 4]!,
    metric: {
      outputType: 'category',
      labels: { items: ['right', 'partly', 'wrong'], passing: ['right', 'partly'], ordered: true },
    },
  },
  'trials, one of them without a score': {
    before: (i, trial) => (i + trial) % 4 > 0,
    after: (i, trial) => (i === 0 && trial === 2 ? null : (i + trial) % 5 > 0),
    trials: 3,
    rules: 'mayLack: 1\nmetrics: { Right: { nonInferiority: { margin: 0.1 }, noRegression: {} } }',
  },
  'clusters of unequal size': {
    verdict: 'inconclusive',
    before: (i) => Math.floor(i / 4) % 3 > 0,
    after: (i) => Math.floor(i / 4) % 5 > 0 && i % 11 > 0,
    groupSize: 4,
    count: 61,
    rules: 'metrics: { Right: { nonInferiority: { margin: 0.05 }, atLeast: 0.5 } }',
  },
};

it.skipIf(noScience !== null)(
  'two verifiers that share no code agree on every number and verdict',
  async () => {
    const files: string[] = [];
    const ours: number[] = [];
    for (const [i, { before, after, ...options }] of Object.values(kinds).entries()) {
      const world = await openWorld(terminal, before, options);
      const id = await world.register();
      const exported = await world.exported(id, await world.makeRun(2, after), `kind${i}.json`);
      const opened = openDecisionFile(Buffer.from(exported));
      if (opened.state !== 'whole') throw new Error(opened.sentence);
      ours.push(exitOf(checkDecision(opened.file, opened, await recompute(opened.file.statement.predicate))));
      files.push(join(terminal.directory, `kind${i}.json`));
    }
    const theirs = await verifyByScience(files);
    expect(theirs.map(({ codes }) => codes.find((code) => code > 0) ?? 0)).toEqual(ours);
    expect(Object.keys(kinds).map((kind, i) => [kind, theirs[i]!.sentence])).toEqual(
      Object.entries(kinds).map(([kind, { verdict = 'pass' }]) => [
        kind,
        expect.stringMatching(
          new RegExp(`^\\d+ numbers follow from the data\\. The verdict is the same: ${verdict}\\.$`),
        ),
      ]),
    );
  },
);

it('six cheaters are named in words by the gate, and by anyone who verifies the exported file', async () => {
  const judged = {
    evalType: 'ai',
    guidelines: 'Right?',
    promptTemplate: '{{ outputs }}',
    temperature: 0,
  } as const;
  const world = await openWorld(terminal, (i) => i % 10 < 8, {
    metric: { ...judged, evalModelName: 'fake/a' },
  });
  const { client } = terminal;
  const said = async (id: string, run: string) => {
    const gate = await terminal.dokima([
      'gate',
      run,
      '-b',
      world.baseline,
      '--decision',
      id,
      '--json',
      '--project',
      world.project.id,
    ]);
    const { code, sentences } = await world.verified(id, run, 'cheat.json', '--config', 'dokima.yaml');
    const listed = gate.json().registered.deviations.map(({ sentence }: { sentence: string }) => sentence);
    expect(sentences.map((one) => one.toLowerCase())).toEqual(
      expect.arrayContaining(listed.map((one: string) => `${one}.`.toLowerCase())),
    );
    return { code, listed };
  };

  const looked = await world.makeRun(2, (i) => i % 10 < 9);
  const id = await world.register('covers: 0.5\nmetrics: { Right: { nonInferiority: { margin: 0.02 } } }');
  const after = await said(id, looked);
  expect(after).toEqual({
    code: 3,
    listed: [expect.stringMatching(/^the decision was registered at .*: its results could be known$/)],
  });

  const hidden = await world.makeRun(3, (i) => i % 10 < 7);
  await client.deleteRun(hidden);
  const [hard, easy] = [world.testcaseIds.slice(48), world.testcaseIds.slice(0, 48)];
  await client.deleteTestcases({ ids: hard });
  await client.updateMetric(world.metric.id, { ...judged, outputType: 'boolean', evalModelName: 'fake/b' });
  const [, last] = [
    await world.makeRun(4, (i) => i % 10 < 7, easy),
    await world.makeRun(4, (i) => i % 10 < 8, easy),
  ];
  await world.writeRules('covers: 0.5\nmetrics: { Right: { nonInferiority: { margin: 0.2 } } }');
  const cheated = await said(id, last);
  // By the registered margin there is not enough data.
  expect(cheated.code).toBe(1);
  expect(cheated.listed).toEqual([
    expect.stringMatching(/^0 testcases added, 0 changed and 12 removed between the registration/),
    'another judge scores Right: fake/b in place of fake/a',
    expect.stringMatching(/answers 48 of the 60 registered testcases$/),
    'it rests on 48 testcases, and 60 were planned',
    expect.stringMatching(/^the same version was run 2 times since the registration: run \d+ too$/),
    '1 run was deleted in this project since the registration: looks may be hidden',
    expect.stringMatching(/nonInferiority\.margin was 0\.02 and is 0\.2; the margin is wider$/),
  ]);
});
