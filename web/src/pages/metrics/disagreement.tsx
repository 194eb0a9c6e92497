import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import type { TrialChange } from '../../types.ts';
import { Badge } from '../../ui/badge.tsx';

const Said = ({ who, side }: { who: string; side: TrialChange['after'] | null }) => {
  const reason = side?.score?.reasoning ?? side?.reason;
  return (
    <div className="min-w-0">
      <p className="flex items-center gap-2 text-sm text-soft">
        {who} <Verdict passed={side?.passed ?? null} />
      </p>
      <p dir="auto" className="line-clamp-6 break-words whitespace-pre-wrap">
        {typeof reason === 'string' && reason !== '' ? (
          reason
        ) : (
          <span className="text-soft">No reason given.</span>
        )}
      </p>
    </div>
  );
};

const Verdict = ({ passed }: { passed: boolean | null }) =>
  passed === null ? (
    <Badge>no verdict</Badge>
  ) : (
    <Badge tone={passed ? 'pass' : 'fail'}>{passed ? '✓ Pass' : '✗ Fail'}</Badge>
  );

/** A record on which people disagree with the saved or the edited prompt: the three verdicts with their reasons. */
export const Disagreement = ({ projectId, item }: { projectId: string; item: TrialChange }) => {
  const { recordId, people, before, after } = item;
  const mended = before?.passed !== people && after.passed === people;
  const broken = before?.passed === people && after.passed !== people;
  return (
    <li className="py-2">
      <details>
        <summary>
          <span className="inline-flex flex-wrap items-center gap-2">
            <TextLink {...paths.record(projectId, recordId)} className="font-mono">
              {recordId}
            </TextLink>
            <span className="text-sm text-soft">People</span> <Verdict passed={people} />
            <span className="text-sm">
              {mended ? 'mended by the edit' : broken ? 'broken by the edit' : 'neither agrees'}
            </span>
          </span>
        </summary>
        <div className="mt-2 grid gap-3 sm:grid-cols-2">
          <Said who="As saved" side={before} />
          <Said who="As edited" side={after} />
        </div>
      </details>
    </li>
  );
};
