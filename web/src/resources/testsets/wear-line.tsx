import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api.ts';
import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import type { RunComparison } from '../../types.ts';

/** From this number of versions on, the best of them may be the best by luck. */
const fewestVersions = 2;

type WearLineProps = { projectId: string; run: RunComparison['runs'][number] | undefined };

/** How often the testset of a run was looked at this year; nothing if only one version was. */
export const WearLine = ({ projectId, run }: WearLineProps) => {
  const testset = run?.testset;
  if (!testset) return null;
  return <Line projectId={projectId} testsetId={testset.id} split={run.split} />;
};

const Line = ({
  projectId,
  testsetId,
  split,
}: {
  projectId: string;
  testsetId: string;
  split: string | null;
}) => {
  const { data } = useQuery(apiQuery('getWear', testsetId, split === null ? {} : { split }));
  if (!data || data.numVersions < fewestVersions) return null;
  return (
    <p className="mb-2 text-sm text-soft">
      {data.sentence} The more often a testset is asked, the more often a version looks better by luck.{' '}
      <TextLink {...paths.wear(projectId, testsetId)}>Wear</TextLink>
    </p>
  );
};
