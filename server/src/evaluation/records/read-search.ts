import { labelList, placeOfName } from '../../../../client/src/labels.ts';
import type { Database } from '../../platform/db/database.ts';
import { invalid } from '../../platform/errors.ts';
import { numericId, parseTestcaseKey, uuidId } from '../../platform/http/ids.ts';
import type { Scope } from '../../platform/http/scope.ts';
import {
  closest,
  countUnits,
  moneyUnits,
  noUnits,
  parseSearch,
  type Range,
  rangeOf,
  type Term,
  timeUnits,
  type Units,
  unknownKey,
} from '../../platform/search/parse-search.ts';
import { oneOf, Problem, readEach, timeOf } from '../../platform/search/read-terms.ts';
import { readTime } from '../../platform/validation.ts';
import {
  type AnnotationTest,
  annotationTestNames,
  type Condition,
  type Config,
  type FieldTest,
  hasAnnotation,
  hasAnyTag,
  hasErrors,
  hasField,
  hasMeasure,
  hasNoScoreOf,
  hasScoreOf,
  hasTag,
  hasTestcaseField,
  hasText,
  isAssignedTo,
  isOfAnyTestcase,
  isOfSession,
  isOfTestcase,
  isOfUser,
  lacksField,
  type Measure,
  negated,
  type ScoreTest,
} from './condition.ts';
import type { RecordFilter } from './filter.ts';
import { listSearchNames, type SearchNames } from './names.ts';
import { isDrawnBy, isOfModel, isOfTrace, isOfVersion } from './origin.ts';
import type { RecordFilters } from './schema.ts';
import { isRecordKey, otherNames, recordKeys } from './search-keys.ts';

/** The order of a list: by a column, the least first unless `descending`. */
export type Sort = { by: 'created' | Measure | { configs: Config[] }; descending: boolean };

const recordColumns = ['created', 'latency', 'cost', 'tokens'] as const;

/** Which records a search asks for, and in which order. */
export type RecordSearch = RecordFilter & { sort?: Sort };

const results = ['pass', 'fail', 'pending', 'unscored', 'failed'] as const;
const scoreWords = [...results, 'none', 'any', 'true', 'false'] as const;

/** Returns the range of a term. Throws a Problem with an example if it is not a range. */
export const rangeIn = (term: Term, units: Units, example: string): Range => {
  const range = rangeOf(term, units);
  if (range) return range;
  throw new Problem(`has ${term.text}, which is not a number. Write it like ${example}`);
};

/** Returns the configurations of the metric with this id or name. Throws a Problem with a suggestion if there is none. */
export const configsOf = (names: SearchNames, wanted: string): Config[] => {
  const same = ({ id, name }: { id: string; name: string }) =>
    id === wanted || name.toLowerCase() === wanted.toLowerCase();
  const metric = names.metrics.find(same);
  if (metric) return metric.configs;
  const meant = closest(
    wanted,
    names.metrics.map(({ name }) => name),
  );
  const known = names.metrics.map(({ name }) => JSON.stringify(name)).slice(0, 10);
  throw new Problem(
    `names a metric ${JSON.stringify(wanted)}, which this project does not have. ${
      meant ? `Did you mean ${JSON.stringify(meant)}?` : `It has ${known.join(', ') || 'none'}`
    }`,
  );
};

const allConfigs = ({ metrics }: SearchNames): Config[] => metrics.flatMap(({ configs }) => configs);

/** Configurations whose scores are numbers. The number of a label says nothing to a person. */
const numeric = (configs: readonly Config[]): Config[] => configs.filter(({ labels }) => labels === null);

/** The condition of a term that names a label. A label counts before a word: `none` may be one. */
const labelCondition = ({ op, value, text }: Term, configs: readonly Config[]): Condition | undefined => {
  if (op === 'has' || op === '~' || op === '..') return undefined;
  const named = configs.filter(({ labels }) => labels && placeOfName(labels, value) >= 0);
  if (named.length === 0) return undefined;
  if (op !== '=' && !named.some(({ labels }) => labels!.ordered))
    throw new Problem(`has ${text}: these labels have no order, so none is less than another`);
  return hasScoreOf(named, { label: value, op });
};

const scoreCondition = (term: Term, names: SearchNames): Condition => {
  const wanted = term.path.join('.');
  const configs = wanted ? configsOf(names, wanted) : allConfigs(names);
  const labelled = labelCondition(term, configs);
  if (labelled) return labelled;
  const word = scoreWords.find((each) => each === term.value.toLowerCase());
  if (term.op === 'has' || word === 'any') return hasScoreOf(configs, 'any');
  if (term.op === '=' && word === 'none') return hasNoScoreOf(configs);
  if (term.op === '=' && (word === 'true' || word === 'false')) {
    const value = Number(word === 'true');
    return hasScoreOf(numeric(configs), { low: value, high: value });
  }
  if (term.op === '=' && word) return hasScoreOf(configs, word as ScoreTest);
  const range = rangeOf(term, noUnits);
  if (range && (numeric(configs).length > 0 || configs.length === 0))
    return hasScoreOf(numeric(configs), range);
  const [labels] = configs.flatMap((config) => config.labels ?? []);
  if (labels && numeric(configs).length === 0)
    throw new Problem(
      `has ${term.text}: the labels are ${labelList(labels.items)}; or write pass, fail, pending, unscored, failed or none`,
    );
  throw new Problem(
    `has ${term.text}: a score is ${scoreWords.slice(0, 6).join(', ')}, or compared with a number such as <0.5`,
  );
};

