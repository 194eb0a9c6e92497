import type { JsonObject } from '../../../../client/src/main.ts';
import type { Content } from '../content.ts';
import type { Format } from '../format.ts';
import { type Import, isObject, objectAt, type Row, rowId, textOf, underKey } from '../rows.ts';
import { criteriaJudge, criteriaMetric, criteriaOfTexts } from './criteria.ts';
import { itemsOf, parsed, strings } from './items.ts';

/** The guidelines of a record: one text or a list. */
const guidelinesOf = (expectations: JsonObject): string[] => {
  const guidelines = parsed(expectations.guidelines);
  return typeof guidelines === 'string' ? [guidelines] : strings(guidelines);
};

/** Adds the guidelines of a record as criteria to what is expected. */
export const withGuidelines = (expectations: JsonObject): JsonObject => {
  const criteria = criteriaOfTexts(guidelinesOf(expectations));
  return criteria.length > 0 && expectations.criteria === undefined
    ? { ...expectations, criteria }
    : expectations;
};

const recordsOf = (content: Content): JsonObject[] => itemsOf(content, 'records');
const expectationsOf = (record: JsonObject): JsonObject => {
  const expectations = parsed(record.expectations);
  return isObject(expectations) ? expectations : {};
};

/**
 * Evaluation datasets of MLflow 3 whose records have guidelines, as `dataset.to_dict()` or a list of records. MLflow judges all guidelines of a
 * record by one yes or no; here each is a criterion.
 */
export const mlflowGuidelines: Format = {
  name: 'mlflow-guidelines',
  about:
    'MLflow datasets whose records have expectations.guidelines: testcases and a judge; a run if they have outputs',
  recognizes: (content) => {
    const records = recordsOf(content);
    return (
      records.length > 0 &&
      records.every((record) => 'inputs' in record && 'expectations' in record) &&
      records.some((record) => guidelinesOf(expectationsOf(record)).length > 0)
    );
  },
  read: (content): Import => {
    const records = recordsOf(content);
    const about = isObject(content.value) ? content.value : {};
    // MLflow writes `{}` for a record without an answer.
    const haveOutputs = records.some(
      ({ outputs }) => Object.keys(underKey(parsed(outputs), 'output')).length > 0,
    );
    const rows = records.map((record, i): Row => {
      const id = textOf(record.dataset_record_id) ?? rowId(i);
      return {
        id,
        caseId: id,
        run: '',
        inputs: underKey(parsed(record.inputs), 'inputs'),
        expected: withGuidelines(expectationsOf(record)),
        metadata: objectAt({ tags: parsed(record.tags) }, 'tags'),
        outputs: underKey(parsed(record.outputs), 'output'),
        // A judge is asked when someone scores the run, not by an import.
        scores: haveOutputs ? [{ name: criteriaMetric, value: null, reasoning: 'not judged yet' }] : [],
      };
    });
    return {
      tool: 'MLflow',
      id: textOf(about.dataset_id) ?? content.digest,
      name: textOf(about.name) ?? content.name,
      systems: haveOutputs ? new Map([['', { name: content.name, config: {} }]]) : new Map(),
      rows,
      metrics: new Map([[criteriaMetric, criteriaJudge('guidelines', { passingThreshold: 1 })]]),
      notes: haveOutputs
        ? []
        : [
            'The file has no answers. Start a run of the testset with the metric, and Dokima calls your system.',
          ],
    };
  },
};
