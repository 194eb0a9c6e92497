import type { Client } from '../../../client/src/main.ts';
import { type Command, projectOption, takeArguments, type Values } from '../command.ts';
import { exit } from '../errors.ts';
import { inOneLine, table } from '../output.ts';

const longestCell = 60;
const short = (text: string | null): string => inOneLine(text ?? '').slice(0, longestCell);

/** A resource that a command lists: the operation, and its columns. */
type Listed<Item> = {
  name: string;
  summary: string;
  ofProject: boolean;
  items: (client: Client, values: Values) => AsyncIterable<Item>;
  columns: Record<string, (item: Item) => string | number>;
  /** What to do if there are none. */
  none: string;
};

const listOf = <Item>({ name, summary, ofProject, items, columns, none }: Listed<Item>): Command => ({
  name,
  summary,
  options: {
    ...(ofProject && projectOption),
    limit: { type: 'string', value: 'N', about: 'Maximum number. Default 50.' },
  },
  run: async ({ out, client }, args, values) => {
    takeArguments(name, args);
    const limit = values.count('limit', 50);
    const data: Item[] = [];
    let hasMore = false;
    for await (const item of items(await client(), values)) {
      hasMore = data.length === limit;
      if (hasMore) break;
      data.push(item);
    }
    const rows = data.map((item) => Object.values(columns).map((cell) => cell(item)));
    out.result(data.length > 0 ? table(Object.keys(columns), rows) : none, { data, hasMore });
    if (hasMore) out.note(`There are more: --limit ${limit * 10}`);
    return exit.pass;
  },
});

export const projectList = listOf({
  name: 'project list',
  summary: 'List the projects.',
  ofProject: false,
  items: (client) => client.listProjects(),
  columns: {
    id: ({ id }) => id,
    name: ({ name }) => short(name),
    description: ({ description }) => short(description),
  },
  none: 'There is no project. Create one: dokima project create NAME',
});

export const runList = listOf({
  name: 'run list',
  summary: 'List the runs of a project, the newest first.',
  ofProject: true,
  items: (client, values) => client.listRunDetails(values.required('project')),
  columns: {
    id: ({ id }) => id,
    title: ({ title, name }) => short(title ?? name),
    status: ({ status }) => status,
    records: ({ numRecords }) => numRecords,
    testset: ({ testsetId }) => testsetId ?? '',
    marks: ({ marks }) => marks.join(', '),
    created: ({ createdAt }) => createdAt.slice(0, 16).replace('T', ' '),
  },
  none: 'The project has no run. Start one: dokima run --help',
});

export const testsetList = listOf({
  name: 'testset list',
  summary: 'List the testsets of a project.',
  ofProject: true,
  items: (client, values) => client.listTestsetDetails(values.required('project')),
  columns: {
    id: ({ id }) => id,
    name: ({ name }) => short(name),
    testcases: ({ numTestcases }) => numTestcases,
    inputs: ({ fieldMapping }) => short(fieldMapping.inputs.join(', ')),
  },
  none: 'The project has no testset. Make one from a file: dokima import --help',
});

export const metricList = listOf({
  name: 'metric list',
  summary: 'List the metrics of a project.',
  ofProject: true,
  items: (client, values) => client.listMetrics(values.required('project')),
  columns: {
    id: ({ id }) => id,
    name: ({ name }) => short(name),
    scored: ({ evalType }) => ({ ai: 'by a model', human: 'by people', heuristic: 'by code' })[evalType],
    output: ({ outputType }) => outputType,
  },
  none: 'The project has no metric. Make one from a file: dokima metric push --help',
});
