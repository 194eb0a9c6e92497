// Longer than 400 lines: the rules of the words stand beside their exceptions.
import { readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { withExamples } from '../src/platform/http/api-examples.ts';

/*
 * Holds openapi.json to "The API's words" of CONTRIBUTING.md. The names of the contract, which other services share, are
 * exempt: they are read from contract/openapi.json.
 */

type Schema = { [keyword: string]: unknown } & {
  type?: string | string[];
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
  $ref?: string;
};
type Parameter = { name: string; in: string; schema: Schema; $ref?: string };
type Content = Record<string, { schema: Schema; example?: unknown }>;
type Operation = {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  parameters?: Parameter[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content; $ref?: string }>;
};
type Document = {
  tags?: { name: string }[];
  components: Record<string, Record<string, Schema>>;
  paths: Record<string, Record<string, Operation>>;
};

const readDocument = async (path: string) =>
  JSON.parse(await readFile(new URL(path, import.meta.url), 'utf8')) as Document;
const document = await readDocument('../../openapi.json');
const contract = await readDocument('./contract/openapi.json');

const operationsOf = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.operationId)
      .map(([method, operation]) => ({ path, method, operation })),
  );
const operations = operationsOf(document);
const ofContract = new Set(operationsOf(contract).map(({ operation }) => operation.operationId));
const own = operations.filter(({ operation }) => !ofContract.has(operation.operationId));

const target = <T extends { $ref?: string }>(value: T): T => {
  if (!value.$ref) return value;
  const [, , kind, name] = value.$ref.split('/') as [string, string, string, string];
  return document.components[kind]![name] as unknown as T;
};
const parametersOf = ({ parameters = [] }: Operation) => parameters.map(target);
const answerOf = ({ responses }: Operation): Schema | undefined => {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  const schema = success?.content?.['application/json']?.schema;
  return schema && target(schema);
};

type Field = { name: string; at: string; types: string[]; schema: Schema };

/** Keywords below which schemas are. */
const nested = ['items', 'additionalProperties', 'anyOf', 'oneOf', 'allOf', 'not'];

const fieldsIn = (schema: unknown, at: string): Field[] => {
  if (Array.isArray(schema)) return schema.flatMap((part) => fieldsIn(part, at));
  if (schema === null || typeof schema !== 'object') return [];
  const { properties = {}, patternProperties, ...rest } = schema as Schema;
  const fields = Object.entries(properties).flatMap(([name, field]) => {
    const types = [field, ...(field.anyOf ?? [])].flatMap(({ type = [] }) => type);
    return [{ name, at: `${at}.${name}`, types, schema: field }, ...fieldsIn(field, `${at}.${name}`)];
  });
  const inside = [...nested.map((key) => rest[key]), ...Object.values(patternProperties ?? {})];
  return [...fields, ...fieldsIn(inside, at)];
};

/** Every field of every body and answer, and every parameter. */
const fieldsOf = (of: Document): Field[] => [
  ...Object.entries(of.components.schemas!).flatMap(([name, schema]) => fieldsIn(schema, name)),
  ...operationsOf(of).flatMap(({ operation }) => {
    const { operationId, requestBody, responses, parameters = [] } = operation;
    const contents = [requestBody, ...Object.values(responses)].flatMap((part) =>
      Object.values(part?.content ?? {}),
    );
    return [
      ...contents.flatMap(({ schema }) => fieldsIn(schema, operationId)),
      ...parameters.filter(({ $ref }) => !$ref).map((parameter) => parameterField(operationId, parameter)),
    ];
  }),
  ...Object.values(of.components.parameters ?? {}).map((parameter) =>
    parameterField('', parameter as unknown as Parameter),
  ),
];
const parameterField = (operationId: string, { name, schema }: Parameter): Field => ({
  name,
  at: `${operationId}?${name}`,
  types: [schema.type ?? []].flat(),
  schema,
});

const contractNames = new Set(fieldsOf(contract).map(({ name }) => name));
const ownFields = fieldsOf(document).filter(({ name }) => !contractNames.has(name));

/** Names and values of fields, below which no keyword is meant. */
const isMap = new Set(['properties', 'patternProperties', 'default', 'enum', 'const', 'example']);

