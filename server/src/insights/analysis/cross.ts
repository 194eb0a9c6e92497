import { caveatsOf } from '../../engine/statistics/caveats.ts';
import { meansOf, scoredIndexes } from '../../engine/statistics/testcases.ts';
import { twoWayMeanEstimate } from '../../engine/statistics/two-ways.ts';
import { possibleScores } from '../../evaluation/scores/possible.ts';
import { caveatOfDraw } from './drawn-scores.ts';
import { passes, testcasesOf } from './measure-scores.ts';
import type { RunScores } from './run-scores.ts';
import { labelsByRecord, type RecordLabels } from './slices.ts';

/** Maximum number of cells of a table; the first ones in the order of the records are kept. */
const maxCells = 1_000;

const labelsOf = (run: RunScores, labels: RecordLabels): Map<number, string[]> => {
  const ofPlace = new Map<number, string[]>();
  for (const [place, label] of labelsByRecord(run, labels))
    ofPlace.set(place, [...(ofPlace.get(place) ?? []), label]);
  return ofPlace;
};

/** The records of each cell, by the labels of its row and column. */
const cellsOf = (run: RunScores, rows: Map<number, string[]>, columns: Map<number, string[]>) => {
  const cells = new Map<string, { row: string; column: string; places: number[] }>();
  for (let place = 0; place < run.numbers.length; place++)
    for (const row of rows.get(place) ?? [])
      for (const column of columns.get(place) ?? []) {
        const key = JSON.stringify([row, column]);
        const cell = cells.get(key);
        if (cell) cell.places.push(place);
        else cells.set(key, { row, column, places: [place] });
      }
  return [...cells.values()].slice(0, maxCells);
};

/** Returns the scores of the records in each cell of a table, and the pass rates over the table as samples of rows and of columns. */
export const crossLabels = (run: RunScores, by: RecordLabels, across: RecordLabels, level: number) => {
  const [rows, columns] = [labelsOf(run, by), labelsOf(run, across)];
  const firstPlace = new Map<number, number>();
  run.unitOf.forEach((unit, place) => {
    if (!firstPlace.has(unit)) firstPlace.set(unit, place);
  });
  const labelOf = (labels: Map<number, string[]>, unit: number) => labels.get(firstPlace.get(unit)!)?.[0];
  return {
    cells: cellsOf(run, rows, columns).map(({ row, column, places }) => ({
      row,
      column,
      numRecords: places.length,
      metrics: run.scores.map((scores) => {
        const given = places.map((place) => scores.values[place]!).filter((value) => value >= 0);
        const passed = given.filter((value) => passes(value, scores)).length;
        return { metricConfigId: scores.configId, scored: given.length, passed };
      }),
    })),
    passRates: run.scores.map((scores) => {
      const testcases = testcasesOf(run, scores, 'pass');
      const units = scoredIndexes(testcases).filter(
        (unit) => labelOf(rows, unit) !== undefined && labelOf(columns, unit) !== undefined,
      );
      const each = (labels: Map<number, string[]>) => Array.from(units, (unit) => labelOf(labels, unit)!);
      const estimate = twoWayMeanEstimate(
        meansOf(testcases, units),
        each(rows),
        each(columns),
        possibleScores.boolean,
        level,
      );
      const limits = caveatsOf(caveatOfDraw(scores), ...estimate.caveats);
      return { metricConfigId: scores.configId, passRate: { ...estimate, ...limits } };
    }),
  };
};
