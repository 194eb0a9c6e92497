import type { Sql } from '../../platform/db/database.ts';
import type { Scope } from '../../platform/http/scope.ts';
import { findContents, findRecordOrders, lockRecords, updateRecordContents } from './queries.ts';
import { contentOf, type Side, spanOfOrder } from './record-content.ts';
import { readStored } from './stored.ts';

type RecordKey = { runId: bigint; n: number; projectId: bigint };

/**
 * Writes the inputs and outputs of records anew, from the best spans that their traces have now, whether a trace came in
 * parts or from another record.
 */
export const refreshContents = async (
  tx: Sql,
  scope: Pick<Scope, 'organizationId'>,
  records: RecordKey[],
): Promise<void> => {
  const projects = new Map(records.map(({ runId, n, projectId }) => [`${runId}-${n}`, projectId]));
  // Both travel together.
  const [, orders] = await Promise.all([
    lockRecords(tx, scope, records),
    findRecordOrders(tx, scope, records),
  ]);
  const wanted = orders.flatMap((record) => {
    const projectId = projects.get(`${record.runId}-${record.n}`)!;
    return [record.inputOrder, record.outputOrder].flatMap((order) =>
      order === null ? [] : [{ projectId, ...spanOfOrder(order) }],
    );
  });
  const name = ({ traceId, spanId }: { traceId: string; spanId: string }) => `${traceId}${spanId}`;
  const distinct = [...new Map(wanted.map((span) => [name(span), span])).values()];
  const found = distinct.length > 0 ? await findContents(tx, scope, distinct) : [];
  const spans = new Map(found.map((span) => [name(span), readStored(span.name, span.content)]));
  const text = (order: string | null, side: Side): string => {
    const span = order === null ? undefined : spans.get(name(spanOfOrder(order)));
    return span ? contentOf(span, side) : '{}';
  };
  await updateRecordContents(
    tx,
    scope,
    orders.map(({ runId, n, inputOrder, outputOrder }) => ({
      runId,
      n,
      inputs: text(inputOrder, 'input'),
      outputs: text(outputOrder, 'output'),
    })),
  );
};
