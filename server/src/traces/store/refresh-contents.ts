import type { Sql } from '../../platform/db/database.ts';
import { type RecordKey, recordIdOf } from '../../platform/http/ids.ts';
import type { Owner } from '../../platform/http/scope.ts';
import { findContents, findRecordOrders, lockRecords, updateRecordContents } from './queries.ts';
import { contentOf, type Side, spanName, spanOfOrder } from './record-content.ts';
import { readStored } from './stored.ts';

/**
 * Writes the inputs, outputs and times of records from the best spans that their traces have now. Leaves records without traces as they
 * are. A record may be given several times.
 */
export const refreshContents = async (
  tx: Sql,
  scope: Owner,
  given: (RecordKey & { projectId: bigint })[],
): Promise<void> => {
  if (given.length === 0) return;
  const records = new Map(given.map((record) => [recordIdOf(record), record]));
  const locked = await lockRecords(tx, scope, [...records.values()]);
  const expected = new Map(locked.map((record) => [recordIdOf(record), record.expected]));
  const found = await findRecordOrders(tx, scope, [...records.values()]);

  const best = found.flatMap((record) => {
    const { projectId } = records.get(recordIdOf(record))!;
    return [record.inputOrder, record.outputOrder]
      .filter((order) => order !== null)
      .map((order) => ({ projectId, ...spanOfOrder(order) }));
  });
  const distinct = [...new Map(best.map((span) => [spanName(span), span])).values()];
  const contents = distinct.length > 0 ? await findContents(tx, scope, distinct) : [];
  const damaged = new Set(contents.filter(({ isDamaged }) => isDamaged).map(spanName));
  const isWhole = (order: string | null) => order === null || !damaged.has(spanName(spanOfOrder(order)));
  const spans = new Map(contents.map((span) => [spanName(span), readStored(span.name, span.content)]));

  const text = (order: string | null, side: Side): string => {
    const span = order === null ? undefined : spans.get(spanName(spanOfOrder(order)));
    return span ? contentOf(span, side) : '{}';
  };
  await updateRecordContents(
    tx,
    scope,
    // A record keeps what it has if its span can't be read any more.
    found
      .filter(({ inputOrder, outputOrder }) => isWhole(inputOrder) && isWhole(outputOrder))
      .map(({ runId, n, inputOrder, outputOrder, happenedAt }) => ({
        runId,
        n,
        happenedAt,
        inputs: text(inputOrder, 'input'),
        expected: expected.get(recordIdOf({ runId, n })) ?? '{}',
        outputs: text(outputOrder, 'output'),
      })),
  );
};
