import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileText, type Statement } from '../../../client/src/decision-file/file.ts';
import { readPolicy } from '../../../client/src/gate/policy.ts';
import { canonicalJson } from '../../../client/src/passport/passport.ts';
import { commitOfCi } from '../../../client/src/results/merge-base.ts';
import { type Command, projectOption, takeArguments } from '../command.ts';
import { readDocument } from '../document.ts';
import { CliError, exit } from '../errors.ts';
import { decisionHtml } from '../export/decision-html.ts';
import { writeEveryEvalEver } from '../export/every-eval-ever.ts';
import { runOf } from '../export/run-of.ts';
import { countOf } from '../figures.ts';

const countOption = (given: string | undefined, name: string): number => {
  const count = Number(given);
  if (Number.isInteger(count) && count > 0) return count;
  throw new CliError(`--${name} must be a whole number above 0.`);
};

export const decisionRegister: Command = {
  name: 'decision register',
  summary: 'Register a decision before its run.',
  about: `The question, the rules and the testset, metrics and baseline as they are now get an id, the SHA-256 of all of it, and an entry in the audit log. Then
dokima gate RUN --decision ID lists where a run departs from it.`,
  options: {
    ...projectOption,
    question: { type: 'string', value: 'TEXT', about: 'The question that is decided.' },
    owner: { type: 'string', value: 'NAME', about: 'Who answers for the decision.' },
    testset: { type: 'string', value: 'ID', about: 'Testset on which it is decided.' },
    metric: { type: 'string', multiple: true, value: 'ID', about: 'Metric that decides. Can be repeated.' },
    baseline: { type: 'string', value: 'RUN', about: 'Run that later runs are compared with.' },
    config: { type: 'string', value: 'FILE', about: 'File with the rules. Default dokima.yaml.' },
    testcases: { type: 'string', value: 'N', about: 'Testcases on which it is decided, as planned.' },
    power: { type: 'string', value: 'POWER', about: 'Chance to see the planned difference. Default 0.8.' },
    level: { type: 'string', value: 'LEVEL', about: 'Confidence level of the gate. Default 0.95.' },
  },
  examples: [
    'dokima decision register --question "Is the short prompt as good?" --owner Ada --testset 2 --metric 3 --baseline 12 --testcases 200',
  ],
  run: async ({ out, client, inputPath }, args, values) => {
    takeArguments('decision register', args);
    const file = values.text('config') ?? 'dokima.yaml';
    const path = await inputPath(file);
    if (!existsSync(path))
      throw new CliError(
        `There is no file ${file}: a decision is registered with its rules.`,
        `Write them first. The least that a file needs:

metrics:
  Right: { nonInferiority: { margin: 0.05 } }    # the name of your metric, and its rule

dokima policy nightly > dokima.yaml writes ready rules. docs/cli.md, gate, describes all.`,
      );
    const rules = (await readDocument(path)) as Record<string, unknown>;
    readPolicy(rules, file);
    const level = values.text('level');
    const power = values.text('power');
    const made = await (await client()).createDecision(values.required('project'), {
      question: values.required('question'),
      owner: values.required('owner'),
      testsetId: values.required('testset'),
      metricIds: values.all('metric'),
      ...(values.text('baseline') !== undefined && { baselineRunId: values.text('baseline')! }),
      rules: rules as never,
      minTestcases: countOption(values.required('testcases'), 'testcases'),
      ...(power !== undefined && { power: Number(power) }),
      ...(level !== undefined && { level: Number(level) }),
    });
    out.result(
      `Registered at ${made.document.registeredAt}. Decide with: dokima gate RUN --decision ${made.id}`,
      made,
    );
    return exit.pass;
  },
};

export const decisionWaive: Command = {
  name: 'decision waive',
  takes: 'DECISION',
  summary: 'Record that a run is shipped in spite of the verdict, and why.',
  options: {
    ...projectOption,
    run: { type: 'string', value: 'RUN', about: 'Run that is shipped.' },
    reason: { type: 'string', value: 'TEXT', about: 'Why.' },
  },
  examples: ['dokima decision waive 5f…c1 --run 17 --reason "Security fix; too few testcases to decide"'],
  run: async ({ out, client }, args, values) => {
    const [id] = takeArguments('decision waive', args, 'The id of the decision') as [string];
    const waiver = await (await client()).waiveDecision(values.required('project'), id, {
      runId: values.required('run'),
      reason: values.required('reason'),
    });
    out.result(`Recorded: run ${waiver.runId} is shipped in spite of the verdict.`, waiver);
    return exit.pass;
  },
};

