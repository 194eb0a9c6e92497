import { ruleDeviations } from '../../../client/src/gate/deviations.ts';
import type { Client } from '../../../client/src/main.ts';
import { countOf } from '../figures.ts';
import type { About } from './report.ts';

export type Held = {
  decisionId: string;
  deviations: { kind: string; sentence: string }[];
  waivers: { reason: string; waivedBy: string | null; waivedAt: string }[];
};

/** Holds a run and the rules of its gate against a registered decision. Refuses nothing: it lists what differs. */
export const holdAgainst = async (
  client: Client,
  { projectId, decisionId }: { projectId: string; decisionId: string },
  { about, rules, level }: { about: About; rules: unknown; level: number },
): Promise<Held> => {
  const { document } = await client.getDecision(projectId, decisionId);
  const { deviations, waivers } = await client.readDecision(projectId, decisionId, { runId: about.runId });
  const compared = about.baselines.find(({ anchor }) => !anchor)?.id;
  const registered = document.baseline?.runId;
  const said = (kind: string, sentence: string) => ({ kind, sentence });
  return {
    decisionId,
    deviations: [
      ...deviations,
      ...ruleDeviations(document.rules, rules).map((sentence) => said('rulesChanged', sentence)),
      ...(registered !== undefined && compared !== registered
        ? [
            said(
              'baselineChanged',
              `it is compared with ${compared ? `run ${compared}` : 'no run'}, and run ${registered} was registered`,
            ),
          ]
        : []),
      ...(level === document.level
        ? []
        : [said('levelChanged', `the confidence level is ${level}, and ${document.level} was registered`)]),
    ],
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
