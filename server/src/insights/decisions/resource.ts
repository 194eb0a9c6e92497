import { Type } from 'typebox';
import { numericId } from '../../platform/http/ids.ts';
import { pathParam } from '../../platform/http/openapi.ts';
import type { Resource } from '../../platform/http/resource-routes.ts';

const params = Type.Object({
  projectId: pathParam('project'),
  decisionId: pathParam('decision'),
});
export type DecisionKey = { projectId: bigint; decisionId: string };

export const decision: Resource<typeof params, DecisionKey> = {
  name: 'decision',
  params,
  keyOf: ({ projectId, decisionId }) => ({ projectId: numericId('project', projectId), decisionId }),
  idOf: ({ decisionId }) => decisionId,
};
