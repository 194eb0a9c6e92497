import type { Baseline } from '../../../client/src/gate/baselines.ts';
import type { Check, Outcome } from '../../../client/src/gate/check.ts';
import type { Decision } from '../../../client/src/gate/decide.ts';
import { countOf, levelText } from '../figures.ts';
import { inOneLine, table } from '../output.ts';

/** Contents of a report besides the checks. */
export type About = { runId: string; baselines: readonly Baseline[]; notes: readonly string[] };

export const words: Record<Outcome, string> = {
  pass: 'pass',
  worse: 'WORSE',
  inconclusive: 'not enough data',
  incomplete: 'INCOMPLETE',
};

const marks: Record<Outcome, string> = { pass: '✅', worse: '❌', inconclusive: '❔', incomplete: '⚠️' };

const nameOf = ({ name, id, anchor, pooled = [] }: Baseline): string => {
  const run = id === undefined ? `${name}, which no run is yet` : `run ${id}`;
  const more = pooled.length > 0 ? `, with ${countOf(pooled.length, 'run')} before it` : '';
  const mark = id === undefined || name === id ? '' : ` (${name}${more})`;
  return `${anchor ? 'anchor ' : ''}${run}${mark}`;
};

/** Names the runs that the run was compared with: `run 12 (latest:main)`; empty without one. */
export const againstText = ({ baselines }: Pick<About, 'baselines'>): string =>
  baselines.map(nameOf).join(' and ');

const title = ({ outcome }: Decision, about: About): string => {
  const against = againstText(about);
  return `${words[outcome]}: run ${about.runId}${against && ` against ${against}`}`;
};

/** Says what the intervals of several tests mean. */
const together = ({ tests, level, checks }: Decision): string[] => {
  if (tests < 2) return [];
  const wider = checks.some(({ figure }) => figure !== undefined && figure.level > level);
  // A rule fails on one side of its interval only.
  const error = levelText((1 - level) / 2);
  const held = wider
    ? ` Intervals above ${levelText(level)} hold together with those of the other rules.`
    : '';
  return [
    `${tests} rules are tested together (Holm): if nothing became worse, the chance that any of them says WORSE is at most ${error}.${held}`,
  ];
};

const notesOf = (decision: Decision, { notes }: About): string[] => [...together(decision), ...notes];

/** Writes the report for a terminal: the verdict, then a line for each rule, the most serious first, then notes. */
export const terminalReport = (decision: Decision, about: About): string => {
  const rows = decision.checks.map(({ sentence, outcome, said }) => [words[outcome], sentence, said]);
  const notes = notesOf(decision, about).map((note) => `- ${inOneLine(note)}`);
  return [
    title(decision, about),
    table(['', 'result', 'found'], rows),
    ...(notes.length > 0 ? [notes.join('\n')] : []),
  ].join('\n\n');
};

/** Escapes text for a cell of a Markdown table. `@` is escaped too, so that a name does not mention a GitHub user. */
export const cell = (text: string): string =>
  text
    .replaceAll(/[\\`*_[\]|~]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('@', '@<!-- -->');

/** Writes the report for a pull request. */
export const markdownReport = (decision: Decision, about: About): string => {
  const rows = decision.checks.map(
    ({ sentence, outcome, said }) =>
      `| ${marks[outcome]} ${words[outcome]} | ${cell(sentence)} | ${cell(said)} |`,
  );
  const notes = notesOf(decision, about).map((note) => `- ${cell(note)}\n`);
  const list = notes.length === 0 ? '' : `\n${notes.join('')}`;
  return `### ${marks[decision.outcome]} ${cell(title(decision, about))}\n\n| | result | found |\n| --- | --- | --- |\n${rows.join('\n')}\n${list}`;
};

const xml = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    // XML 1.0 cannot hold these characters in any form.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters meant.
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '�')
    // In an attribute, a parser replaces unescaped ones by spaces.
    .replaceAll(/[\t\n\r]/g, (space) => `&#${space.charCodeAt(0)};`);

const testcase = ({ rule, outcome, sentence, said }: Check): string => {
  const text = xml(`${sentence}: ${said}`);
  const head = `    <testcase classname="dokima gate" name="${xml(rule)}" time="0">`;
  if (outcome === 'pass') return `${head}<system-out>${text}</system-out></testcase>`;
  // Only a worse result is a failure of the system. Missing scores and too little data are errors of the evaluation.
  const tag = outcome === 'worse' ? 'failure' : 'error';
  // Written twice: Jenkins shows the message in its list, GitLab only the content.
  return `${head}<${tag} type="${outcome}" message="${text}">${text}</${tag}></testcase>`;
};

/** Writes the report as JUnit XML, which every CI reads. */
export const junitReport = (decision: Decision, about: About): string => {
  const count = (...outcomes: Outcome[]) =>
    decision.checks.filter(({ outcome }) => outcomes.includes(outcome)).length;
  const counts = `tests="${decision.checks.length}" failures="${count('worse')}" errors="${count('incomplete', 'inconclusive')}" time="0"`;
  const notes = notesOf(decision, about);
  const output = notes.length === 0 ? '' : `\n    <system-out>${xml(notes.join('\n'))}</system-out>`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="dokima gate" ${counts}>
  <testsuite name="${xml(title(decision, about))}" ${counts} skipped="0">
${decision.checks.map(testcase).join('\n')}${output}
  </testsuite>
</testsuites>
`;
};

const command = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const property = (text: string): string => command(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** Writes workflow commands of GitHub Actions, which annotate the pull request with each rule that did not pass. */
export const githubReport = (decision: Decision): string =>
  decision.checks
    .filter(({ outcome }) => outcome !== 'pass')
    .map(({ sentence, outcome, said }) => {
      const level = outcome === 'worse' || outcome === 'incomplete' ? 'error' : 'warning';
      return `::${level} title=${property(`dokima: ${words[outcome]}`)}::${command(`${sentence}: ${said}`)}\n`;
    })
    .join('');
