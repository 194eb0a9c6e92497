import type { Statement } from '../../../client/src/decision-file/file.ts';

const escaped = (text: unknown): string =>
  String(text ?? '').replaceAll(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`);

const words = { pass: 'pass', worse: 'worse', inconclusive: 'not enough data', incomplete: 'incomplete' };

const three = (value: unknown): string => (typeof value === 'number' ? value.toFixed(3) : '');

const rangeOf = (interval: unknown): string => {
  const { low, high } = (interval ?? {}) as { low?: number; high?: number };
  return low === undefined ? '' : `${three(low)} … ${three(high)}`;
};

const table = (head: readonly string[], rows: readonly (readonly unknown[])[]): string =>
  rows.length === 0
    ? '<p>None.</p>'
    : `<table><thead><tr>${head.map((name) => `<th>${escaped(name)}</th>`).join('')}</tr></thead><tbody>${rows
        .map((row) => `<tr>${row.map((cell) => `<td>${escaped(cell)}</td>`).join('')}</tr>`)
        .join('')}</tbody></table>`;

const list = (items: readonly string[], none: string): string =>
  items.length === 0
    ? `<p>${none}</p>`
    : `<ul>${items.map((item) => `<li>${escaped(item)}</li>`).join('')}</ul>`;

const style =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}table{border-collapse:collapse;width:100%}th,td{text-align:left;border-bottom:1px solid #ccc;padding:.3rem .6rem .3rem 0;vertical-align:top}code{overflow-wrap:anywhere}';

/** Writes a decision as one page without scripts, images or links to elsewhere. */
export const decisionHtml = ({ subject, predicate }: Statement): string => {
  const { decision, run, numbers, deviations, waivers, judges, looks, rules, decidedAt } = predicate;
  const { question, owner, registeredAt, testset } = decision.document;
  const isRate = (one: { [name: string]: unknown }) => one.passRate as { [name: string]: unknown };
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escaped(question)}</title><style>${style}</style></head><body>
<h1>${escaped(question)}</h1>
<p><strong>Verdict: ${words[numbers.outcome]}</strong>, run ${escaped(run.runId)}, decided at ${escaped(decidedAt)}. Owner: ${escaped(owner)}.</p>
<p>Registered at ${escaped(registeredAt)} as <code>${escaped(decision.id)}</code>, on testset ${escaped(testset.name)}, snapshot ${testset.snapshot}.</p>
<p>About ${subject.map(({ name, digest }) => `${escaped(name)} <code>${escaped(Object.values(digest)[0])}</code>`).join(', ')}.</p>
<h2>Rules and outcomes</h2>
${table(
  ['Outcome', 'Rule', 'Why'],
  numbers.checks.map(({ outcome, sentence, said }) => [words[outcome], sentence, said]),
)}
<h2>Deviations from the registration</h2>
${list(
  deviations.map(({ sentence }) => sentence),
  'As registered.',
)}
<h2>Waivers</h2>
${list(
  waivers.map(({ reason, waivedAt }) => `${waivedAt}: ${reason}`),
  'None.',
)}
<h2>Differences</h2>
${table(
  ['Metric', 'Measure', 'Against run', 'Before', 'After', 'Difference', 'Interval', 'n', 'Verdict'],
  numbers.comparisons.map((one) => [
    one.metricName,
    one.measure,
    one.baselineRunId,
    three(one.before),
    three(one.after),
    three(one.difference),
    rangeOf(one.interval),
    one.n,
    one.verdict,
  ]),
)}
<h2>Pass rates of the run</h2>
${table(
  ['Metric', 'Pass rate', 'Interval', 'n'],
  numbers.rates.map((one) => [
    one.metricName,
    three(isRate(one).estimate),
    rangeOf(isRate(one).interval),
    isRate(one).n,
  ]),
)}
<h2>Judges</h2>
${list(
  judges.map(({ metricName, passport, reason }) => `${metricName}: ${passport?.payload.sentence ?? reason}`),
  'No model judged.',
)}
<h2>Notes</h2>
${list(numbers.notes, 'None.')}
<p>${looks.length} looks at the testset since the registration.</p>
<h2>Rules as written</h2>
<pre>${escaped(JSON.stringify(rules, null, 2))}</pre>
<p>The numbers stand in the signed file; <code>dokima verify</code> computes them again.</p>
</body></html>
`;
};
