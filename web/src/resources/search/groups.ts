import type { UseQueryOptions } from '@tanstack/react-query';
import type { Estimate } from '../../ui/interval.tsx';

/** Rows of a search by the value of a field: their number, and perhaps a pass rate. */
export type Groups = {
  n: number;
  partial: boolean;
  numOthers: number;
  /** Whether counts of rare values are too low. */
  manyValues?: boolean;
  groups: readonly {
    value: string | null;
    /** The filter that finds the group; null if none does. */
    words: string | null;
    n: number;
    passRate?: Estimate | null;
  }[];
};

/** Reads groups; what is read from the service may have other names. */
// biome-ignore lint/suspicious/noExplicitAny: the answers differ, and `select` makes Groups of each
export type GroupsQuery = UseQueryOptions<any, Error, Groups>;

/** Reads the number of rows by value of a field, within a search. */
export type GroupsOf = (by: string, q: string, newest?: number) => GroupsQuery;