const fieldTest = (term: Term): FieldTest => {
  const { key, path, op, value } = term;
  if (path.length === 0) throw new Problem(`needs a field after ${key}, such as ${key}.answer:"Paris"`);
  if (op === 'has') return 'any';
  if (op === '~') return { contains: value };
  if (op === '=') return { is: value };
  return { range: rangeIn(term, noUnits, `${key}.count:>3`) };
};

/** Returns the order that a term names, by one of these columns or a score. */
export const sortOf = <Column extends string>(
  term: Pick<Term, 'value' | 'negated'>,
  names: SearchNames,
  columns: readonly Column[],
): { by: Column | { configs: Config[] }; descending: boolean } => {
  const [, minus, column = ''] = /^(-?)(.*)$/s.exec(term.value)!;
  const descending = minus === '-' || term.negated;
  const by = columns.find((name) => name === column);
  if (by) return { by, descending };
  const [parsed] = parseSearch(`${column}:*`).terms;
  if (parsed?.key === 'score' && parsed.path.length > 0)
    return { by: { configs: configsOf(names, parsed.path.join('.')) }, descending };
  throw new Problem(
    `sorts by ${JSON.stringify(column)}: it can be ${columns.join(', ')} or score and a metric, such as score.Accuracy`,
  );
};

const memberOf = (term: Term, names: SearchNames, meId: string): string => {
  if (term.value === 'me') return meId;
  const wanted = term.value.toLowerCase();
  const found = names.members.find((member) =>
    [member.id, member.name, member.email].some((name) => name.toLowerCase() === wanted),
  );
  if (found) return found.id;
  throw new Problem(`names ${JSON.stringify(term.value)}, which no member is called`);
};

/** Reads record_pkey. */
const isInRun = (runId: bigint): Condition => ({
  holds: (sql) => sql`r.run_id = ${runId}`,
  find: (sql, { organizationId }, projectId) => sql`
    select made.run_id, made.n from record made
    where made.run_id = ${runId} and made.project_id = ${projectId} and made.organization_id = ${organizationId}`,
});

/** Returns the condition of a term on a record. Throws a Problem if the term is wrong. */
export const conditionOf = (term: Term, names: SearchNames, scope: Scope): Condition => {
  const { key, value } = term;
  if (!isRecordKey(key)) throw new Problem(unknownKey(term, Object.keys(recordKeys)));
  if (value === '' && term.op === '=') throw new Problem(`needs a value after ${term.text}`);
  switch (key) {
    case 'score':
    case 'result':
      return scoreCondition(term, names);
    case 'metric':
      return hasScoreOf(configsOf(names, value), 'any');
    case 'latency':
      return hasMeasure('latency', rangeIn(term, timeUnits, 'latency:>2s'));
    case 'cost':
      return hasMeasure('cost', rangeIn(term, moneyUnits, 'cost:>0.01'));
    case 'tokens':
      return hasMeasure('tokens', rangeIn(term, countUnits, 'tokens:>10k'));
    case 'error':
      return term.op === 'has' || oneOf(term, ['yes', 'no']) === 'yes' ? hasErrors : negated(hasErrors);
    case 'inputs':
    case 'outputs':
    case 'expected':
      return hasField(key, term.path, fieldTest(term));
    case 'metadata':
      return hasTestcaseField(term.path, fieldTest(term));
    case 'annotation':
      return term.op === 'has'
        ? hasAnnotation('any')
        : hasAnnotation(oneOf<AnnotationTest>(term, annotationTestNames));
    case 'tag':
      return term.op === 'has' ? hasAnyTag : hasTag(value);
    case 'source':
      return oneOf(term, ['traces', 'runs']) === 'traces' ? isOfTrace : negated(isOfTrace);
    case 'model':
      return isOfModel(term.op === 'has' ? null : value);
    case 'version':
      return isOfVersion(term.op === 'has' ? null : value);
    case 'monitor':
      return isDrawnBy(value);
    case 'session':
      return isOfSession(term.op === 'has' ? null : value);
    case 'user':
      return isOfUser(term.op === 'has' ? null : value);
    case 'testcase': {
      if (term.op === 'has') return isOfAnyTestcase;
      const testcase = parseTestcaseKey(value);
      if (!testcase) throw new Problem(`has ${term.text}, which is not the id of a testcase, such as 2-1`);
      return isOfTestcase(testcase.testsetId, testcase.n);
    }
    case 'run':
      if (!/^\d{1,18}$/.test(value)) throw new Problem(`has ${term.text}, which is not the id of a run`);
      return isInRun(BigInt(value));
    case 'assigned':
      return isAssignedTo(memberOf(term, names, scope.memberId));
    default:
      throw new Problem(`cannot leave out ${term.text}; use the other of after: and before:`);
  }
};

