import type { JsonObject } from '../../../../client/src/main.ts';
import type { Content } from '../content.ts';
import type { Format } from '../format.ts';
import { type Import, isObject, objectAt, type Row, rowId, textOf } from '../rows.ts';
import { criteriaJudge, criteriaMetric, criteriaOfTexts } from './criteria.ts';
import { itemsOf, strings } from './items.ts';

/** The items of a suite, as `get_items()` returns them: alone, or beside the assertions that hold for all. */
const itemsIn = (content: Content): JsonObject[] => itemsOf(content, 'items');

const isItem = (item: JsonObject): boolean =>
  // Opik leaves the policy and the description out of an item that has none.
  'id' in item && isObject(item.data) && Array.isArray(item.assertions);

/** Test suites of Opik 2: assertions for the suite and for each item. */
export const opik: Format = {
  name: 'opik',
  about:
    'Opik test suites: get_items() as JSON, or an object with items and assertions; testcases and a judge, no run',
  recognizes: (content) => {
    const items = itemsIn(content);
    return items.length > 0 && items.every(isItem);
  },
  read: (content): Import => {
    const suite = isObject(content.value) ? content.value : {};
    const forAll = strings(suite.assertions ?? suite.global_assertions);
    const policies = itemsIn(content).map(({ execution_policy }) => execution_policy);
    const rows = itemsIn(content).map((item, i): Row => {
      const id = textOf(item.id) ?? rowId(i);
      const policy = objectAt(item, 'execution_policy');
      return {
        id,
        caseId: id,
        run: '',
        inputs: objectAt(item, 'data'),
        expected: { criteria: criteriaOfTexts(strings(item.assertions)) },
        metadata: {
          ...(textOf(item.description) !== undefined && { description: item.description }),
          ...(Object.keys(policy).length > 0 && { execution_policy: policy }),
        },
        outputs: {},
        scores: [],
      };
    });
    return {
      tool: 'Opik',
      id: content.digest,
      name: textOf(suite.name) ?? content.name,
      systems: new Map(),
      rows,
      metrics: new Map([
        // A run of Opik passes if all its assertions pass.
        [criteriaMetric, criteriaJudge('assertions', { items: forAll, passingThreshold: 1 })],
      ]),
      notes: [
        'The file has no answers. Start a run of the testset with the metric, and Dokima calls your system.',
        ...(forAll.length === 0
          ? ['Assertions of the whole suite are not in its items: add them to the criteria of the metric.']
          : []),
        ...(policies.some((policy) => policy !== null && policy !== undefined)
          ? [
              'Items have an execution policy: give the run as many trials, and require them by mustPass of the gate.',
            ]
          : []),
      ],
    };
  },
};