const keywordsIn = (schema: unknown, at: string, found: Map<string, string>): void => {
  if (Array.isArray(schema)) for (const part of schema) keywordsIn(part, at, found);
  if (schema === null || typeof schema !== 'object' || Array.isArray(schema)) return;
  for (const [keyword, value] of Object.entries(schema)) {
    found.set(keyword, at);
    if (keyword === 'properties' || keyword === 'patternProperties')
      for (const part of Object.values(value as object)) keywordsIn(part, at, found);
    else if (!isMap.has(keyword)) keywordsIn(value, at, found);
  }
};

/** The keywords of JSON Schema 2020-12 that the document uses. */
const standardKeywords = new Set([
  '$ref',
  'type',
  'enum',
  'const',
  'anyOf',
  'allOf',
  'oneOf',
  'not',
  'default',
  'title',
  'description',
  'properties',
  'patternProperties',
  'additionalProperties',
  'required',
  'minProperties',
  'maxProperties',
  'items',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
  'contentMediaType',
]);

/** Lists that come whole, because what they list is few by its nature. */
const wholeLists: Record<string, string> = {
  listAlarms: 'one figure for each limit and each metric of a monitor',
  listAlerts: 'at most 50 (docs/limits.md)',
  listSchedules: 'at most 50 (docs/limits.md)',
  listReportLinks: 'at most 100 (docs/limits.md)',
  listViews: 'at most 500 (docs/limits.md)',
  submitReviews: 'one result for each review of the request, at most 100',
  listReviews: 'the state of one score, with one standing review of each person',
  listMetricTemplates: 'the templates that the service ships with',
  getRecordConversation: 'one conversation, within the limits of a tree of spans',
  listSpanScores: 'the scores of one record, at most 200 spans a metric (docs/limits.md)',
  listRecordSpans: 'one tree of spans, at most 10,000 (docs/limits.md)',
  getTraceConversation: 'one conversation, within the limits of a tree of spans',
  listTraceSpans: 'one tree of spans, at most 10,000 (docs/limits.md)',
};

/** The first word of an operation's name, and when it is the word. */
const verbs = {
  create: 'makes a resource',
  waive: 'ships in spite of a verdict',
  open: 'shows what was sealed',
  read: 'holds one thing against another',
  get: 'reads one thing',
  list: 'reads many things',
  update: 'changes a resource',
  upsert: 'creates or replaces what a key names',
  delete: 'ends a resource',
  add: 'puts what exists into a set',
  cancel: 'ends pending work, which a retry starts again',
  refresh: 'reads again what another service has',
  retry: 'starts failed or cancelled work again',
  undo: 'takes back your last answer and returns its question',
  submit: 'gives an answer of a person',
  skip: 'leaves a question to later',
  assign: 'gives people what they are to answer',
  leave: 'gives back what one was assigned',
  next: 'claims the next question',
  stream: 'sends events or text while they come up',
  export: 'writes a whole file',
  import: 'reads a whole file',
  upload: 'stores bytes',
  download: 'reads bytes',
  measure: 'analysis: how far raters agree',
  calibrate: 'analysis: a judge against people',
  summarize: 'analysis: one run',
  examine: 'analysis: the testcases of a testset',
  compare: 'analysis: several runs',
  plan: 'analysis: how many testcases a comparison needs',
  group: 'analysis: failures with something in common',
  estimate: 'says the cost before anything starts',
  preview: 'shows what a setting would do; nothing is written',
  try: 'calls a system once; nothing is written',
  test: 'calls another service once; nothing is written',
  simulate: 'lets a model write as a user',
  draw: 'takes a random sample into a set',
  draft: 'lets a model write for review; nothing is written',
  ask: 'lets a model answer',
  verify: 'checks that stored facts are whole',
  resolve: 'closes a thread, or opens it again',
  redeem: 'uses a link that works once',
  sign: 'signs a person in or out',
  switch: 'goes to another organization',
  decide: 'adopts or discards what a trial found',
  extend: 'goes on from a sample to all',
  restore: 'makes a thing what it was',
};

