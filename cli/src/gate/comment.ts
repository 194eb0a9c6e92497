import { aboutText, caveatLines, comparedCaveats } from '../../../client/src/caveats.ts';
import type { Decision } from '../../../client/src/gate/decide.ts';
import { trustOfBoth } from '../../../client/src/gate/grade.ts';
import type { Client, RunComparison, RunSummary } from '../../../client/src/main.ts';
import { countOf, intervalText, rounded } from '../figures.ts';
import { type About, cell, markdownReport } from './report.ts';

/** Maximum number of listed testcases that got worse, for each metric. */
const mostTestcases = 10;
/** GitHub takes 65,536 characters. */
const longest = 60_000;

type Place = { client: Client; url: string; projectId: string; level: number };

const dollars = (value: number): string => `$${Number(value.toPrecision(3))}`;

const judgesCost = ({ metrics }: RunSummary): string => {
  const judged = metrics.filter(({ evalType }) => evalType === 'ai');
  if (judged.length === 0) return 'no judge was called';
  const known = judged.flatMap(({ cost }) => cost?.costUsd ?? []);
  if (known.length === 0) return 'the cost of the judges is not known';
  return `judges ${dollars(known.reduce((sum, cost) => sum + cost, 0))}`;
};

const costLine = async ({ client, level }: Place, runId: string): Promise<string> => {
  const summary = await client.summarizeRun(runId, { level });
  const { numExecutions, costUsd } = (await client.getRunDetails(runId)).executions;
  const system =
    numExecutions === 0
      ? ''
      : costUsd === null
        ? ', the cost of the system is not known'
        : `, system ${dollars(costUsd)}`;
  return `Cost of ${countOf(summary.numRecords, 'record')}: ${judgesCost(summary)}${system}.`;
};

/** Lists what got worse in one metric, with links to the records. */
const worseTestcases = async (
  { client, url, projectId }: Place,
  runs: [string, string],
  metric: { metricId: string; metricName: string; losses: number; wins: number },
): Promise<string[]> => {
  if (metric.losses === 0) return [];
  const page = await client.listChangedTestcases({
    runs,
    metricId: metric.metricId,
    change: ['worse'] as const,
    order: 'worst' as const,
    limit: mostTestcases,
  } as Parameters<Client['listChangedTestcases']>[0]);
  const lines = page.data.map(({ id, before, after }) => {
    const record = after?.recordIds[0];
    const name =
      record === undefined ? cell(id) : `[${cell(id)}](${url}/projects/${projectId}/records/${record})`;
    return `- ${name}: ${rounded(before?.mean ?? null)} → ${rounded(after?.mean ?? null)}`;
  });
  const all = `${url}/projects/${projectId}/compare?runs=${runs}&metric=${metric.metricId}`;
  const counts = `${countOf(metric.losses, 'testcase')} worse, ${metric.wins} better`;
  return [`**${cell(metric.metricName)}**: ${counts} ([all changes](${all}))`, '', ...lines, ''];
};

type Compared = RunComparison['pairs'][number]['metrics'][number];

/** The verdict, and whether it is that of people. */
const verdictText = ({ sentence, basis }: Compared['conclusion']): string =>
  basis === 'people' ? `as people would judge it: ${sentence}` : sentence;

/** Caveats of the differences of all metrics that the notes of the gate do not contain. */
const limits = (metrics: readonly Compared[], notes: readonly string[]): string[] => {
  const isSaid = (of: readonly string[], sentence: string) =>
    notes.some((note) => note.endsWith(`: ${sentence}`) && of.every((name) => note.includes(name)));
  const lines = caveatLines(
    metrics.map((compared) => ({
      of: compared.metricName,
      caveats: comparedCaveats(compared, compared.conclusion.basis),
    })),
  )
    .filter(({ of, sentence }) => !isSaid(of, sentence))
    .map(({ of, sentence }) => `- ${cell(aboutText(of, metrics.length))}: ${cell(sentence)}`);
  return lines.length === 0 ? [] : [...lines, ''];
};

const comparison = async (place: Place, baselineId: string, { runId, notes }: About): Promise<string[]> => {
  const { client, level, url, projectId } = place;
  const runs: [string, string] = [baselineId, runId];
  const metrics = (await client.compareRuns({ runs, level })).pairs[0]!.metrics;
  const isJudged = metrics.some(({ judge }) => judge);
  const rows = metrics.map(
    ({ metricName, before, after, difference, simultaneousInterval, n, conclusion, judge }) =>
      `| ${cell(metricName)} | ${rounded(before)} | ${rounded(after)} | ${rounded(difference)} | ${intervalText(simultaneousInterval, rounded)} | ${n} | ${cell(verdictText(conclusion))} |${isJudged ? ` ${judge ? cell(trustOfBoth(judge)) : ''} |` : ''}`,
  );
  const link = (id: string) => `[run ${id}](${url}/projects/${projectId}/runs/${id})`;
  const worse: string[] = [];
  for (const metric of metrics) worse.push(...(await worseTestcases(place, runs, metric)));
  return [
    `#### Every metric, ${link(runId)} against ${link(baselineId)}`,
    '',
    `| metric | before | now | difference | interval | n | verdict |${isJudged ? ' judge |' : ''}`,
    `| --- | --- | --- | --- | --- | --- | --- |${isJudged ? ' --- |' : ''}`,
    ...rows,
    '',
    ...limits(metrics, notes),
    ...(worse.length > 0 ? ['#### What got worse', '', ...worse] : []),
  ];
};

/** Writes the comment for a pull request: the verdict by the rules, every metric with its interval, what got worse, and the cost. */
export const pullRequestComment = async (place: Place, decision: Decision, about: About): Promise<string> => {
  const baseline = about.baselines.find(({ id, anchor }) => id !== undefined && !anchor)?.id;
  const { url, projectId } = place;
  const text = [
    markdownReport(decision, about),
    ...(baseline === undefined
      ? [`[Run ${about.runId}](${url}/projects/${projectId}/runs/${about.runId})`, '']
      : await comparison(place, baseline, about)),
    await costLine(place, about.runId),
  ].join('\n');
  return text.length <= longest ? text : `${text.slice(0, longest)}\n\n… The rest is on the page of the run.`;
};
