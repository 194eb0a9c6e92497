import { readdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { type Static, Type } from 'typebox';
import { FreeForm } from '../../platform/http/openapi.ts';
import { named } from '../../platform/named-schema.ts';
import { oneOf } from '../../platform/one-of.ts';
import { MetricCreate, PreviewTrace } from './schema.ts';

const groups = [
  ...(['quality', 'grounding', 'conversation', 'agents'] as const),
  ...(['safety', 'format', 'text', 'people'] as const),
];

const Example = (description: string) =>
  Type.Object(
    {
      inputs: FreeForm('Input of the system.'),
      expected: FreeForm('Expected output.'),
      outputs: FreeForm('Output of the system.'),
      trace: Type.Optional(PreviewTrace),
      why: Type.String({ description: 'Why it passes or fails.' }),
    },
    { description },
  );

export const MetricTemplate = named(
  'MetricTemplate',
  Type.Object(
    {
      id: Type.String({ description: 'Id of the template.' }),
      group: oneOf(groups, 'Topic.'),
      reads: Type.Array(Type.String(), {
        description:
          'Parts of a record that the metric reads: fields, such as outputs.answer, which you can rename in the metric to match your records; and trace, conversation and toolCalls of its trace.',
      }),
      source: Type.String({ description: 'Where the definition comes from.' }),
      metric: Type.Unsafe<MetricCreate>({
        ...MetricCreate,
        description: 'The metric as createMetric takes it.',
      }),
      examples: Type.Object(
        { passing: Example('A record that passes.'), failing: Example('A record that fails.') },
        { description: 'Example records.' },
      ),
    },
    { description: 'A ready-made metric.' },
  ),
);
export type MetricTemplate = Static<typeof MetricTemplate.schema>;

/** In the files, prompts and code are lists of lines, so that people can read and compare them. */
type TemplateFile = Omit<MetricTemplate, 'id' | 'metric'> & {
  metric: Omit<MetricCreate, 'guidelines' | 'promptTemplate'> & {
    guidelines?: string[];
    promptTemplate?: string[];
  };
};

const directory = new URL('./templates/', import.meta.url);

const readTemplate = async (file: string): Promise<MetricTemplate> => {
  const { metric, ...rest }: TemplateFile = JSON.parse(await readFile(new URL(file, directory), 'utf8'));
  const { guidelines, promptTemplate, ...fields } = metric;
  const texts = {
    ...(guidelines && { guidelines: guidelines.join('\n') }),
    ...(promptTemplate && { promptTemplate: promptTemplate.join('\n') }),
  };
  return { id: basename(file, '.json'), ...rest, metric: { ...fields, ...texts } };
};

/** Reads the gallery of ready metrics, by group and name. */
export const readTemplates = async (): Promise<MetricTemplate[]> => {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.json'));
  const templates = await Promise.all(files.map(readTemplate));
  const place = ({ group, metric }: MetricTemplate) => `${groups.indexOf(group)} ${metric.name}`;
  return templates.sort((a, b) => (place(a) < place(b) ? -1 : 1));
};
