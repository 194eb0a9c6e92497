import { moreUnits } from '../gate/decide.ts';
import type { RunComparison, RunSummary } from '../generated.ts';
import type { Result } from '../results/results.ts';
import { hasMean } from '../score-value.ts';
import type { JsonObject } from '../types.ts';

/** The run is worse than it may be (`outcome` is `fail`), or the data does not decide (`inconclusive`). */
export class NotBetter extends Error {
  override name = 'NotBetter';
  readonly outcome: 'fail' | 'inconclusive';

  constructor(outcome: 'fail' | 'inconclusive', text: string) {
    super(text);
    this.outcome = outcome;
  }
}

const how = 'install the npm package dokima, or name its command in DOKIMA_COMMAND';

type Compared = RunComparison['pairs'][number]['metrics'][number];

/** A metric with its estimate and interval, and the difference to the run that `than` names. */
export type EvaluatedMetric = {
  metric: string;
  measure: 'rate' | 'mean';
  estimate: number | null;
  low: number | null;
  high: number | null;
  n: number;
  reason: string | null;
  difference: number | null;
  differenceLow: number | null;
  differenceHigh: number | null;
  verdict: 'better' | 'worse' | 'cannot tell' | null;
  sentence: string | null;
  /** How far its judge can be trusted, in a few words; null unless a model judges. */
  judge: string | null;
};

const three = (value: number, digits = 3): string => String(Number(value.toPrecision(digits)));
const signed = (value: number, text: string): string => `${value < 0 ? '−' : '+'}${text}`;
const points = (value: number): string => signed(value, String(Number(Math.abs(100 * value).toFixed(1))));
const amount = (value: number): string => signed(value, three(Math.abs(value)));

/** Says about how many more testcases tell the two runs apart, if the difference stays as it is. */
const moreToTell = ({
  difference,
  simultaneousInterval,
  standardError,
  n,
  minimumDetectable,
  outputType,
}: Compared): string => {
  if (difference === null || !simultaneousInterval || standardError === null)
    return 'how many more are needed is not known';
  const [distance, { low, high }] = [Math.abs(difference), simultaneousInterval];
  if (distance < 1e-9) {
    if (!minimumDetectable) return 'no pair differs';
    return hasMean(outputType)
      ? `n = ${n} does not show it`
      : `n = ${n} shows only ${three(100 * minimumDetectable)} points or more`;
  }
  const half = difference < 0 ? high - difference : difference - low;
  return moreUnits(n, half, distance, standardError) || 'about 1 more needed';
};

/** Writes an amount of a metric: shares in points, means as they are. */
const sizeOf = ({ outputType }: Compared, value: number, digits = 3): string =>
  hasMean(outputType) ? three(value, digits) : `${three(100 * value, digits)} points`;

/** Says about how many more testcases decide, if the difference stays as it is. */
const moreNeeded = (
  compared: Compared,
  { difference, low, margin, wanted }: { difference: number; low: number; margin: number; wanted: string },
): string => {
  const { n, standardError, minimumDetectable } = compared;
  if (standardError === null) return 'how many more are needed is not known';
  const distance = difference + margin;
  if (distance >= 1e-9)
    return moreUnits(n, difference - low, distance, standardError) || 'about 1 more needed';
  const shown = minimumDetectable
    ? `; n = ${n} can show only a difference of ${sizeOf(compared, minimumDetectable)} or more`
    : '';
  return `if the difference stays so, no number of testcases shows that it is ${wanted}${shown}`;
};

/** Decides one metric as the rules superiority and nonInferiority of a gate do, among all metrics of the comparison. */
const judge = (
  compared: Compared,
  margin: number,
): { outcome: 'pass' | 'fail' | 'inconclusive'; text: string } => {
  const { conclusion, corrected, metricName, missing } = compared;
  // As people would judge it, if they scored a random sample of both runs.
  const isByPeople = conclusion.basis === 'people' && corrected !== null;
  const metric: Compared = isByPeople ? { ...compared, ...corrected, minimumDetectable: null } : compared;
  const { difference, simultaneousInterval: interval, n, verdict, reason } = metric;
  if (!interval || difference === null)
    return {
      outcome: 'inconclusive',
      text: `${metricName}: ${reason ?? 'there are no scores to compare'}`,
    };
  const { low, high } = interval;
  const level = `${three(100 * metric.simultaneousLevel, 4)} %`;
  const [write, unit] = hasMean(metric.outputType) ? [amount, ''] : [points, ' points'];
  const seen = `${metricName}: ${write(difference)}${unit} (${level}: ${write(low)} … ${write(high)}, n = ${n})`;
  const note = missing ? ` ${missing.sentence}` : '';
  // Without a margin the service's own verdict counts, which needs the interval and the test.
  const passes = margin === 0 ? verdict === 'better' : low > -margin;
  // Missing scores are no passes: they may not be able to undo what is shown.
  const isSafe = !missing || (margin === 0 ? missing.holds === true : missing.range.low > -margin);
  if (passes && isSafe) return { outcome: 'pass', text: `${seen}${note}` };
  if (passes) return { outcome: 'inconclusive', text: `${seen}; the missing scores may undo it.${note}` };
  const size = sizeOf(metric, Math.abs(margin), 4);
  const wanted = margin === 0 ? 'better' : margin > 0 ? `not worse by ${size}` : `better by ${size}`;
  if (margin === 0 ? verdict === 'worse' : high < -margin)
    return { outcome: 'fail', text: `${seen}; wanted: ${wanted}.${note}` };
  const more = moreNeeded(metric, { difference, low, margin, wanted });
  return { outcome: 'inconclusive', text: `${seen}; ${more}.${note}` };
};

