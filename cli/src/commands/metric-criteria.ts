import type { Client } from '../../../client/src/main.ts';
import { type Command, projectOption, takeArguments } from '../command.ts';
import { documentText } from '../document.ts';
import { CliError, exit } from '../errors.ts';
import { countOf, inThousands } from '../figures.ts';

type Drafts = Awaited<ReturnType<Client['draftCriteria']>>;
type Draft = Drafts['drafts'][number];

const costText = ({ modelName, numFailures, estimate }: Drafts): string => {
  const { inputTokens, outputTokens, costUsd } = estimate;
  const all = inThousands(Math.round((inputTokens ?? 0) + (outputTokens ?? 0)));
  const price = costUsd === null ? 'its price is unknown' : `about $${Number(costUsd.toPrecision(2))}`;
  const reads = numFailures > 0 ? `reads ${countOf(numFailures, 'failure')}` : 'reads the guidelines';
  return `${modelName} ${reads}: about ${all} tokens, ${price}.`;
};

/** Why the model wrote a draft, as comments above it: a person decides by them. */
const notesOf = ({ why, recordIds, similarTo }: Draft): string[] => [
  ...(why ? [why] : []),
  ...(recordIds.length > 0 ? [`would fail ${recordIds.join(', ')}`] : []),
  ...(similarTo === null ? [] : [`nearly repeats: ${similarTo}`]),
];

const itemOf = ({ id, text, weight, mustPass }: Draft) => ({
  id,
  text,
  ...(weight !== 1 && { weight }),
  ...(mustPass && { mustPass }),
});

/** The drafts as a part of a file of metrics, each under its reasons. */
const yamlOf = (drafts: readonly Draft[]): string =>
  [
    'criteria:',
    '  items:',
    ...drafts.flatMap((draft) => [
      ...notesOf(draft).map((note) => `    # ${note.replaceAll(/\s+/g, ' ')}`),
      ...documentText('.yaml', [itemOf(draft)])
        .trimEnd()
        .split('\n')
        .map((line) => `    ${line}`),
    ]),
  ].join('\n');

export const metricCriteria: Command = {
  name: 'metric criteria',
  summary: 'Let a model write criteria from the failures of a run, for you to read.',
  about: `Nothing is stored. Delete what is wrong from the output, and put the rest into a metric of a file for dokima metric push.
docs/criteria.md describes criteria.`,
  options: {
    ...projectOption,
    run: {
      type: 'string',
      value: 'RUN',
      about: 'Run whose failures the model reads: 20, spread over the newest 500.',
    },
    metric: {
      type: 'string',
      short: 'm',
      value: 'ID',
      about: 'Only failures of this metric. Its guidelines are read too.',
    },
    guidelines: { type: 'string', value: 'TEXT', about: 'What a good answer is.' },
    most: { type: 'string', value: 'N', about: 'Most criteria to write, 1 to 20. Default 6.' },
    model: { type: 'string', value: 'NAME', about: 'Model that writes. Default: the model of judges.' },
    estimate: { type: 'boolean', about: 'Say what it costs. No model is asked.' },
  },
  examples: [
    'dokima metric criteria -p 12 --run 17 --metric 3 --estimate',
    'dokima metric criteria -p 12 --run 17 --guidelines "Kind, and right about money." > criteria.yaml',
  ],
  run: async ({ out, client: open, signal }, args, values) => {
    takeArguments('metric criteria', args);
    const client = await open();
    const [runId, metricId, modelName] = [values.text('run'), values.text('metric'), values.text('model')];
    const metric = metricId === undefined ? undefined : await client.getMetric(metricId);
    const own = metric && 'guidelines' in metric ? metric.guidelines : undefined;
    const guidelines = values.text('guidelines') ?? own;
    const criteria =
      metric && 'criteria' in metric ? metric.criteria?.items?.map(({ text }) => text) : undefined;
    const body = {
      ...(runId !== undefined && { runId, ...(metricId !== undefined && { metricId }) }),
      ...(guidelines && { guidelines }),
      ...(criteria && criteria.length > 0 && { criteria }),
      ...(modelName !== undefined && { modelName }),
      numCriteria: values.count('most', 6),
    };
    const project = values.required('project');
    const estimate = await client.draftCriteria(project, { ...body, dryRun: true });
    if (values.flag('estimate')) {
      out.result(costText(estimate), estimate);
      return exit.pass;
    }
    out.note(costText(estimate));
    // Ctrl-C ends the call of the model: nothing would be stored.
    const found = await client.draftCriteria(project, body, { signal });
    if (found.error !== null) throw new CliError(`There are no drafts: ${found.error}.`);
    out.result(yamlOf(found.drafts), found);
    return exit.pass;
  },
};
