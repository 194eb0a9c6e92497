import type { JsonObject } from '../../../../client/src/main.ts';
import type { Format } from '../format.ts';
import { type Import, numberIn, objectAt, type Row, scoreValue, textOf, underKey } from '../rows.ts';

type Sample = { id: string; sampling: JsonObject | undefined; scores: Row['scores']; expected: unknown };

/** Returns the scores of an event: `match` says right or wrong, `metrics`, `f1` and `cond_logp` name numbers. */
const scoresOf = (type: string, data: JsonObject, name: string): Row['scores'] => {
  if (type === 'match') {
    const picked = textOf(data.picked) ?? textOf(data.sampled);
    return [
      { name, value: data.correct === true, ...(picked !== undefined && { reasoning: `Picked ${picked}.` }) },
    ];
  }
  if (type !== 'metrics' && type !== 'f1' && type !== 'cond_logp') return [];
  return Object.entries(data).flatMap(([key, value]) =>
    numberIn(value) !== undefined || typeof value === 'boolean'
      ? [{ name: key, value: scoreValue(value) }]
      : [],
  );
};

const samplesOf = (events: JsonObject[], name: string): Sample[] => {
  const samples = new Map<string, Sample>();
  for (const event of events) {
    const id = textOf(event.sample_id);
    const type = textOf(event.type);
    if (id === undefined || type === undefined) continue;
    const sample = samples.get(id) ?? { id, sampling: undefined, scores: [], expected: undefined };
    samples.set(id, sample);
    const data = objectAt(event, 'data');
    if (type === 'sampling') sample.sampling = data;
    if (data.expected !== undefined) sample.expected = data.expected;
    sample.scores.push(...scoresOf(type, data, name));
  }
  return [...samples.values()];
};

/** Event logs of OpenAI Evals (oaieval): a line with the spec, then one line for each event. */
export const openaiEvals: Format = {
  name: 'openai-evals',
  about: 'OpenAI Evals logs: the JSONL that oaieval records',
  recognizes: ({ form, items }) =>
    form === 'lines' && items.some((line) => 'completion_fns' in objectAt(line, 'spec')),
  read: ({ items, name: fileName, digest }): Import => {
    const spec = objectAt(
      items.find((line) => 'spec' in line),
      'spec',
    );
    const name = textOf(spec.eval_name) ?? fileName;
    const models = Array.isArray(spec.completion_fns) ? spec.completion_fns.map(String) : [];
    const rows = samplesOf(items, name).map(({ id, sampling, scores, expected }): Row => {
      const sampled = sampling?.sampled;
      const output = Array.isArray(sampled) && sampled.length === 1 ? sampled[0] : sampled;
      return {
        id,
        caseId: id,
        run: '',
        inputs: underKey(sampling?.prompt, 'prompt'),
        expected: underKey(expected, 'ideal'),
        metadata: {},
        outputs: underKey(output, 'sampled'),
        scores,
      };
    });
    return {
      tool: 'OpenAI Evals',
      id: textOf(spec.run_id) ?? digest,
      name,
      systems: new Map([['', { name: models.join(', ') || 'model', config: spec }]]),
      rows,
      // What oaieval itself computes as shares of 1.
      unit: (metric) => /^(accuracy|f1|f1_score|exact_match)$/.test(metric),
      notes: [],
    };
  },
};
