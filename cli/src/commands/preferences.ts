import { rootOf } from '../../../client/src/http.ts';
import type { Client, PreferenceResult, PreferenceStudy } from '../../../client/src/main.ts';
import { isConfirmed } from '../ask.ts';
import { type Command, projectOption, takeArguments } from '../command.ts';
import { resolveAccess } from '../config.ts';
import { CliError, exit } from '../errors.ts';
import { countOf, intervalText, percent, pValue } from '../figures.ts';
import { table } from '../output.ts';

type Ranking = NonNullable<PreferenceResult['people']>;

const pageOf = (url: string, { projectId, id }: PreferenceStudy): string =>
  `${rootOf(url)}/projects/${projectId}/preferences/${id}/compare`;

export const preferencesList: Command = {
  name: 'preferences list',
  summary: 'List the preference studies of a project with their progress.',
  options: projectOption,
  run: async ({ out, client }, args, values) => {
    takeArguments('preferences list', args);
    const data: PreferenceStudy[] = [];
    for await (const study of (await client()).listPreferenceStudies(values.required('project')))
      data.push(study);
    const rows = data.map(({ id, name, criterion, runIds, numPairs, people, judge }) => [
      id,
      (name || criterion).slice(0, 60),
      runIds.join(', '),
      `${people.numPairs} of ${numPairs}`,
      judge ? `${judge.scored} of ${numPairs}` : '–',
    ]);
    const text =
      data.length > 0
        ? table(['id', 'criterion', 'runs', 'by people', 'by a model'], rows)
        : 'The project has no study. Create one: dokima preferences create --help';
    out.result(text, { data });
    return exit.pass;
  },
};

export const preferencesCreate: Command = {
  name: 'preferences create',
  takes: 'RUN RUN...',
  summary:
    'Ask people, and a model if you name one, which of two outputs is better, for runs on the same testcases.',
  about: 'The command estimates the cost of the model first. docs/deciding.md says how the runs are ranked.',
  options: {
    ...projectOption,
    criterion: { type: 'string', value: 'TEXT', about: 'What makes an output the better one.' },
    name: { type: 'string', about: 'Name of the study. Default: the criterion.' },
    testcases: { type: 'string', value: 'N', about: 'Number of testcases to draw. Default 100.' },
    model: { type: 'string', value: 'MODEL', about: 'Model that compares too, such as openai/gpt-4.1-mini.' },
    budget: { type: 'string', value: 'USD', about: 'With --model: its budget. Default: no limit.' },
    yes: { type: 'boolean', short: 'y', about: 'Start without asking.' },
  },
  examples: [
    'dokima preferences create 17 18 --criterion "The clearer answer."',
    'dokima preferences create 17 18 19 --criterion "The clearer answer." --testcases 50 --model openai/gpt-4.1-mini --budget 2',
  ],
  run: async (context, runIds, values) => {
    if (runIds.length < 2)
      throw new CliError('Name two runs or more.', 'See dokima preferences create --help');
    const projectId = values.required('project');
    const [modelName, budget, name] = ['model', 'budget', 'name'].map(values.text);
    if (budget !== undefined && (modelName === undefined || !(Number(budget) > 0)))
      throw new CliError(
        modelName === undefined
          ? '--budget needs --model.'
          : `--budget must be an amount in US dollars, not '${budget}'.`,
      );
    const body = {
      criterion: values.required('criterion'),
      runIds,
      numTestcases: values.count('testcases', 100),
      ...(name !== undefined && { name }),
      ...(modelName !== undefined && {
        judge: { modelName, ...(budget !== undefined && { budgetUsd: Number(budget) }) },
      }),
    };
    const client = await context.client();
    if (modelName !== undefined) {
      const { numPairs, numRequests, costUsd } = await client.estimatePreferenceStudy(projectId, body);
      const cost = costUsd === null ? 'its price is unknown' : `about ${costUsd.toPrecision(2)} USD`;
      context.out.note(
        `${countOf(numPairs, 'pair')}; ${modelName} answers ${countOf(numRequests, 'question')}: ${cost}.`,
      );
      if (!(await isConfirmed(context, values))) {
        context.out.note('Nothing was started.');
        return exit.pass;
      }
    }
    const study = await client.createPreferenceStudy(projectId, body);
    const { id, numPairs, numTestcases } = study;
    const { url } = await resolveAccess(context.environment, values.text('url'));
    context.out.result(
      `Study ${id}: ${countOf(numPairs, 'pair')} on ${countOf(numTestcases, 'testcase')}.\nPeople compare at ${pageOf(url, study)}\nSee the result: dokima preferences result ${id}`,
      study,
    );
    return exit.pass;
  },
};

