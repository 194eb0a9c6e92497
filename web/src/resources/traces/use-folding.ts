import { useCallback, useEffect, useState } from 'react';
import type { Node, SpanTree } from './span-tree.ts';

const none: ReadonlySet<string> = new Set();

/** The collapsed spans of a tree. The ancestors of the chosen span are expanded, so that it is visible. */
export const useFolding = (tree: SpanTree, chosen: Node | undefined) => {
  const [folded, setFolded] = useState(none);
  useEffect(() => {
    if (!chosen) return;
    setFolded((before) => {
      const after = new Set(before);
      for (let at = chosen.parent; at >= 0; at = tree.nodes[at]!.parent) after.delete(tree.nodes[at]!.key);
      return after.size === before.size ? before : after;
    });
  }, [chosen, tree]);
  const fold = useCallback((key: string, folds: boolean) => {
    setFolded((before) => {
      const after = new Set(before);
      if (folds) after.add(key);
      else after.delete(key);
      return after;
    });
  }, []);
  const foldAll = () =>
    setFolded(new Set(tree.nodes.filter(({ numChildren }) => numChildren > 0).map(({ key }) => key)));
  return { folded, fold, foldAll, unfoldAll: () => setFolded(none) };
};
