import type { JsonObject, ScoreDetail } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';
import { FactList } from '../../ui/fact.tsx';
import { Time } from '../../ui/time.tsx';
import { useNames } from '../session/me.ts';
import { type Evidence, EvidenceTexts, evidenceFacts } from './evidence.tsx';
import { makerWords } from './maker-words.ts';
import { valueText } from './score-value.tsx';

type ReplacedVerdict = Omit<ScoreDetail['history'][number], 'metricConfigId'>;

export const Reasoning = ({ score }: { score: JsonObject | null }) =>
  typeof score?.reasoning === 'string' && (
    <p className="break-words whitespace-pre-wrap" dir="auto">
      {score.reasoning}
    </p>
  );

/** What a score was before: replaced verdicts, newest first, each with its evidence. Shows nothing if there are none. */
export const ReplacedVerdicts = ({ history }: { history: readonly ReplacedVerdict[] }) => {
  const nameOf = useNames();
  if (history.length === 0) return null;
  return (
    <section aria-label={`Replaced verdicts (${history.length})`} className="mb-6 flex flex-col gap-2">
      <h3 className="font-semibold">Replaced verdicts ({history.length})</h3>
      <ol className="flex flex-col divide-y divide-line">
        {history.map(({ state, score, reason, scoredByUserId, madeBy, evidence, scoredAt, replacedAt }) => {
          // The evidence of code is at most its duration.
          const facts = evidence ? evidenceFacts(evidence as Evidence) : [];
          return (
            <li key={replacedAt} className="flex flex-col gap-1 py-2">
              <p className="flex flex-wrap items-center gap-2">
                <Badge>{state === 'scored' ? (valueText(score) ?? 'invalid') : state}</Badge>
                <span className="text-sm text-soft">
                  {scoredByUserId && `${makerWords(nameOf(scoredByUserId), madeBy)} · `}
                  <Time at={scoredAt} />, replaced <Time at={replacedAt} />
                </span>
              </p>
              <Reasoning score={score} />
              {reason && <p className="break-words text-soft">{reason}</p>}
              {facts.length > 0 && (
                <details>
                  <summary className="text-sm text-accent">Prompt, reply and cost</summary>
                  <div className="mt-2 flex flex-col gap-2">
                    <FactList facts={facts} />
                    <EvidenceTexts {...(evidence as Evidence)} />
                  </div>
                </details>
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
};