/** The tag of an operation: that of the last of these words in its path; words before it may make it more exact. */
const tagOf: Record<string, string> = {
  keys: 'API keys',
  decisions: 'Decisions',
  alarms: 'Alerts',
  alerts: 'Alerts',
  confirmations: 'Alerts',
  'mail-addresses': 'Alerts',
  'sign-ins': 'Sign-in',
  'sign-ins/current/organization': 'Sign-in',
  agreement: 'Analysis',
  calibration: 'Analysis',
  passport: 'Analysis',
  'passport-key': 'Analysis',
  plan: 'Analysis',
  news: 'Analysis',
  series: 'Analysis',
  trends: 'Analysis',
  compare: 'Analysis',
  'compare/testcases': 'Analysis',
  'failure-clusters': 'Analysis',
  'criteria-drafts': 'Metrics',
  summary: 'Analysis',
  examination: 'Analysis',
  looks: 'Analysis',
  'seals/looks': 'Testsets',
  'seals/open': 'Testsets',
  seals: 'Testsets',
  wear: 'Analysis',
  annotations: 'Annotations',
  threads: 'Annotations',
  assignees: 'Assignees',
  attachments: 'Attachments',
  'audit-events': 'Audit log',
  events: 'Changes',
  executions: 'Executions',
  me: 'Members',
  members: 'Members',
  'projects/members': 'Projects',
  organization: 'Members',
  'scim-tokens': 'Members',
  'metric-groups': 'Metric groups',
  'metric-templates': 'Metrics',
  metrics: 'Metrics',
  'runs/metrics': 'Runs',
  monitors: 'Monitors',
  organizations: 'Operator',
  'organizations/sign-in-links': 'Operator',
  'preference-studies': 'Preferences',
  projects: 'Projects',
  providers: 'Providers',
  'judge-models': 'Providers',
  prices: 'Providers',
  'model-endings': 'Providers',
  records: 'Records',
  reviews: 'Reviews',
  'review-disagreements': 'Reviews',
  'review-samples': 'Reviews',
  'review-samples/records': 'Reviews',
  runs: 'Runs',
  'run-details': 'Runs',
  'testset-details': 'Testsets',
  creators: 'Projects',
  schedules: 'Schedules',
  scores: 'Scores',
  'scores/spans': 'Scores',
  'span-scores': 'Scores',
  'sign-in-options': 'Sign-in',
  'single-sign-on': 'Sign-in',
  'sign-in-links': 'Sign-in',
  password: 'Sign-in',
  systems: 'Systems',
  agents: 'Systems',
  tags: 'Tags',
  testsets: 'Testsets',
  testcases: 'Testsets',
  'fresh-testcases': 'Testsets',
  testcase: 'Testsets',
  traces: 'Traces',
  trials: 'Trials',
  'pinned-set': 'Trials',
  sessions: 'Traces',
  users: 'Traces',
  spans: 'Traces',
  conversation: 'Traces',
  views: 'Views',
  'report-links': 'Analysis',
};

/** Counts whose name is not num…, and why. */
const counts: Record<string, string[]> = {
  'the term of the statistics': [
    'n',
    'effectiveN',
    'k',
    'tests',
    'trials',
    'tippingPoint',
    'truePositives',
    'falsePositives',
    'trueNegatives',
    'falseNegatives',
  ],
  'a part of the count beside it, by state or outcome': [
    'pending',
    'done',
    'scored',
    'unscored',
    'failed',
    'cancelled',
    'passed',
    'missing',
    'abstained',
    'wins',
    'ties',
    'losses',
    'opposite',
    'priced',
    'positive',
    'negative',
    'commented',
    'nowPass',
    'nowFail',
    'chained',
    'unchained',
  ],
  'a part of the object’s count, by run': ['before', 'after', 'both'],
  'a size that you choose': ['size'],
};
const countTerms = new Set(Object.values(counts).flat());

