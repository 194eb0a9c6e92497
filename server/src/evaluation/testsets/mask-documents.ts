import type { RouteDeps } from '../../platform/http/route-deps.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { RawJson } from '../../platform/json/json.ts';
import type { Deletions } from '../deletions/deletions.ts';
import { maskPart } from '../masking/mask-data.ts';
import type { Masking } from '../masking/masking.ts';
import type { SchemaChecker } from './json-schema.ts';

export type TestsetDeps = RouteDeps & { deletions: Deletions; schemas: SchemaChecker; masking: Masking };

/** Masks documents of testcases, if the project masks testcases. */
export const maskDocuments = async (
  { masking }: TestsetDeps,
  scope: Scope,
  testsetId: bigint,
  documents: RawJson[],
): Promise<RawJson[]> => {
  const masker = await masking.of(scope, { testsetId });
  return masker?.testcases ? documents.map((each) => maskPart(masker, 'jsonData', each)) : documents;
};
