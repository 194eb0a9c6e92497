import type { Operations } from '../generated.ts';
import { ruleDeviations } from './deviations.ts';
import type { Verdict } from './evaluate.ts';
import { countOf } from './words.ts';

export type Held = {
  decisionId: string;
  deviations: { kind: string; sentence: string }[];
  waivers: { reason: string; waivedBy: string | null; waivedAt: string }[];
};

type Registered = { rules: unknown; level: number; baseline: { runId: string } | null };

/** Lists where a gate departs from what was registered: its rules, its baseline and its level. */
export const gateDeviations = (
  registered: Registered,
  { compared, rules, level }: { compared: string | undefined; rules: unknown; level: number },
): Held['deviations'] => {
  const said = (kind: string, sentence: string) => ({ kind, sentence });
  const baseline = registered.baseline?.runId;
  return [
    ...ruleDeviations(registered.rules, rules).map((sentence) => said('rulesChanged', sentence)),
    ...(baseline !== undefined && compared !== baseline
      ? [
          said(
            'baselineChanged',
            `it is compared with ${compared ? `run ${compared}` : 'no run'}, and run ${baseline} was registered`,
          ),
        ]
      : []),
    ...(level === registered.level
      ? []
      : [said('levelChanged', `the confidence level is ${level}, and ${registered.level} was registered`)]),
  ];
};

/** Holds a run and the rules of its gate against a registered decision. Refuses nothing: it lists what differs. */
export const holdAgainst = async (
  client: Operations,
  { projectId, decisionId }: { projectId: string; decisionId: string },
  { about, rules, level }: { about: Verdict['about']; rules: unknown; level: number },
): Promise<Held> => {
  const { document } = await client.getDecision(projectId, decisionId);
  const { deviations, waivers } = await client.readDecision(projectId, decisionId, { runId: about.runId });
  const compared = about.baselines.find(({ anchor }) => !anchor)?.id;
  return {
    decisionId,
    deviations: [...deviations, ...gateDeviations(document, { compared, rules, level })],
    waivers,
  };
};

/** The notes of a report: each deviation, or that there is none, and each waiver. */
export const heldNotes = ({ decisionId, deviations, waivers }: Held): string[] => {
  const id = decisionId.slice(0, 12);
  return [
    deviations.length === 0
      ? `As registered in decision ${id}.`
      : `${countOf(deviations.length, 'deviation')} from decision ${id}:`,
    ...deviations.map(({ sentence }) => `Deviation: ${sentence}.`),
    ...waivers.map(({ reason, waivedAt }) => `Shipped in spite of the verdict since ${waivedAt}: ${reason}`),
  ];
};
