import type { Decision } from '../../../client/src/gate/decide.ts';
import type { Client } from '../../../client/src/main.ts';
import { inOneLine } from '../output.ts';
import { type About, againstText, words } from './report.ts';

/** Longest line of a verdict in notes. */
const longest = 300;

/** The verdict in one line, with the first rule that did not pass: `gate: WORSE against run 12, 2026-11-23 08:41 UTC: Right: …`. */
export const verdictLine = (decision: Decision, about: About, now: Date): string => {
  const at = `${now.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const [first] = decision.checks;
  const why = first === undefined || first.outcome === 'pass' ? '' : `: ${first.rule}`;
  const line = inOneLine(`gate: ${words[decision.outcome]}${againstText(about)}, ${at}${why}`);
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`;
};

/**
 * Writes the verdict, and a mark if there is one, into the notes of the run, a line each. A new verdict replaces the earlier one; the
 * other lines stay.
 */
export const noteRun = async (
  client: Client,
  runId: string,
  verdict: string,
  mark: string | undefined,
): Promise<void> => {
  const { notes } = await client.getRunDetails(runId);
  const lines = notes === '' ? [] : notes.split(/\r?\n/).filter((line) => !line.startsWith('gate: '));
  const marked = mark === undefined ? [] : [`mark: ${mark}`];
  lines.push(...marked.filter((line) => !lines.includes(line)), verdict);
  await client.updateRunDetails(runId, { notes: lines.join('\n') });
};
