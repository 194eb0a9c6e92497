import type { Given } from './call-arguments.ts';
import { openListFilters } from './list-filters.ts';
import { numberFilters } from './number-filters.ts';
import { TemplateError } from './template-error.ts';
import { tests } from './tests.ts';
import { type Filter, textFilters } from './text-filters.ts';
import type { Value } from './values.ts';

export const applyFilter = (name: string, value: Value, given: Given): Value => {
  if (!Object.hasOwn(filters, name)) throw new TemplateError(`unknown filter: ${name}`);
  return filters[name]!(value, given, name);
};
export const applyTest = (name: string, value: Value, args: readonly Value[]): boolean => {
  if (!Object.hasOwn(tests, name)) throw new TemplateError(`unknown test: ${name}`);
  return tests[name]!(value, args, name);
};

/** Jinja's own filters. */
export const filters: Record<string, Filter> = {
  ...textFilters,
  e: textFilters.escape!,
  ...numberFilters,
  ...openListFilters({ filter: applyFilter, test: applyTest }),
};
