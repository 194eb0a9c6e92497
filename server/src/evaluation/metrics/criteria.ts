import { Type } from 'typebox';
import {
  type Criteria,
  type Criterion,
  maxCriteria,
  problemOf,
  readCriteria,
} from '../../../../client/src/criteria.ts';
import { invalid } from '../../platform/errors.ts';
import { parseJson } from '../../platform/json/parse-json.ts';
import { named, ref } from '../../platform/named-schema.ts';

/** Criteria as a body sends them. */
export type CriteriaBody = {
  items?: (string | (Partial<Criterion> & { text: string }))[];
  fromExpected?: boolean;
  isolate?: boolean;
};

const text = Type.String({
  minLength: 1,
  description: 'What the record must do, as one question with a yes or a no.',
});
const weight = Type.Number({
  description:
    'Weight in the share. A criterion with a negative weight takes from the share when it is met; at least one has a positive weight.',
});
const mustPass = Type.Boolean({ description: 'Whether the score is 0 when it is not met.' });
const fromExpected = Type.Boolean({
  description:
    'Whether each testcase adds its own criteria, in `expected.criteria`: a list of texts, or of objects like `items`. The same id in several testcases is the same criterion.',
});
const isolate = Type.Boolean({
  description:
    'Whether the judge is asked about each criterion by itself: one call each, so that no criterion colours another.',
});
const optional = Type.Optional;

const criterion = {
  id: Type.String({ description: 'Id of the criterion, which its verdicts name.' }),
  text,
  weight,
  mustPass,
};
const OneCriterion = named('Criterion', Type.Object(criterion, { description: 'A criterion of a metric.' }));

const closed = { additionalProperties: false };
/** Criteria as an archive has them. */
export const archivedCriteria = Type.Object(
  { items: Type.Array(Type.Object(criterion, closed), { maxItems: maxCriteria }), fromExpected, isolate },
  closed,
);

export const CriteriaSettings = named(
  'Criteria',
  Type.Object(
    {
      items: Type.Array(ref(OneCriterion), { description: 'Criteria of each record.' }),
      fromExpected,
      isolate,
    },
    {
      description:
        'Criteria that a metric scores one by one. The score is the share of their weights that is met.',
    },
  ),
);

/** The field of a metric: as it is read, and as it is sent. */
export const criteriaFields = {
  shown: optional(ref(CriteriaSettings)),
  given: optional(
    Type.Union(
      [
        Type.Object({
          items: optional(
            Type.Array(
              Type.Union([
                text,
                Type.Object({
                  id: optional(
                    Type.String({ minLength: 1, maxLength: 64, description: 'Default: made of the text.' }),
                  ),
                  text,
                  weight: optional(weight),
                  mustPass: optional(mustPass),
                }),
              ]),
              {
                maxItems: maxCriteria,
                description: 'Criteria of each record: texts, or objects. Default: none.',
              },
            ),
          ),
          fromExpected: optional(fromExpected),
          isolate: optional(isolate),
        }),
        Type.Null(),
      ],
      {
        description:
          'Criteria that are scored one by one, for float metrics that a judge or people score. null: the metric has none.',
      },
    ),
  ),
};

/** Reads the criteria of a stored configuration. */
export const storedCriteria = (text: string | null): Criteria | null =>
  text === null ? null : (parseJson(text) as Criteria);

/** Reads the criteria of a metric. Throws 400 for criteria that have no share. */
export const readCriteriaBody = (body: CriteriaBody): Criteria => {
  const { items = [], fromExpected = false, isolate = false } = body;
  const read = readCriteria(items);
  if ('problem' in read) throw invalid(`/criteria/items${read.path}`, read.problem);
  if (read.criteria.length === 0 && !fromExpected)
    throw invalid('/criteria', 'needs items, or fromExpected: true for the criteria of testcases');
  const problem = problemOf(read.criteria);
  if (problem) throw invalid('/criteria/items', problem);
  return { items: read.criteria, fromExpected, isolate };
};

/** Throws 400 for criteria that do not fit the rest of a configuration. */
export const requireCriteriaFit = (config: {
  outputType: string;
  evalType: string;
  spans: string | null;
  passingThreshold: number | null;
  criteria: Criteria | null;
}): void => {
  const { criteria, evalType, outputType, spans, passingThreshold } = config;
  if (!criteria) return;
  if (outputType !== 'float' || evalType === 'heuristic')
    throw invalid(
      '/criteria',
      'needs a float metric that a judge or people score: its score is the share of the criteria that are met',
    );
  if (spans !== null) throw invalid('/criteria', 'must be null for a metric that scores spans');
  if (passingThreshold === 0 && criteria.items.some(({ mustPass }) => mustPass))
    throw invalid(
      '/passingThreshold',
      'must be above 0 with a criterion that must pass: a record that fails it scores 0',
    );
};