const titlesOf = async (client: Client, runIds: readonly string[]): Promise<Map<string, string>> =>
  new Map(
    await Promise.all(
      runIds.map(async (id): Promise<[string, string]> => [id, (await client.getRunDetails(id)).title]),
    ),
  );

const placeText = ({ best, worst }: { best: number; worst: number }): string =>
  best === worst ? String(best) : `${best}–${worst}`;

const rankingText = (by: string, ranking: Ranking, titles: Map<string, string>): string => {
  const { runs, pairs, reason, numComparisons, numUnits, fit, warnings } = ranking;
  const head = `By ${by}: ${countOf(numComparisons, 'pair')} on ${countOf(numUnits, 'testcase')}.`;
  if (!runs) return `${head} No ranking: ${reason}.`;
  const ranked = runs.map(({ runId, winRate, interval, rank }) => [
    runId,
    titles.get(runId),
    percent(winRate),
    intervalText(interval, percent),
    placeText(rank),
  ]);
  const met = pairs
    .filter(({ wins, ties, losses }) => wins + ties + losses > 0)
    .map(({ firstRunId, secondRunId, wins, ties, losses, adjustedP, apart }) => [
      `${firstRunId} : ${secondRunId}`,
      wins,
      ties,
      losses,
      pValue(adjustedP),
      apart ? 'yes' : 'not shown',
    ]);
  return [
    `${head}\n${table(['run', 'title', 'preferred', 'interval', 'place'], ranked)}`,
    table(['runs', 'won', 'tied', 'lost', 'p', 'differ'], met),
    ...pairs.flatMap(({ firstRunId, secondRunId, sentence }) =>
      sentence ? [`${firstRunId} : ${secondRunId}: ${sentence}`] : [],
    ),
    ...(fit?.fits ? [fit.sentence] : []),
    ...warnings,
  ].join('\n\n');
};

export const preferencesResult: Command = {
  name: 'preferences result',
  takes: 'STUDY',
  summary: 'Rank the runs of a study by what people and the model preferred, with intervals.',
  about: 'Exit code: 0 the runs are ranked; 3 nothing has been compared yet, or the model is still working.',
  run: async ({ out, client: open }, args) => {
    const [id] = takeArguments('preferences result', args, 'The id of the study') as [string];
    const client = await open();
    const study = await client.getPreferenceStudy(id);
    const result = await client.getPreferenceResult(id);
    const titles = await titlesOf(client, study.runIds);
    const { people, judge, agreement } = result;
    const parts = [
      ...(people ? [rankingText('people', people, titles)] : []),
      ...(judge ? [rankingText(study.judge?.modelName ?? 'the model', judge, titles)] : []),
      ...(agreement
        ? [
            `The model and people agree on ${percent(agreement.same.estimate)} (${intervalText(agreement.same.interval, percent)}) of ${countOf(agreement.numPairs, 'pair')}.`,
          ]
        : []),
    ];
    out.result(parts.length > 0 ? parts.join('\n\n') : 'Nothing has been compared yet.', result);
    const isWorking = study.judge !== null && study.judge.pending > 0 && !study.judge.stopped;
    return (people?.runs ?? judge?.runs) && !isWorking ? exit.pass : exit.incomplete;
  },
};
