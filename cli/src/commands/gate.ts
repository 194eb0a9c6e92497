import { existsSync } from 'node:fs';
import { appendFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { evaluateGate } from '../../../client/src/gate/evaluate.ts';
import { type Held, heldNotes, holdAgainst } from '../../../client/src/gate/held-against.ts';
import { type Policy, readPolicy, runNames } from '../../../client/src/gate/policy.ts';
import { isObject } from '../../../client/src/gate/policy-fields.ts';
import { policyNames } from '../../../client/src/gate/ready-policies.ts';
import { rootOf } from '../../../client/src/http.ts';
import { mergeBaseFinder } from '../../../client/src/results/merge-base.ts';
import { type Command, type Context, projectOption, takeArguments, type Values } from '../command.ts';
import { resolveAccess } from '../config.ts';
import { readDocument } from '../document.ts';
import { CliError } from '../errors.ts';
import { withFiles } from '../files/run-files.ts';
import { pullRequestComment } from '../gate/comment.ts';
import { keepComment } from '../gate/pull-request.ts';
import { githubReport, junitReport, markdownReport, terminalReport } from '../gate/report.ts';
import { sealedGate } from '../gate/sealed.ts';
import { storeVerdict } from '../gate/store-verdict.ts';

const defaultLevel = 0.95;

const markPattern = /^[A-Za-z0-9][A-Za-z0-9._/-]{0,99}$/;

const levelOf = (given: string | undefined): number => {
  const level = given === undefined ? defaultLevel : Number(given);
  if (level >= 0.5 && level <= 0.999) return level;
  throw new CliError(`--level must be a number from 0.5 to 0.999, not '${given}'.`);
};

/** Reads the rules of a file, over those of the ready policy that the command names. */
const readRules = async (
  path: string,
  { file, ready, isOptional }: { file: string; ready: string | undefined; isOptional: boolean },
): Promise<{ policy: Policy; document: unknown }> => {
  const read = (isOptional && !existsSync(path) ? undefined : await readDocument(path)) ?? {};
  const document = ready !== undefined && isObject(read) ? { ...read, policy: ready } : read;
  return { policy: readPolicy(document, file), document };
};

type Evaluated = Awaited<ReturnType<typeof evaluateGate>>;

/** Holds the run against the registered decision that the command names, if it names one, and says it in the notes. */
const withDecision = async (
  client: Awaited<ReturnType<Context['client']>>,
  evaluated: Evaluated,
  asked: { decisionId: string | undefined; projectId: string | undefined; rules: unknown },
): Promise<Evaluated & { held?: Held }> => {
  const { decisionId, projectId, rules } = asked;
  if (decisionId === undefined) return evaluated;
  if (projectId === undefined)
    throw new CliError(
      '--decision needs a project.',
      'Name it in the file with the rules, or with --project.',
    );
  const { about, decision } = evaluated;
  const { level } = decision;
  const held = await holdAgainst(client, { projectId, decisionId }, { about, rules, level });
  return { ...evaluated, held, about: { ...about, notes: [...heldNotes(held), ...about.notes] } };
};

/** Writes the reports that the options name, and those that GitHub Actions reads. */
const writeReports = async (
  { out, environment, directory }: Context,
  values: Values,
  { decision, about }: Evaluated,
): Promise<void> => {
  const write = async (option: string, text: string) => {
    const path = values.text(option);
    if (path !== undefined) await writeFile(resolve(directory, path), text);
  };
  await write('markdown', markdownReport(decision, about));
  await write('junit', junitReport(decision, about));
  if (environment.GITHUB_STEP_SUMMARY) {
    await appendFile(environment.GITHUB_STEP_SUMMARY, markdownReport(decision, about));
  }
  // GitHub reads its commands from both streams. They go to stderr, so that stdout holds the result alone.
  if (environment.GITHUB_ACTIONS === 'true') out.note(githubReport(decision).trimEnd());
};

/** Keeps the comment on the pull request. A verdict counts even if that fails: pull requests from forks have a token that may not write. */
const commentOn = async (
  { out, environment, client: open }: Context,
  values: Values,
  { decision, about }: Evaluated,
  { projectId, file, level }: { projectId: string | undefined; file: string; level: number },
): Promise<void> => {
  if (projectId === undefined)
    throw new CliError(
      '--comment needs a project.',
      'Name it in the file with the rules, or with --project.',
    );
  const { url } = await resolveAccess(environment, values.text('url'));
  const place = { client: await open(), url: rootOf(url), projectId, level };
  await keepComment(environment, `dokima gate: project ${projectId}, ${file}`, () =>
    pullRequestComment(place, decision, about),
  ).then(
    (written) => out.note(written ? 'The comment is up to date.' : 'There is no pull request to comment on.'),
    (error) => out.note(`The comment could not be written: ${error.message} ${error.next ?? ''}`.trim()),
  );
};

export const gate: Command = withFiles(
  {
    name: 'gate',
    looksAs: 'gate',
    takes: 'RUN',
    summary: 'Decide by the rules of a dokima.yaml whether a run passes.',
    about: `Exit code: 0 pass; 1 worse; 2 not enough data to decide; 3 incomplete (scores, testcases or labels are missing); 4 the
command could not do its work. All reports show the same results. In GitHub Actions the command also writes annotations on the pull
request and the summary of the step.`,
    options: {
      ...projectOption,
      config: { type: 'string', value: 'FILE', about: 'File with the rules. Default dokima.yaml.' },
      policy: {
        type: 'string',
        value: 'NAME',
        about: `Ready rules: ${policyNames.join(', ')}. What the file says replaces that part of them; without a file they count alone.`,
      },
      baseline: {
        type: 'string',
        short: 'b',
        multiple: true,
        value: 'RUN',
        about:
          'Run to compare with, latest:MARK, latest:MARK*3 for the last three together, first:MARK or merge-base:BRANCH, instead of the one in the file. Can be repeated.',
      },
      mark: {
        type: 'string',
        value: 'MARK',
        about:
          'Mark the run if it passes, so that latest:MARK finds it. Stores the verdict too, as --store does.',
      },
      store: {
        type: 'boolean',
        about:
          'Store the verdict with the run: its page shows it, alerts send it, and lists of runs find it.',
      },
      comment: {
        type: 'boolean',
        about:
          'Keep one comment on the pull request of GitHub or the merge request of GitLab up to date, where the CI works on one.',
      },
      decision: {
        type: 'string',
        value: 'ID',
        about:
          'List where the run, the rules and the baseline depart from this registered decision. It refuses nothing.',
      },
      sealed: {
        type: 'string',
        value: 'SEAL',
        about:
          'Take a look at this sealed split: RUN is then a version, which the service calls. Only the answer is shown.',
      },
      level: { type: 'string', value: 'LEVEL', about: 'Confidence level of the intervals. Default 0.95.' },
      markdown: { type: 'string', value: 'FILE', about: 'Write a report for a pull request to this file.' },
      junit: { type: 'string', value: 'FILE', about: 'Write JUnit XML to this file.' },
    },
    examples: [
      'dokima gate 17 --baseline 12',
      'dokima gate 17 --policy pull-request --project 2',
      'dokima gate after.csv --baseline before.csv --policy pull-request',
      'dokima gate 17 --baseline latest:main --junit gate.xml --markdown gate.md',
      'dokima gate 17 --baseline latest:main --store',
      'dokima gate 17 --baseline merge-base:main --comment',
      'dokima gate 17 --baseline latest:main --mark main',
      'dokima gate 0199… --sealed 0199…',
    ],
    run: async (context, args, values) => {
      const { out, directory, inputPath, isTemporary = false } = context;
      const [runId] = takeArguments('gate', args, 'The id of the run') as [string];
      const sealId = values.text('sealed');
      if (sealId !== undefined) return sealedGate(context, runId, sealId);
      const file = values.text('config') ?? 'dokima.yaml';
      const ready = values.text('policy');
      const { policy: written, document } = await readRules(await inputPath(file), {
        file,
        ready,
        isOptional: ready !== undefined && values.text('config') === undefined,
      });
      const given = values.all('baseline');
      const policy = {
        ...written,
        project: values.text('project') ?? written.project,
        baseline: given.length > 0 ? runNames(given) : written.baseline,
      };
      const mark = values.text('mark');
      if (mark !== undefined && !markPattern.test(mark))
        throw new CliError('--mark takes letters, digits and . _ / -, at most 100.');
      if (policy.ledger && values.has('level'))
        throw new CliError('--level and a ledger cannot be given together.', 'The ledger gives the level.');
      const level = levelOf(values.text('level'));
      const client = await context.client();
      const find = mergeBaseFinder(client, policy.project, runId, directory);
      const evaluated = await withDecision(
        client,
        await evaluateGate(client, runId, policy, { level, now: Date.now(), find, hasLedger: !isTemporary }),
        { decisionId: values.text('decision'), projectId: policy.project, rules: document },
      );
      const { decision, about, held } = evaluated;
      const marked = mark !== undefined && decision.outcome === 'pass';
      if (mark !== undefined || values.flag('store'))
        await storeVerdict(client, {
          gate: file.slice(-200),
          decision,
          about,
          mark: marked ? mark : undefined,
        });
      if (mark !== undefined)
        out.note(
          marked
            ? `Run ${runId} is now latest:${mark}.`
            : `Run ${runId} did not pass and is not marked ${mark}.`,
        );
      await writeReports(context, values, evaluated);
      if (values.flag('comment'))
        await commentOn(context, values, evaluated, {
          projectId: policy.project,
          file,
          level: decision.level,
        });
      out.result(terminalReport(decision, about), {
        ...about,
        baselineId: about.baselines.find(({ anchor }) => !anchor)?.id,
        ...decision,
        ...(held && { registered: held }),
      });
      return decision.exitCode;
    },
  },
  { options: ['baseline'], kept: ['mark', 'store', 'comment', 'decision'] },
);
