import { resolveModel } from '../../engine/models/provider.ts';
import { invalid } from '../../platform/errors.ts';
import type { Scope } from '../../platform/http/scope.ts';
import type { Judge } from '../judges/judge.ts';
import type { ProvidersOf } from '../providers/providers-of.ts';

export type Pricing = { judge: Judge; providersOf: ProvidersOf };

/**
 * Throws 400 at `at` if the price of one of these models is unknown: without it a budget cannot be enforced, so no judge is asked. A model
 * that no provider has is left to its scores, which say so.
 */
export const requirePriced = async (
  { judge, providersOf }: Pricing,
  { organizationId }: Scope,
  modelNames: readonly string[],
  at: string,
): Promise<void> => {
  const providers = await providersOf(organizationId);
  for (const modelName of new Set(modelNames)) {
    const model = resolveModel(modelName, providers);
    if (!('error' in model) && judge.costOf(model, { inputTokens: 1, outputTokens: 1 }) === null)
      throw invalid(
        at,
        `can't be enforced, because the price of '${modelName}' is unknown: enter it with its provider, or leave the budget out`,
      );
  }
};
