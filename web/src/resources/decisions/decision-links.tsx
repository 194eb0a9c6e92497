import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api.ts';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import type { ListedDecision } from '../../types.ts';
import { useMay } from '../session/me.ts';

/** Newest decisions that are looked through. */
const limit = 100;
/** Most links beside one run. */
const mostShown = 3;

/** The newest registered decisions of a project that `isAbout` chooses. */
export const useDecisions = (
  projectId: string,
  isAbout: (decision: ListedDecision) => boolean,
): ListedDecision[] => {
  const { read } = useMay();
  const { data } = useQuery({
    ...apiQuery('listDecisions', projectId, { limit }),
    enabled: read,
    staleTime: 60_000,
  });
  return (data?.data ?? []).filter(isAbout).slice(0, mostShown);
};

type DecisionLinksProps = { projectId: string; runId: string; decisions: readonly ListedDecision[] };

/** Links to registered decisions, each with the run held against it. */
export const DecisionLinks = ({ projectId, runId, decisions }: DecisionLinksProps) => (
  <span className="flex max-w-96 flex-col">
    {decisions.map(({ id, question }) => (
      <TextLink key={id} {...paths.decision(projectId, id, runId)}>
        <bdi className="line-clamp-1" title={question}>
          {question}
        </bdi>
      </TextLink>
    ))}
  </span>
);