/** Plurals that say what is counted and not that it is a count. */
const countedNouns = new Set([
  'records',
  'errors',
  'traces',
  'sessions',
  'spans',
  'runs',
  'scores',
  'proposals',
  'executions',
  'testcases',
  'reviews',
  'reviewers',
  'verdicts',
  'comparisons',
  'conversations',
  'lines',
  'comments',
  'labels',
  'events',
  'attributes',
  'links',
  'groups',
  'calls',
  'units',
  'attempts',
  'passes',
  'count',
  'total',
  'of',
  'changed',
  'replaced',
  'needed',
]);

/** Last words of the paths of a PUT that name a single part of the resource before them, and what they name. */
const singles: Record<string, string> = {
  content: 'the bytes of an attachment',
  archive: 'the whole project as a file, which a retry sends again',
  'pinned-set': 'the pinned set of a metric',
  judge: 'the judge of a preference study',
  resolution: 'whether a thread is resolved',
  password: 'the password of the member who asks',
  organization: 'the organization of the current sign-in',
};

/** A PUT to a collection, whose body has the key. */
const putsOfCollections: Record<string, string> = {
  upsertMonitor: 'a monitor is known by its project and its name, which systems send before they know an id',
};

/** Parameters of paths that are not ids, and why. */
const namesInPaths: Record<string, string> = {
  text: 'a tag of the contract is its text',
  label: 'a label of a system is its name, such as production',
  systemName: 'a system is read by its name where the caller has no id',
  gate: 'a gate is known by the name that its pipeline gave it',
  trialNumber: 'trials of a metric are counted from 1',
  snapshotNumber: 'snapshots of a testset are counted from 1',
};

/** Fields that hold an id under another name, and why. */
const idsByPlace: Record<string, string> = {
  before: 'the run of the pair, which is before and after in all fields of a comparison',
  after: 'the run of the pair, which is before and after in all fields of a comparison',
  similarTo: 'an id, or the place of an earlier draft, which has no id',
};

/** A list, the list without its first item, and so on. */
const tails = <T>(list: T[]): T[][] => list.map((_, i) => list.slice(i));

const idsWhere = (of: typeof operations, isWrong: (one: (typeof operations)[number]) => boolean): string[] =>
  of.filter(isWrong).map(({ operation }) => operation.operationId);

