import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { execPath } from 'node:process';
import { text } from 'node:stream/consumers';
import {
  checkDecision,
  exitOf,
  type Finding,
  type FindingState,
  type Recomputed,
} from '../../../client/src/decision-file/check.ts';
import { openDecisionFile, type Predicate } from '../../../client/src/decision-file/file.ts';
import { type Command, takeArguments } from '../command.ts';
import { CliError } from '../errors.ts';
import { program } from '../files/own-service.ts';

const marks: Record<FindingState, string> = {
  ok: 'ok        ',
  note: 'note      ',
  deviation: 'DEVIATION ',
  incomplete: 'INCOMPLETE',
  otherVerdict: 'OTHER     ',
  tampered: 'TAMPERED  ',
};

/** Computes the numbers again by the statistics of the service, in another process. It opens no database and no port. */
const recomputed = async (predicate: Predicate): Promise<Recomputed> => {
  const child = spawn(execPath, [program, 'recompute'], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME },
  });
  // The process may end before it has read everything; its own words say why.
  child.stdin.on('error', () => {});
  child.stdin.end(JSON.stringify(predicate));
  const [out, said] = await Promise.all([text(child.stdout), text(child.stderr)]);
  try {
    return JSON.parse(out) as Recomputed;
  } catch {
    return { missing: said.trim().split('\n').at(-1) || 'the statistics did not answer' };
  }
};

/** Lists everything that was found, and what it amounts to. */
const textOf = (findings: readonly Finding[], code: number): string => {
  const results = [
    'VERIFIED: the numbers and the verdict are those of the file, as registered',
    'OTHER VERDICT: the data or the registered rules decide otherwise',
    'TAMPERED: do not trust this file',
    'INCOMPLETE: the file does not show what was registered',
  ];
  return [results[code], '', ...findings.map(({ state, sentence }) => `${marks[state]} ${sentence}`)].join(
    '\n',
  );
};

export const verify: Command = {
  name: 'verify',
  takes: 'FILE',
  summary: 'Check the file of a decision without a service, and compute its numbers again.',
  about: `It checks the signature, that the decision was registered before its run, that rules, testcases, judges, baseline and level are the registered
ones, and that every number and the verdict follow from the data. Exit code: 0 the same verdict, as registered; 1 another verdict; 2 tampered;
3 incomplete: something departs from what was registered, or is missing; 4 the command could not do its work.`,
  options: {
    key: {
      type: 'string',
      value: 'FILE',
      about:
        'Public key of the service (PEM), as GET /passport-key has it. Without it, the key in the file counts.',
    },
  },
  examples: ['dokima verify decision.json', 'dokima verify decision.json --key service.pem'],
  run: async ({ out, inputPath }, args, values) => {
    const [file] = takeArguments('verify', args, 'The file') as [string];
    const key = values.text('key');
    const publicKeyPem = key === undefined ? undefined : await readFile(await inputPath(key), 'utf8');
    const bytes = await readFile(await inputPath(file)).catch((error) => {
      throw new CliError(`${file} cannot be read: ${error.message}`);
    });
    const opened = openDecisionFile(bytes, publicKeyPem);
    const findings =
      opened.state === 'whole'
        ? checkDecision(opened.file, opened, await recomputed(opened.file.statement.predicate))
        : [opened];
    const code = exitOf(findings);
    out.result(textOf(findings, code), {
      exitCode: code,
      findings: findings.map(({ state, sentence }) => ({ state, sentence })),
    });
    return code;
  },
};
