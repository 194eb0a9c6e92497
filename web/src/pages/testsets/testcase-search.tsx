import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { testcaseSearchKeys } from '../../../../client/src/search-keys.ts';
import { apiQuery } from '../../api.ts';
import { paths } from '../../paths.ts';
import { SearchBar } from '../../resources/search/search-bar.tsx';
import type { Testset } from '../../types.ts';
import { Button } from '../../ui/button.tsx';
import { countText } from '../../ui/format.ts';

type TestcaseSearchProps = { projectId: string; testset: Testset; q: string; problems: readonly string[] };

/** Searches within a testset; its splits are one click away. */
export const TestcaseSearch = ({ projectId, testset, q, problems }: TestcaseSearchProps) => {
  const navigate = useNavigate();
  const { data } = useQuery(apiQuery('getTestsetCounts', testset.id));
  const search = (q: string) =>
    void navigate({ ...paths.testset(projectId, testset.id), search: q === '' ? {} : { q } });
  const { inputs, expected, metadata } = testset.fieldMapping;
  const fields = [...new Set([...inputs, ...expected, ...metadata])].map((name) => `data.${name}`);
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div className="min-w-64 flex-1">
        <SearchBar
          q={q}
          onSearch={search}
          projectId={projectId}
          of="testcases"
          placeholder="split:dev tag:hard, or words"
          known={{ keys: testcaseSearchKeys, fields, sorts: [] }}
          problems={problems}
        />
      </div>
      {data?.splits.map(({ split, numTestcases }) => (
        <Button
          key={split}
          look="quiet"
          aria-pressed={q === `split:${split}`}
          onClick={() => search(q === `split:${split}` ? '' : `split:${split}`)}
        >
          {split} <span className="text-soft tabular-nums">{countText(numTestcases)}</span>
        </Button>
      ))}
    </div>
  );
};
