import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api.ts';
import { type Case, caseOf, caseOfTestset } from '../../resources/proposals/propose.ts';
import { useSource } from '../../resources/testsets/use-source.ts';
import { useDraft } from '../../ui/local-storage.ts';

/** Where the testcases come from. */
export const ways = {
  table: 'A table',
  drafts: 'Drafted by a model',
  testset: 'A testset of this project',
} as const;
export type Way = keyof typeof ways;

/** The testset that the drafts of this page go into: the model reads its schema. `key` makes its creation repeatable. */
type Drafted = { key: string; testsetId?: string; description: string };

/** The testset that is chosen, as a case with the number of its testcases. */
const useChosenTestset = (projectId: string) => {
  const [chosen, choose] = useDraft<string>(`first ${projectId} testset`);
  const { data: testsets } = useQuery(apiQuery('listTestsetDetails', projectId, { limit: 100 }));
  const filled = testsets?.data.filter(({ numTestcases }) => numTestcases > 0);
  const testset = filled?.find(({ id }) => id === chosen);
  const { data: first } = useQuery({
    ...apiQuery('listTestcases', testset?.id ?? '', { limit: 1 }),
    enabled: testset !== undefined,
  });
  const testcase = first?.data[0];
  const row = testset && testcase && caseOfTestset(testset, testcase);
  return { filled, testset, row, choose };
};

/** The testcases of the page: a table of the reader, drafts of a model or a testset that is there. This browser keeps them. */
export const useTestcases = (projectId: string, isAnswered: boolean) => {
  const [chosen = 'table', setWay] = useDraft<Way>(`first ${projectId} way`);
  // Answers come in a table.
  const way = isAnswered ? 'table' : chosen;
  const table = useSource(undefined, `first ${projectId} table`);
  const drafts = useSource(undefined, `first ${projectId} drafts`);
  const [drafted, keepDrafted] = useDraft<Drafted>(`first ${projectId} drafted`);
  const there = useChosenTestset(projectId);
  const source = way === 'drafts' ? drafts : table;
  const { found, mapping } = source;
  const ofSource = found && caseOf(found, mapping, isAnswered);
  const row: Case | undefined = way === 'testset' ? there.row : ofSource;
  const numRows = (way === 'testset' ? there.testset?.numTestcases : found?.rows.length) ?? 0;
  return { way, setWay, source, table, drafts, drafted, keepDrafted, there, row, numRows };
};

export type Testcases = ReturnType<typeof useTestcases>;