describe('the words of openapi.json', () => {
  it('a summary is one sentence of at most 90 characters; more is in the description', () => {
    const isSentence = /^[A-Z][^\n]{0,88}\.$/;
    expect(
      idsWhere(
        operations,
        ({ operation: { summary } }) => !isSentence.test(summary) || summary.includes('. '),
      ),
    ).toEqual([]);
  });

  it('a list is paged, or it is named here with the reason why it is short', () => {
    const lists = own.filter(({ operation }) => {
      const { data } = answerOf(operation)?.properties ?? {};
      return data?.type === 'array';
    });
    const isPaged = ({ operation }: (typeof own)[number]) => {
      const names = parametersOf(operation).map(({ name }) => name);
      return (
        names.includes('cursor') && names.includes('limit') && answerOf(operation)?.properties?.nextCursor
      );
    };
    const whole = idsWhere(lists, (list) => !isPaged(list));
    expect(whole.sort()).toEqual(Object.keys(wholeLists).sort());
  });

  it('an example is valid', () => {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    ajv.addSchema({ $id: 'document', ...document });
    const problems = operationsOf(withExamples(document) as Document).flatMap(
      ({ operation: { operationId, requestBody, responses } }) =>
        [requestBody, ...Object.values(responses)]
          .flatMap((part) => Object.values(part?.content ?? {}))
          .filter(({ example }) => example !== undefined)
          .flatMap(({ schema, example }) => {
            const local = JSON.stringify(schema).replaceAll('"#/', '"document#/');
            return ajv.validate(JSON.parse(local) as object, example)
              ? []
              : [`${operationId}: ${ajv.errorsText()}`];
          }),
    );
    expect(problems, 'DOKIMA_EXAMPLES=1 npx vitest run server/test/tenancy.test.ts writes them').toEqual([]);
  });

  it('a schema has the keywords of JSON Schema, and ours begin with x-', () => {
    const found = new Map<string, string>();
    for (const [name, schema] of Object.entries(document.components.schemas!))
      keywordsIn(schema, name, found);
    for (const { operation } of operations) {
      const { operationId, requestBody, responses, parameters = [] } = operation;
      for (const { schema } of parameters) keywordsIn(schema, operationId, found);
      for (const part of [requestBody, ...Object.values(responses)])
        for (const { schema } of Object.values(part?.content ?? {})) keywordsIn(schema, operationId, found);
    }
    for (const { schema } of Object.values(document.components.parameters!))
      keywordsIn(schema, 'parameters', found);
    const unknown = [...found].filter(([word]) => !standardKeywords.has(word) && !word.startsWith('x-'));
    expect(unknown).toEqual([]);
  });

  it('an operation begins with one of the verbs', () => {
    const verbOf = (operationId: string) => /^[a-z]+/.exec(operationId)?.[0] ?? '';
    const wrong = idsWhere(own, ({ operation }) => !Object.hasOwn(verbs, verbOf(operation.operationId)));
    expect(wrong.sort()).toEqual([]);
    const used = new Set(operations.map(({ operation }) => verbOf(operation.operationId)));
    expect(Object.keys(verbs).filter((verb) => !used.has(verb))).toEqual([]);
  });

  it('an operation is under the tag of its resource, and every tag is described', () => {
    const tagOfPath = (path: string) => {
      const words = path.split('/').filter((step) => step && !step.startsWith('{'));
      const endings = words.map((_, i) => words.slice(0, words.length - i)).flatMap(tails);
      return endings.map((ending) => tagOf[ending.join('/')]).find((tag) => tag !== undefined);
    };
    const wrong = idsWhere(operations, ({ path, operation }) => operation.tags[0] !== tagOfPath(path));
    expect(wrong.sort()).toEqual([]);
    const used = new Set(operations.flatMap(({ operation }) => operation.tags));
    expect(document.tags?.map(({ name }) => name)).toEqual([...used].sort());
  });

  it('every component is used', () => {
    const text = JSON.stringify(document);
    const unused = Object.entries(document.components)
      .filter(([kind]) => kind !== 'securitySchemes')
      .flatMap(([kind, parts]) => Object.keys(parts).map((name) => `#/components/${kind}/${name}`))
      .filter((reference) => !text.includes(`"${reference}"`));
    expect(unused).toEqual([]);
  });

  it('a PUT names one thing: its path ends in an id, or names a single part', () => {
    const puts = own.filter(({ method }) => method === 'put');
    const endOf = ({ path }: (typeof puts)[number]) => path.slice(path.lastIndexOf('/') + 1);
    const words = puts.filter((put) => !endOf(put).startsWith('{'));
    const collections = words.filter((put) => !Object.hasOwn(singles, endOf(put)));
    expect(idsWhere(collections, () => true)).toEqual(Object.keys(putsOfCollections));
    expect(Object.keys(singles).filter((word) => !words.some((put) => endOf(put) === word))).toEqual([]);
  });

  it('what changes many resources by one list ends in /bulk-…', () => {
    const isList = ({ properties = {} }: Schema) => {
      const lists = Object.values(properties).filter(({ type }) => type === 'array');
      return lists.length > 0 && lists.length === Object.keys(properties).length;
    };
    const bodyOf = ({ requestBody }: Operation) => {
      const schema = requestBody?.content['application/json']?.schema;
      return schema ? target(schema) : {};
    };
    const changed = own.filter(({ operation }) =>
      /^(create|update|upsert|delete)[A-Za-z]+s$/.test(operation.operationId),
    );
    const many = changed.filter(({ operation }) => isList(bodyOf(operation)));
    const bulk = ({ path }: (typeof operations)[number]) => /\/bulk-(create|upsert|delete)$/.test(path);
    expect(idsWhere(many, (each) => !bulk(each))).toEqual([]);
    expect(idsWhere(operations, bulk).sort()).toEqual([
      'createFreshTestcases',
      'createRecords',
      'deleteFreshTestcases',
      'deleteTestcases',
      'upsertScores',
    ]);
    expect(idsWhere(operations, (each) => /bulk/i.test(each.path) && !bulk(each))).toEqual([]);
  });

  it('a parameter of a path is …Id, or a name that is listed here', () => {
    const parameters = operations.flatMap(({ path }) =>
      [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
    );
    const names = new Set(parameters.filter((name) => !/[a-z]Id$/.test(name)));
    expect([...names].sort()).toEqual(Object.keys(namesInPaths).sort());
  });

  it('a deletion answers { success }', () => {
    const wrong = idsWhere(
      own,
      ({ method, operation }) =>
        method === 'delete' && Object.keys(answerOf(operation)?.properties ?? {}).join() !== 'success',
    );
    expect(wrong).toEqual([]);
  });
});

describe('the names of fields', () => {
  const wrongOf = (isWrong: (field: Field) => boolean) => [
    ...new Set(ownFields.filter(isWrong).map(({ at }) => at)),
  ];

  it('a body of our own refuses fields that it does not know: a typo would answer yes and change nothing', () => {
    const isClosed = (schema: Schema): boolean => {
      const { anyOf, type, additionalProperties } = target(schema);
      if (anyOf) return anyOf.every(isClosed);
      return type !== 'object' || additionalProperties === false;
    };
    const wrong = idsWhere(own, ({ operation }) => {
      const body = operation.requestBody?.content['application/json']?.schema;
      return body !== undefined && !isClosed(body);
    });
    // simulateUser takes the messages of a conversation as other services write them.
    expect(wrong).toEqual(['simulateUser']);
  });

  it('a person is …userId', () => {
    expect(
      wrongOf(({ name }) =>
        /memberId|^(created|updated|scored|assigned|resolved|ended)By$|^by[A-Z]/.test(name),
      ),
    ).toEqual([]);
  });

  it('an id is id or …Id, several are …Ids', () => {
    const isId = ({ schema }: Field) => /^(Ids?|Identifiers?) of /.test(String(schema.description));
    const isNamed = ({ name }: Field) => /^ids?$|[a-z]Ids?$/.test(name) || Object.hasOwn(idsByPlace, name);
    expect(wrongOf((field) => isId(field) && !isNamed(field))).toEqual([]);
    expect(wrongOf(({ name }) => /(ID|IDs|Uuid|_id)$/.test(name))).toEqual([]);
    const found = new Set(
      fieldsOf(document)
        .filter(isId)
        .map(({ name }) => name),
    );
    expect(Object.keys(idsByPlace).filter((name) => !found.has(name))).toEqual([]);
  });

  it('a count is num…, a limit is max… or min…, or it has one of the terms of this file', () => {
    const isNumber = ({ types }: Field) => types.includes('integer') || types.includes('number');
    const isCount = ({ name, types, schema }: Field) =>
      (types.includes('integer') && countedNouns.has(name)) ||
      /^(Highest |Maximum )?[Nn]umber of (?!the )/.test(String(schema.description));
    const isNamed = ({ name }: Field) => /^(num|max|min)[A-Z]|Per[A-Z]/.test(name) || countTerms.has(name);
    expect(wrongOf((field) => isNumber(field) && isCount(field) && !isNamed(field))).toEqual([]);
    const names = new Set(ownFields.map(({ name }) => name));
    expect([...countTerms].filter((term) => !names.has(term))).toEqual([]);
  });

  it('a model is …modelName, or …modelNames', () => {
    const isModel = ({ name, types }: Field) =>
      (types.includes('string') || types.includes('array')) && /^model$|Models?$/.test(name);
    expect([...new Set(ownFields.filter(isModel).map(({ name }) => name))].sort()).toEqual([]);
  });

  it('a filter by time is …After and …Before', () => {
    const parameters = operations.flatMap(({ operation }) =>
      parametersOf(operation).map(({ name }) => `${operation.operationId}?${name}`),
    );
    expect(parameters.filter((name) => /\?(from|to|until|start|end)$/.test(name)).sort()).toEqual([]);
  });

  it('a failure is in error, lastError or reason', () => {
    const words = ['problem', 'problems', 'failure', 'cause'];
    expect([...new Set(wrongOf(({ name }) => words.includes(name)))].sort()).toEqual([]);
  });

  it('a yes or no is a bare adjective, or has…', () => {
    expect(wrongOf(({ name }) => /^is[A-Z]/.test(name))).toEqual([]);
  });
});
