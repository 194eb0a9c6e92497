import { appendFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Command, projectOption, takeArguments } from '../command.ts';
import { readDocument } from '../document.ts';
import { CliError } from '../errors.ts';
import { findBaselines } from '../gate/baselines.ts';
import { decide } from '../gate/decide.ts';
import { factsOf, mustPassChecks } from '../gate/facts.ts';
import { notesOf } from '../gate/notes.ts';
import { readPolicy, runNames } from '../gate/policy.ts';
import { githubReport, junitReport, markdownReport, terminalReport } from '../gate/report.ts';
import { testsOf } from '../gate/rules.ts';
import { noteRun, verdictLine } from '../gate/run-notes.ts';
import { openSource } from '../gate/source.ts';

const defaultLevel = 0.95;

const markPattern = /^[A-Za-z0-9][A-Za-z0-9._/-]{0,99}$/;

const levelOf = (given: string | undefined): number => {
  const level = given === undefined ? defaultLevel : Number(given);
  if (level >= 0.5 && level <= 0.999) return level;
  throw new CliError(`--level must be a number from 0.5 to 0.999, not '${given}'.`);
};

export const gate: Command = {
  name: 'gate',
  takes: 'RUN',
  summary: 'Decide by the rules of a dokima.yaml whether a run passes.',
  about: `Exit code: 0 pass; 1 worse; 2 not enough data to decide; 3 incomplete (scores, testcases or labels are missing); 4 the
command could not do its work. One computation feeds all reports. In GitHub Actions it also feeds annotations on the pull request and the summary of the
step.`,
  options: {
    ...projectOption,
    config: { type: 'string', value: 'FILE', about: 'File with the rules. Default dokima.yaml.' },
    baseline: {
      type: 'string',
      short: 'b',
      multiple: true,
      value: 'RUN',
      about: 'Run to compare with, or latest:MARK, instead of the one in the file. Can be repeated.',
    },
    mark: {
      type: 'string',
      value: 'MARK',
      about:
        'Mark the run if it passes, so that latest:MARK finds it. The mark is a line in its notes. Also writes --note.',
    },
    note: {
      type: 'boolean',
      about: 'Write the verdict into the notes of the run, where its page shows it.',
    },
    level: { type: 'string', value: 'LEVEL', about: 'Confidence level of the intervals. Default 0.95.' },
    markdown: { type: 'string', value: 'FILE', about: 'Write a report for a pull request to this file.' },
    junit: { type: 'string', value: 'FILE', about: 'Write JUnit XML to this file.' },
  },
  examples: [
    'dokima gate 17 --baseline 12',
    'dokima gate 17 --baseline latest:main --junit gate.xml --markdown gate.md',
    'dokima gate 17 --baseline latest:main --note',
    'dokima gate 17 --baseline latest:main --mark main',
  ],
  run: async (context, args, values) => {
    const { out, environment, directory } = context;
    const [runId] = takeArguments('gate', args, 'The id of the run') as [string];
    const file = values.text('config') ?? 'dokima.yaml';
    const policy = readPolicy(await readDocument(resolve(directory, file)), file);
    const given = values.all('baseline');
    const project = values.text('project') ?? policy.project;
    if (policy.mustPass.length > 0 && project === undefined) {
      throw new CliError('mustPass needs a project.', `Name it as project in ${file}, or with --project.`);
    }
    const mark = values.text('mark');
    if (mark !== undefined && !markPattern.test(mark))
      throw new CliError('--mark takes letters, digits and . _ / -, at most 100.');
    const level = levelOf(values.text('level'));
    const client = await context.client();
    const baselines = await findBaselines(client, runId, {
      ...policy,
      project,
      baseline: given.length > 0 ? runNames(given) : policy.baseline,
    });
    const source = openSource(client, runId, policy.test);
    const { tests, facts } = await testsOf(source, policy, baselines, level);
    const decision = await decide(
      tests,
      [
        ...(await factsOf(source, policy, { baselines, level, now: Date.now() })),
        ...facts,
        ...(await mustPassChecks(client, policy.mustPass, project ?? '', runId)),
      ],
      level,
    );
    const about = { runId, baselines, notes: await notesOf(source, policy, baselines, level) };
    const marked = mark !== undefined && decision.outcome === 'pass';
    if (mark !== undefined || values.flag('note'))
      await noteRun(client, runId, verdictLine(decision, about, new Date()), marked ? mark : undefined);
    if (mark !== undefined)
      out.note(
        marked
          ? `Run ${runId} is now latest:${mark}.`
          : `Run ${runId} did not pass and is not marked ${mark}.`,
      );
    const write = (option: string, text: string) => {
      const path = values.text(option);
      return path === undefined ? undefined : writeFile(resolve(directory, path), text);
    };
    await write('markdown', markdownReport(decision, about));
    await write('junit', junitReport(decision, about));
    if (environment.GITHUB_STEP_SUMMARY) {
      await appendFile(environment.GITHUB_STEP_SUMMARY, markdownReport(decision, about));
    }
    // GitHub reads its commands from both streams. They go to stderr, so that stdout holds the result alone.
    if (environment.GITHUB_ACTIONS === 'true') out.note(githubReport(decision).trimEnd());
    out.result(terminalReport(decision, about), {
      ...about,
      baselineId: baselines.find(({ anchor }) => !anchor)?.id,
      ...decision,
    });
    return decision.exitCode;
  },
};
