import type { UseQueryOptions } from '@tanstack/react-query';
import type { ValueGroups } from '../../types.ts';

/** Reads groups. */
// biome-ignore lint/suspicious/noExplicitAny: each operation has its own key
export type GroupsQuery = UseQueryOptions<ValueGroups, Error, ValueGroups, any>;

/** Reads the number of rows by value of a field, within a search. */
export type GroupsOf = (by: string, q: string, newest?: number) => GroupsQuery;
