import { metric } from '../../evaluation/resources.ts';
import type { App } from '../../platform/http/http.ts';
import { answerRoute, ownOrganization } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { ref } from '../../platform/named-schema.ts';
import { describePassport, type PassportDeps } from './issue.ts';
import { JudgePassport, PassportKeyAnswer, PassportQuery } from './schema.ts';

const tags = ['Analysis'];

export const passportRoutes = (app: App, deps: RouteDeps & PassportDeps): void => {
  const { key } = deps;
  answerRoute(app, 'GET', '/metrics/:metricId/passport', {
    operationId: 'getJudgePassport',
    summary: 'Get the passport of a judge: how far it can be trusted, signed.',
    description:
      'Its grade, error rates, labels by maker, drift, bias battery, the end of its model, and when the passport expires. Each answer is signed when it is asked for and says how things are then.',
    tags,
    of: metric,
    query: PassportQuery,
    response: ref(JudgePassport),
    answer: async ({ scope, params, query }) => {
      const payload = await describePassport(deps, scope, params.metricId, query);
      const signature = { algorithm: 'Ed25519', keyId: key.keyId, value: key.sign(payload) };
      return JSON.stringify({ payload, signature });
    },
  });

  answerRoute(app, 'GET', '/passport-key', {
    operationId: 'getPassportKey',
    summary: 'Get the public key that checks passports of judges.',
    tags,
    of: ownOrganization,
    response: ref(PassportKeyAnswer),
    answer: async () =>
      JSON.stringify({ keyId: key.keyId, algorithm: 'Ed25519', publicKeyPem: key.publicKeyPem }),
  });
};
