import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Testset } from '../../types.ts';
import { type ColumnMapping, guessMapping } from './mapping.ts';
import { type Chosen, type Found, readSource } from './read-source.ts';

/** A file or a pasted text, with the name of a text that has one. */
type Read = { source: File | string; name?: string } & Chosen;

/** The rows of a file or of pasted text, and what each of their columns becomes. */
export const useSource = (testset: Testset | undefined) => {
  const [name, setName] = useState('');
  const [found, setFound] = useState<Found>();
  const [source, setSource] = useState<File | string>('');
  const [mapping, setMapping] = useState<ColumnMapping[]>([]);
  const read = useMutation({
    mutationFn: ({ source, name: _, ...chosen }: Read) => readSource(source, chosen),
    onSuccess: (rows, { source, name }) => {
      if (rows.rows.length === 0)
        throw new Error(
          'No rows found. A table has its column names in the first line and a testcase in each other line.',
        );
      setFound(rows);
      setSource(source);
      setMapping(guessMapping(rows, testset));
      setName(
        name ??
          (typeof source === 'string'
            ? 'Pasted testcases'
            : source.name.replace(/\.gz$/i, '').replace(/\.\w+$/, '')),
      );
    },
  });
  const mapColumn = (i: number, changes: Partial<ColumnMapping>) =>
    setMapping(mapping.map((each, j) => (i === j ? { ...each, ...changes } : each)));
  const clear = () => setFound(undefined);
  return { read, source, found, clear, name, setName, mapping, mapColumn };
};
