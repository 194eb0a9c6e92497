import type { Decision } from '../../../client/src/gate/decide.ts';
import type { Client } from '../../../client/src/main.ts';
import { inOneLine } from '../output.ts';
import { type About, againstText } from './report.ts';

/** Longest text of a verdict that the service stores. */
const longest = 500;

const short = (text: string): string | null => {
  const line = inOneLine(text);
  if (line === '') return null;
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`;
};

/** Stores the verdict of a gate with the run, in place of its earlier one, and marks the run if there is a mark. */
export const storeVerdict = (
  client: Client,
  {
    gate,
    decision,
    about,
    mark,
  }: { gate: string; decision: Decision; about: About; mark: string | undefined },
) => {
  const [first] = decision.checks;
  return client.upsertRunVerdict(about.runId, gate, {
    outcome: decision.outcome,
    baselineRunId: about.baselines.find(({ anchor }) => !anchor)?.id ?? null,
    against: short(againstText(about)),
    reason: first === undefined || first.outcome === 'pass' ? null : short(first.sentence),
    ...(mark !== undefined && { mark }),
  });
};