const rateText = ({ metric, measure, estimate, low, high, n, reason, judge }: EvaluatedMetric): string => {
  const write = (value: number) => three(measure === 'rate' ? 100 * value : value);
  if (estimate === null) return `${metric}: ${reason ?? 'no scores'}`;
  const interval = low === null || high === null ? reason : `${write(low)} … ${write(high)}`;
  const trust = judge === null ? '' : ` · judge: ${judge}`;
  return `${metric} ${write(estimate)}${measure === 'rate' ? ' %' : ''} (${interval}), n ${n}${trust}`;
};

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);

const colors: Record<string, string> = { better: '#1a7f37', worse: '#cf222e' };

export type About = {
  name: string;
  results: Result[];
  /** The file that keeps the results, and that `dokima push` sends. */
  file: string;
  /** Scores that the service gave, by the key of a result. */
  given: ReadonlyMap<string, JsonObject>;
  /** What computes, if there is a service. */
  numbers: { runId: string; url: string | undefined; summary: RunSummary } | undefined;
  than: string | undefined;
  comparison: RunComparison | undefined;
};

export const keyOf = (one: Pick<Result, 'case' | 'trial'>): string => `${one.case}/${one.trial}`;

/** The results of an evaluation. As a text it is a line for each metric, with its interval and the verdict. */
export class Evaluation {
  readonly #about: About;
  readonly name: string;
  readonly results: Result[];
  readonly file: string;
  /** The run of the service; undefined without statistics. */
  readonly runId: string | undefined;
  /** Address of the run, or of the comparison; undefined offline. */
  readonly url: string | undefined;
  readonly summary: RunSummary | undefined;
  readonly comparison: RunComparison | undefined;

  constructor(about: About) {
    this.#about = about;
    const { name, results, file, numbers, comparison } = about;
    this.name = name;
    this.results = results;
    this.file = file;
    this.runId = numbers?.runId;
    this.url = numbers?.url;
    this.summary = numbers?.summary;
    this.comparison = comparison;
  }

  /** The results without an answer, each with its `error`. */
  get failures(): Result[] {
    return this.results.filter(({ error }) => error !== null);
  }

  /** An object for each testcase and trial: its inputs, what was expected and answered, and a field for each metric. */
  get rows(): JsonObject[] {
    const names = new Set(this.results.flatMap(({ scores }) => Object.keys(scores)));
    const under = (part: string, fields: JsonObject) =>
      Object.fromEntries(Object.entries(fields).map(([key, value]) => [`${part}.${key}`, value]));
    return this.results.map((one) => ({
      ...under('inputs', one.inputs),
      ...under('expected', one.expected),
      ...under('outputs', one.outputs),
      trial: one.trial,
      ...Object.fromEntries([...names].map((name) => [name, null])),
      ...this.#about.given.get(keyOf(one)),
      ...one.scores,
      error: one.error,
    }));
  }

