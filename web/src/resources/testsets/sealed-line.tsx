import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api.ts';
import { QuietLink } from '../../links.tsx';
import { paths } from '../../paths.ts';

/** Says how many testcases of a testset are sealed, and how many looks are left; nothing without a sealed split. */
export const SealedLine = ({ projectId, testsetId }: { projectId: string; testsetId: string }) => {
  const { data: seals } = useQuery(apiQuery('listSeals', testsetId));
  const seal = seals?.data.find(({ state }) => state === 'sealed');
  return seal ? (
    <QuietLink {...paths.sealed(projectId, testsetId)}>
      Sealed: {seal.numTestcases} testcases, {seal.maxLooks - seal.numLooks} of {seal.maxLooks} looks left
    </QuietLink>
  ) : null;
};
