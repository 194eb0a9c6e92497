import { appendFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Command, projectOption, takeArguments } from '../command.ts';
import { readDocument } from '../document.ts';
import { CliError } from '../errors.ts';
import { decide } from '../gate/decide.ts';
import { metricEvidence, trialEvidence } from '../gate/evidence.ts';
import { readPolicy } from '../gate/policy.ts';
import { githubReport, junitReport, markdownReport, terminalReport } from '../gate/report.ts';

const defaultLevel = 0.95;

const levelOf = (given: string | undefined): number => {
  const level = given === undefined ? defaultLevel : Number(given);
  if (level >= 0.5 && level <= 0.999) return level;
  throw new CliError(`--level must be a number from 0.5 to 0.999, not '${given}'.`);
};

export const gate: Command = {
  name: 'gate',
  takes: 'RUN',
  summary: 'Decide by the rules of a dokima.yaml whether a run passes.',
  about: `Exit code: 0 pass; 1 worse; 2 not enough data to decide; 3 incomplete (scores are missing); 4 the command could not do its
work. One computation feeds all reports. In GitHub Actions it also feeds annotations on the pull request and the summary of the
step.`,
  options: {
    ...projectOption,
    config: { type: 'string', value: 'FILE', about: 'File with the rules. Default dokima.yaml.' },
    baseline: {
      type: 'string',
      short: 'b',
      value: 'RUN',
      about: 'Run to compare with, instead of the one in the file.',
    },
    level: { type: 'string', value: 'LEVEL', about: 'Confidence level of the intervals. Default 0.95.' },
    markdown: { type: 'string', value: 'FILE', about: 'Write a report for a pull request to this file.' },
    junit: { type: 'string', value: 'FILE', about: 'Write JUnit XML to this file.' },
  },
  examples: ['dokima gate 17 --baseline 12', 'dokima gate 17 --junit gate.xml --markdown gate.md'],
  run: async (context, args, values) => {
    const { out, environment, directory } = context;
    const [runId] = takeArguments('gate', args, 'The id of the run') as [string];
    const file = values.text('config') ?? 'dokima.yaml';
    const policy = readPolicy(await readDocument(resolve(directory, file)), file);
    const baselineId = values.text('baseline') ?? policy.baseline;
    const projectId = values.text('project') ?? policy.project;
    if (policy.mustPass.length > 0 && projectId === undefined) {
      throw new CliError('mustPass needs a project.', `Name it as project in ${file}, or with --project.`);
    }
    const client = await context.client();
    const metrics = await metricEvidence(client, policy, runId, baselineId, levelOf(values.text('level')));
    const trials = await trialEvidence(client, policy, projectId ?? '', runId);
    const decision = decide(policy, metrics, trials);

    const about = { runId, baselineId };
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
    out.result(terminalReport(decision, about), { ...about, ...decision });
    return decision.exitCode;
  },
};
