import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { Testset } from '../../types.ts';
import { keptFiles } from '../../ui/kept-files.ts';
import { freshKey } from '../../ui/local-storage.ts';
import { type ColumnMapping, guessMapping } from './mapping.ts';
import { type Chosen, type Found, readSource } from './read-source.ts';

/** A file or a pasted text, with the name of a text that has one. */
type Read = { source: File | string; name?: string } & Chosen;

/** A source that this browser keeps, with the uses of its columns. `id` is new for each table that is chosen. */
type Kept = Read & { id: string; mapping: ColumnMapping[] };

const nameOf = (source: File | string): string =>
  typeof source === 'string' ? 'Pasted testcases' : source.name.replace(/\.gz$/i, '').replace(/\.\w+$/, '');

/**
 * The rows of a file or of pasted text, and what each of their columns becomes. With `keepAs`, this browser keeps them under that
 * name: a reload does not lose them.
 */
export const useSource = (testset: Testset | undefined, keepAs?: string) => {
  const [name, setName] = useState('');
  const [found, setFound] = useState<Found>();
  const [source, setSource] = useState<File | string>('');
  const [mapping, setMapping] = useState<ColumnMapping[]>([]);
  const [kept, setKept] = useState<Kept>();
  const [isRestoring, setRestoring] = useState(keepAs !== undefined);
  const keep = (next: Kept | undefined) => {
    setKept(next);
    if (keepAs && next) void keptFiles.set(keepAs, next);
    else if (keepAs) void keptFiles.remove(keepAs);
  };
  const read = useMutation({
    mutationFn: ({ source, encoding, sheet }: Read & Partial<Kept>) =>
      readSource(source, { ...(encoding && { encoding }), ...(sheet !== undefined && { sheet }) }),
    onSuccess: (rows, asked) => {
      if (rows.rows.length === 0)
        throw new Error(
          'No rows found. A table has its column names in the first line and a testcase in each other line.',
        );
      const { source, name = nameOf(source), mapping = guessMapping(rows, testset), id = freshKey() } = asked;
      setFound(rows);
      setSource(source);
      setMapping(mapping);
      setName(name);
      keep({ ...asked, name, mapping, id });
    },
  });
  const { mutate } = read;
  useEffect(() => {
    if (keepAs === undefined) return;
    let isLeft = false;
    void keptFiles.get<Kept>(keepAs).then((before) => {
      if (isLeft) return;
      if (before) mutate(before);
      setRestoring(false);
    });
    return () => {
      isLeft = true;
    };
  }, [keepAs, mutate]);
  const mapColumn = (i: number, changes: Partial<ColumnMapping>) => {
    const next = mapping.map((each, j) => (i === j ? { ...each, ...changes } : each));
    setMapping(next);
    if (kept) keep({ ...kept, mapping: next });
  };
  const clear = () => {
    setFound(undefined);
    keep(undefined);
  };
  return { read, source, found, id: kept?.id ?? '', isRestoring, clear, name, setName, mapping, mapColumn };
};

export type Source = ReturnType<typeof useSource>;
