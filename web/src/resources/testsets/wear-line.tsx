import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api.ts';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import type { RunDetail, Wear } from '../../types.ts';

/** From this number of versions on, the best of them may be the best by luck. */
const fewestVersions = 2;

/** How often the testset of a run was looked at this year; null without a testset, undefined until it is known. */
export const useWear = (run: RunDetail | undefined): Wear | null | undefined => {
  const testsetId = run?.testset?.id;
  const wear = useQuery({
    ...apiQuery('getWear', testsetId ?? '', run?.split ? { split: run.split } : {}),
    enabled: testsetId !== undefined,
  });
  const isKnown = run !== undefined && (testsetId === undefined || !wear.isPending);
  return isKnown ? (wear.data ?? null) : undefined;
};

/** Says that the testset is worn; nothing if only one version was looked at. */
export const WearLine = ({ projectId, wear }: { projectId: string; wear: Wear | null | undefined }) =>
  wear && wear.numVersions >= fewestVersions ? (
    <p className="mb-2 text-sm text-soft">
      {wear.sentence} The more often a testset is asked, the more often a version looks better by luck.{' '}
      <TextLink {...paths.wear(projectId, wear.testsetId)}>Wear</TextLink>
    </p>
  ) : null;