  get #pairs(): Compared[] {
    return this.comparison?.pairs[0]?.metrics ?? [];
  }

  get metrics(): EvaluatedMetric[] {
    return (this.summary?.metrics ?? []).map(({ metricId, metricName, mean, passRate, judge }) => {
      const { estimate, interval, n, reason } = mean ?? passRate;
      const other = this.#pairs.find((pair) => pair.metricId === metricId);
      return {
        metric: metricName,
        measure: mean ? 'mean' : 'rate',
        estimate,
        low: interval?.low ?? null,
        high: interval?.high ?? null,
        n,
        reason,
        difference: other?.difference ?? null,
        differenceLow: other?.interval?.low ?? null,
        differenceHigh: other?.interval?.high ?? null,
        verdict: other?.verdict ?? null,
        sentence: other?.sentence ?? null,
        judge: judge?.trust ?? null,
      };
    });
  }

  /**
   * Returns itself if the run is better than the one that `than` names; with a margin, if it is not worse by the margin. Throws NotBetter
   * if it is worse, or if the data does not decide. Passes while there is no run to compare with.
   */
  requireBetter({ margin = 0, metric }: { margin?: number; metric?: string } = {}): this {
    const { than, numbers } = this.#about;
    if (than === undefined) throw new Error('There is nothing to be better than: give than to evaluate().');
    if (!numbers) throw new Error(`There are no statistics without the command dokima: ${how}.`);
    if (!this.comparison) return this;
    const chosen = this.#pairs.filter(
      ({ metricId, metricName }) => metric === undefined || metric === metricName || metric === metricId,
    );
    if (chosen.length === 0) throw new Error(`The two runs have no ${metric ?? 'metric'} in common.`);
    const judged = chosen.map((pair) => judge(pair, margin)).filter(({ outcome }) => outcome !== 'pass');
    if (judged.length === 0) return this;
    const outcome = judged.some((one) => one.outcome === 'fail') ? 'fail' : 'inconclusive';
    throw new NotBetter(outcome, judged.map(({ text }) => text).join('\n'));
  }

  #differenceText({ metric, measure, verdict }: EvaluatedMetric): string {
    const { than } = this.#about;
    if (than === undefined) return '';
    if (!this.comparison) return `nothing is ${than} yet`;
    const pair = this.#pairs.find(({ metricName }) => metricName === metric);
    if (!pair?.interval || pair.difference === null)
      return `than ${than}: ${pair?.reason ?? 'nothing to compare'}`;
    const [write, unit] = measure === 'rate' ? [points, ' points'] : [amount, ''];
    const { low, high } = pair.interval;
    const said = verdict === 'cannot tell' ? `${verdict}: ${moreToTell(pair)}` : verdict;
    return `than ${than}: ${write(pair.difference)}${unit} (${write(low)} … ${write(high)}), ${said}`;
  }

  /** The means without intervals, which need a service. */
  #countsText(): string {
    const names = [...new Set(this.results.flatMap(({ scores }) => Object.keys(scores)))];
    const means = names.map((name) => {
      const labels = this.results.flatMap(({ scores }) =>
        typeof scores[name] === 'string' ? [scores[name]] : [],
      );
      if (labels.length > 0) {
        const counts = [...new Set(labels)]
          .sort()
          .map((one) => `${one} ${labels.filter((label) => label === one).length}`);
        return `${name} ${counts.join(', ')} of ${labels.length} scores`;
      }
      const values = this.results.flatMap(({ scores }) => (name in scores ? [Number(scores[name])] : []));
      return `${name} ${three(values.reduce((sum, value) => sum + value, 0) / values.length)} of ${values.length} scores`;
    });
    return `${means.join(', ') || 'no scores'}, no interval: ${how}`;
  }

  get #lines(): { text: string; difference: string; verdict: string | null }[] {
    const lines = this.metrics.map((one) => ({
      text: rateText(one),
      difference: this.#differenceText(one),
      verdict: one.verdict,
    }));
    return lines.length > 0 ? lines : [{ text: this.#countsText(), difference: '', verdict: null }];
  }

  toString(): string {
    const lines = this.#lines.map(({ text, difference }) => [text, difference].filter(Boolean).join(' · '));
    const link = this.url ?? `dokima push ${this.file}`;
    const [failed] = this.failures;
    return [
      ...lines.slice(0, -1),
      `${lines.at(-1)} · ${link}`,
      ...(failed ? [`${this.failures.length} of ${this.results.length} calls failed: ${failed.error}`] : []),
    ].join('\n');
  }

  /** What console.log prints. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return this.toString();
  }

  /** What a notebook of Deno shows. */
  [Symbol.for('Jupyter.display')](): Record<string, string> {
    const rows = this.#lines.map(
      ({ text, difference, verdict }) =>
        `<tr><td>${escaped(text)}</td><td style="color:${colors[verdict ?? ''] ?? 'inherit'}">${escaped(difference)}</td></tr>`,
    );
    const link = this.url
      ? `<a href="${escaped(this.url)}">${escaped(this.url)}</a>`
      : `<code>dokima push ${escaped(this.file)}</code>`;
    const html = `<p><b>${escaped(this.name)}</b></p><table>${rows.join('')}</table><p>${link}</p>`;
    return { 'text/plain': this.toString(), 'text/html': html };
  }
}