/** Returns the condition of a term with a minus on a record. */
const oppositeOf = (term: Term, names: SearchNames, scope: Scope): Condition => {
  const { key, path, op, value } = term;
  if (op === 'has' && path.length > 0 && (key === 'inputs' || key === 'outputs' || key === 'expected'))
    return lacksField(key, path);
  if (key === 'score' && (op === 'has' || value.toLowerCase() === 'any'))
    return scoreCondition({ ...term, op: '=', value: 'none' }, names);
  return negated(conditionOf(term, names, scope));
};

/** The keys whose values are names that must be looked up. */
export const needsNames: ReadonlySet<string> = new Set(['score', 'result', 'metric', 'assigned', 'sort']);
export const needsMembers = (terms: readonly Term[]): boolean => terms.some(({ key }) => key === 'assigned');
export const noNames: SearchNames = { metrics: [], members: [] };

const later = (a: string | undefined, b: string): string =>
  a !== undefined && Date.parse(a) > Date.parse(b) ? a : b;
const earlier = (a: string | undefined, b: string): string =>
  a !== undefined && Date.parse(a) < Date.parse(b) ? a : b;

const put = (search: RecordSearch, term: Term, names: SearchNames, scope: Scope): void => {
  const { key } = term;
  if (key === 'sort') search.sort = sortOf(term, names, recordColumns);
  else if (key === 'after' && !term.negated) search.createdAfter = later(search.createdAfter, timeOf(term));
  else if (key === 'before' && !term.negated)
    search.createdBefore = earlier(search.createdBefore, timeOf(term));
  else {
    const condition = (term.negated ? oppositeOf : conditionOf)(term, names, scope);
    // The list begins with the run: nothing has to be found first.
    if (key === 'run' && !term.negated && search.runId === undefined) search.runId = BigInt(term.value);
    else search.conditions.push(condition);
  }
};

type Query = RecordFilters & { sort?: string };

/** What the parameters ask for beside q. Throws 404 for what cannot be an id. */
const parametersOf = (query: Query, names: SearchNames): RecordSearch => {
  const { runId, metricId, result, assigneeUserId, text, createdAfter, createdBefore } = query;
  const metric = metricId === undefined ? undefined : String(numericId('metric', metricId));
  const configs =
    metric === undefined ? allConfigs(names) : names.metrics.find(({ id }) => id === metric)?.configs;
  return {
    ...(runId !== undefined && { runId: numericId('run', runId) }),
    ...(createdAfter !== undefined && { createdAfter: readTime('/createdAfter', createdAfter) }),
    ...(createdBefore !== undefined && { createdBefore: readTime('/createdBefore', createdBefore) }),
    conditions: [
      ...(assigneeUserId === undefined ? [] : [isAssignedTo(uuidId('user', assigneeUserId))]),
      ...[...new Set(query.tags)].map(hasTag),
      ...(metric === undefined && result === undefined ? [] : [hasScoreOf(configs ?? [], result ?? 'any')]),
      ...(text === undefined ? [] : [hasText(text)]),
    ],
  };
};

/** Terms with the names of other tools replaced, and `result` with `metric` as one. */
export const plainTerms = (terms: Term[]): Term[] => {
  const named = terms.map((term) => {
    const key = Object.hasOwn(otherNames, term.key) ? otherNames[term.key]! : term.key;
    return { ...term, key };
  });
  const metric = named.find(({ key, negated }) => key === 'metric' && !negated);
  const results = named.filter(({ key }) => key === 'result');
  if (!metric || results.length === 0) return named;
  return named.flatMap((term) => {
    if (term === metric) return [];
    return [term.key === 'result' ? { ...term, key: 'score', path: [metric.value] } : term];
  });
};

/**
 * Reads which of a project's records a query asks for: its parameters and its words, which are conditions of one kind. Throws 400 with
 * each problem of the words: an unknown key is one, with a suggestion. `sort` stands in place of the order that the words name.
 */
export const readSearch = async (
  db: Database,
  scope: Scope,
  projectId: bigint,
  query: Query,
): Promise<RecordSearch> => {
  const { terms, text, without } = parseSearch(query.q ?? '', ['error']);
  const all = plainTerms(terms);
  const hasNames = query.sort !== undefined || all.some(({ key }) => needsNames.has(key));
  const metricId = query.metricId === undefined || hasNames ? undefined : numericId('metric', query.metricId);
  const names =
    hasNames || query.metricId !== undefined || query.result !== undefined
      ? await listSearchNames(db, scope, projectId, { metricId, members: needsMembers(all) })
      : noNames;
  const search = parametersOf(query, names);
  if (text) search.conditions.push(hasText(text));
  search.conditions.push(...without.map((word) => negated(hasText(word))));
  readEach(all, (term) => put(search, term, names, scope));
  if (query.sort !== undefined)
    try {
      search.sort = sortOf({ value: query.sort, negated: false }, names, recordColumns);
    } catch (error) {
      throw error instanceof Problem ? invalid('/sort', error.message) : error;
    }
  return search;
};
