import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { apiQuery } from '../../api.ts';
import { useMay } from '../session/me.ts';
import { laterText } from './gaps.ts';
import { sessionQuery } from './queries.ts';
import type { SpanSource } from './source.ts';
import type { RowLabel } from './span-rows.tsx';
import type { SpanTree } from './span-tree.ts';

/** The traces of a tree in the order in which they began. */
const tracesIn = ({ nodes }: SpanTree): string[] => {
  const roots = nodes.filter(({ depth }) => depth === 0).sort((a, b) => a.from - b.from);
  return [...new Set(roots.map(({ span }) => span.traceId))];
};

/** The beginnings of what users said in the traces of a record's session, by trace. */
const useWords = ({ projectId, recordId, traceId }: SpanSource, isWanted: boolean) => {
  const { read } = useMay();
  const enabled = read && isWanted && recordId !== null && traceId === undefined;
  const { data: record } = useQuery({ ...apiQuery('getRecord', recordId ?? ''), enabled });
  const sessionId = record?.sessionId ?? '';
  const { data } = useQuery({ ...sessionQuery(projectId, sessionId), enabled: enabled && sessionId !== '' });
  return data;
};

/** Labels of rows: the turn that a row begins, and how long nothing happened before it. */
export const useLabels = (source: SpanSource, tree: SpanTree): ReadonlyMap<string, RowLabel> => {
  const traces = useMemo(() => tracesIn(tree), [tree]);
  const turns = useWords(source, traces.length > 1);
  return useMemo(() => {
    const labels = new Map<string, RowLabel>();
    const add = (key: string | undefined, label: RowLabel) => {
      if (key !== undefined) labels.set(key, { ...labels.get(key), ...label });
    };
    for (const { from, to } of tree.gaps)
      add(tree.nodes.find((node) => node.from === to)?.key, { later: laterText(to - from) });
    if (traces.length > 1)
      for (const [i, traceId] of traces.entries()) {
        const words = turns?.data.find((trace) => trace.traceId === traceId)?.input;
        add(tree.nodes.find(({ span }) => span.traceId === traceId)?.key, {
          turn: `Turn ${i + 1}`,
          ...(words && { words }),
        });
      }
    return labels;
  }, [tree, traces, turns]);
};