export const decisionExport: Command = {
  name: 'decision export',
  takes: 'DECISION',
  summary: 'Write a decision about a run to one signed file, which anyone can verify.',
  about: `The file is an in-toto statement: the registration, the rules, the data of the runs as hashes and values, judges with their passports, waivers,
deviations and all numbers. dokima verify FILE checks it without a service. docs/deciding.md describes it.`,
  options: {
    ...projectOption,
    run: { type: 'string', value: 'RUN', about: 'Run that is decided about.' },
    out: { type: 'string', value: 'FILE', about: 'File to write. Default decision.json.' },
    config: {
      type: 'string',
      value: 'FILE',
      about:
        'Rules of the gate, where they are not those that were registered. The file says how they differ.',
    },
    baseline: {
      type: 'string',
      short: 'b',
      value: 'RUN',
      about: 'Run to compare with. Default: the registered one.',
    },
    level: { type: 'string', value: 'LEVEL', about: 'Confidence level. Default: the registered one.' },
    commit: {
      type: 'string',
      value: 'SHA',
      about: 'Commit that is decided about. Default: that of GitHub Actions and GitLab CI.',
    },
    html: { type: 'string', value: 'FILE', about: 'Write a report that people read to this file too.' },
    eee: {
      type: 'string',
      value: 'FOLDER',
      about: 'Write the run for Every Eval Ever into this folder too. It has the texts.',
    },
    predicate: {
      type: 'string',
      value: 'FILE',
      about: 'Write the predicate alone to this file too, for the attestations of a host.',
    },
    texts: {
      type: 'boolean',
      about: 'Put inputs, expected outputs and outputs into the file, and not only hashes.',
    },
  },
  examples: [
    'dokima decision export 5f…c1 --run 17',
    'dokima decision export 5f…c1 --run 17 --out decision.json --commit $(git rev-parse HEAD)',
  ],
  run: async ({ out, client, inputPath, directory, environment }, args, values) => {
    const [id] = takeArguments('decision export', args, 'The id of the decision') as [string];
    const config = values.text('config');
    const rules = config === undefined ? undefined : await readDocument(await inputPath(config));
    const [baselineRunId, level] = [values.text('baseline'), values.text('level')];
    const commit = values.text('commit') ?? commitOfCi(environment);
    const service = await client();
    const runId = values.required('run');
    const file = await service.exportDecision(values.required('project'), id, {
      runId,
      ...(rules !== undefined && { rules: rules as never }),
      ...(baselineRunId !== undefined && { baselineRunId }),
      ...(level !== undefined && { level: Number(level) }),
      ...(commit !== undefined && { commit }),
      texts: values.flag('texts'),
    });
    const name = values.text('out') ?? 'decision.json';
    await writeFile(resolve(directory, name), fileText(file));
    const statement = file.statement as Statement;
    const { deviations, numbers } = statement.predicate;
    const write = async (option: string, text: () => string) => {
      const path = values.text(option);
      if (path !== undefined) await writeFile(resolve(directory, path), text());
    };
    await write('predicate', () => `${canonicalJson(statement.predicate)}\n`);
    await write('html', () => decisionHtml(statement));
    const folder = values.text('eee');
    if (folder !== undefined) {
      const { organization } = await service.getMe();
      const exported = await runOf(service, runId, out);
      const named = { model: exported.run.title, organization: organization.name };
      await writeEveryEvalEver(exported, named, resolve(directory, folder));
      out.progress(undefined);
    }
    out.result(
      `${name}: ${numbers.outcome}, ${countOf(deviations.length, 'deviation')}. Anyone can check it: dokima verify ${name}`,
      { file: name, outcome: numbers.outcome, deviations },
    );
    return exit.pass;
  },
};
