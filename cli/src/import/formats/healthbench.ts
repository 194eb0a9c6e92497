import { criterionId } from '../../../../client/src/criteria.ts';
import type { JsonObject } from '../../../../client/src/main.ts';
import { CliError } from '../../errors.ts';
import type { Format } from '../format.ts';
import { type Import, isObject, listAt, numberIn, type Row, rowId, textOf } from '../rows.ts';
import { criteriaJudge, criteriaMetric } from './criteria.ts';
import { strings } from './items.ts';

const promptTemplate = `A conversation, which an assistant continues:

{{ inputs.messages }}

The assistant's answer to judge:

{{ allOutputs }}`;

/**
 * Returns the criteria of a line. The same text is the same criterion in each testcase; a text that a line has twice counts twice, as
 * HealthBench counts it. Throws for a rubric that says nothing: dropping it would change the score.
 */
const criteriaOf = (line: JsonObject, where: string): JsonObject[] => {
  const criteria = new Map<string, JsonObject>();
  for (const rubric of listAt(line, 'rubrics')) {
    const text = textOf(rubric.criterion);
    const weight = numberIn(rubric.points);
    if (text === undefined || weight === undefined)
      throw new CliError(`${where}: each rubric needs a criterion and its points, a number`);
    if (weight === 0) continue;
    const first = criterionId(text);
    let id = first;
    for (let times = 2; criteria.has(id); times++) id = `${first}-${times}`;
    const tags = strings(rubric.tags);
    criteria.set(id, { id, text, weight, ...(tags.length > 0 && { tags }) });
  }
  return [...criteria.values()];
};

/** Conversations with rubrics in the form of HealthBench: a line with `prompt` and `rubrics` for each testcase. */
export const healthbench: Format = {
  name: 'healthbench',
  about: 'HealthBench: JSONL of prompts with rubrics of criteria and points; testcases and a judge, no run',
  recognizes: ({ form, items }) =>
    form === 'lines' && items.length > 0 && items.every((line) => listAt(line, 'rubrics').length > 0),
  read: ({ items, name, digest }): Import => {
    const rows = items.map((line, i): Row => {
      const id = textOf(line.prompt_id) ?? rowId(i);
      const ideal = line.ideal_completions_data;
      return {
        id,
        caseId: id,
        run: '',
        inputs: { messages: line.prompt ?? [] },
        expected: {
          criteria: criteriaOf(line, id),
          ...(isObject(ideal) && { ideal_completions_data: ideal }),
        },
        metadata: { tags: strings(line.example_tags) },
        outputs: {},
        scores: [],
      };
    });
    return {
      tool: 'HealthBench',
      id: digest,
      name,
      systems: new Map(),
      rows,
      metrics: new Map([[criteriaMetric, criteriaJudge('rubrics', { promptTemplate })]]),
      notes: [
        'The file has no answers. Start a run of the testset with the metric, and Dokima calls your system.',
        'A score is at least 0 here. HealthBench lets an answer fall below 0 and cuts only the mean, so its mean can be lower.',
      ],
    };
  },
};
