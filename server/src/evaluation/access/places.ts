import type { FastifyRequest } from 'fastify';
import { type Place, placeNames } from '../../platform/http/places.ts';

/** Parameters that name something of the organization, or something within what another parameter names. */
export const notPlaces: readonly string[] = [
  'organizationId',
  'userId',
  'keyId',
  'providerId',
  'tokenId',
  'annotationId',
  'replyId',
  'metricConfigId',
  'assigneeUserId',
  'sessionId',
  'text',
  'traceId',
  'spanId',
  'deliveryId',
  'trialNumber',
  'snapshotNumber',
  'decisionId',
  'systemName',
  'label',
  'gate',
];

/** The places that the path of a request names. */
export const placesOf = ({ params }: FastifyRequest): Place[] =>
  Object.entries((params ?? {}) as Record<string, string>)
    .filter(([kind]) => placeNames.includes(kind))
    .map(([kind, id]) => ({ kind, id }));

const texts = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).filter((item) => typeof item === 'string');

/** Fields of queries and bodies that name several places, or one by another name. */
const otherNames: Record<string, Record<string, (value: unknown) => Place[]>> = {
  compareRuns: { runs: (value) => runsOf(value) },
  listChangedTestcases: { runs: (value) => runsOf(value) },
  deleteTestcases: { ids: (value) => texts(value).map((id) => ({ kind: 'testcaseId', id })) },
  createAlert: { labelMetricId: (value) => metricOf(value) },
  updateAlert: { labelMetricId: (value) => metricOf(value) },
  listAlarms: { labelMetricId: (value) => metricOf(value) },
  createKey: { defaultProjectId: (value) => texts(value).map((id) => ({ kind: 'projectId', id })) },
};
const metricOf = (value: unknown): Place[] => texts(value).map((id) => ({ kind: 'metricId', id }));
const runsOf = (value: unknown): Place[] =>
  texts(value)
    .flatMap((runs) => runs.split(','))
    .map((id) => ({ kind: 'runId', id }));

type Fields = { properties?: Record<string, unknown> };

/** Fields that the route reads. An operation that ignores unknown fields must not look their ids up: the answer would tell which exist. */
const readFields = (schema: unknown, sent: unknown): [string, unknown][] => {
  if (!sent || typeof sent !== 'object' || Array.isArray(sent)) return [];
  const { properties } = (schema ?? {}) as Fields;
  return Object.entries(sent).filter(([name]) => !properties || Object.hasOwn(properties, name));
};

/** The places that the query and the body of a request name. */
export const furtherPlaces = (operationId: string, request: FastifyRequest): Place[] => {
  const { schema } = request.routeOptions;
  const fields = [
    ...readFields(schema?.querystring, request.query),
    ...readFields(schema?.body, request.body),
  ];
  return fields.flatMap(([name, value]) => {
    if (typeof value === 'string' && placeNames.includes(name)) return [{ kind: name, id: value }];
    return otherNames[operationId]?.[name]?.(value) ?? [];
  });
};

/** Operations whose query or body, but not path, can name a project: the query and body decide who may do them. */
export const decidedByFurther: ReadonlySet<string> = new Set([
  'compareRuns',
  'listChangedTestcases',
  'listTrials',
  'deleteTestcases',
  'createKey',
  'deleteKey',
  'initiateAttachment',
]);
/** Those of these operations that need no named project: anyone who may write in some project may do them. */
export const forAnyWriter: ReadonlySet<string> = new Set(['createKey', 'deleteKey', 'initiateAttachment']);

/** Returns the name of a place's resource in a 404. */
export const wordOf = ({ kind }: Place): string =>
  kind.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
