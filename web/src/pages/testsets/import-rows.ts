import { batches } from '../../../../client/src/bulk.ts';
import type { Table as FoundTable } from '../../../../client/src/tables/table.ts';
import { api } from '../../api.ts';
import { type ColumnMapping, type Mapped, mapRow } from '../../resources/testsets/mapping.ts';
import type { Testset } from '../../types.ts';

const batch = 100;

export type Problem = { line: number; message: string };

/** Turns rows into testcases. A row that cannot become one is reported with its line. */
export const mapRows = ({ rows, lines, isText }: FoundTable, mapping: readonly ColumnMapping[]) => {
  const mapped: Mapped[] = [];
  const problems: Problem[] = [];
  rows.forEach((row, i) => {
    const line = lines[i]!;
    try {
      mapped.push(mapRow(row, line, mapping, isText));
    } catch (error) {
      problems.push({ line, message: (error as Error).message });
    }
  });
  return { mapped, problems };
};

const replace = async ({ id, line, jsonData }: Mapped, problems: Problem[]): Promise<number> =>
  api.updateTestcase(id!, { jsonData }).then(
    () => 1,
    (error: Error) => {
      problems.push({ line, message: error.message });
      return 0;
    },
  );

/** Writes the rows into the testset: a row with an id replaces that testcase, the others are added. */
export const writeRows = async (
  testset: Testset,
  mapped: readonly Mapped[],
  onProgress: (n: number) => void,
) => {
  const problems: Problem[] = [];
  let written = 0;
  for (const row of mapped.filter(({ id }) => id)) {
    written += await replace(row, problems);
    onProgress(written);
  }
  const added = mapped.filter(({ id }) => !id);
  for (const part of batches(added, batch)) {
    const { items } = await api.createTestcases(testset.id, {
      items: part.map(({ jsonData }) => ({ jsonData })),
    });
    items.forEach(({ validationErrors }, j) => {
      for (const { path, message } of validationErrors ?? [])
        problems.push({ line: part[j]!.line, message: `${path} ${message} (stored anyway)` });
    });
    written += part.length;
    onProgress(written);
  }
  return { written, problems };
};
