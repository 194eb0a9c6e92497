import type { Client } from '../../../client/src/main.ts';
import { type Command, projectOption, takeArguments } from '../command.ts';
import { CliError, exit } from '../errors.ts';
import { countOf } from '../figures.ts';
import { metricIdOf } from '../metrics-of.ts';
import { table } from '../output.ts';

const filterOptions = {
  ...projectOption,
  metric: {
    type: 'string',
    short: 'm',
    value: 'NAME',
    about: 'Only records that wait for this metric, by name or id.',
  },
  run: { type: 'string', short: 'r', value: 'ID', about: 'Only records of this run.' },
} as const;

type Values = Parameters<Command['run']>[2];

const filterOf = async (client: Client, projectId: string, values: Values) => {
  const [metric, runId] = [values.text('metric'), values.text('run')];
  return {
    ...(metric !== undefined && { metricId: await metricIdOf(client, projectId, metric) }),
    ...(runId !== undefined && { runId }),
  };
};

/** The members with these e-mail addresses or ids. Throws for one that no member has. */
const peopleOf = async (client: Client, wanted: readonly string[]): Promise<string[]> => {
  if (wanted.length === 0) return [];
  const members: { id: string; email: string | null }[] = [];
  for await (const member of client.listMembers()) members.push(member);
  return wanted.map((one) => {
    const found = members.find(({ id, email }) => id === one || email?.toLowerCase() === one.toLowerCase());
    if (found) return found.id;
    throw new CliError(
      `No member has the e-mail address or id '${one}'.`,
      'Invite them on the page Members.',
    );
  });
};

export const reviewList: Command = {
  name: 'review list',
  summary: 'List how many records wait for people, by metric and by person.',
  options: filterOptions,
  run: async ({ out, client: connect }, args, values) => {
    takeArguments('review list', args);
    const projectId = values.required('project');
    const client = await connect();
    const progress = await client.getReviewProgress(projectId, await filterOf(client, projectId, values));
    const queues = progress.queues.map((queue) => [
      queue.metricName,
      String(queue.numPending),
      String(queue.numForYou),
      String(queue.numReviewed),
    ]);
    const people = progress.members.map(({ name, numAssigned, numReviewed }) => [
      name,
      String(numAssigned),
      String(numReviewed),
    ]);
    const text =
      queues.length === 0
        ? 'The project has no metric that people score.'
        : `${table(['metric', 'waiting', 'for you', 'done'], queues)}\n\n${table(['person', 'assigned and left', 'reviewed'], people)}`;
    out.result(text, progress);
    return exit.pass;
  },
};

const countIn = (values: Values, name: string): number | undefined => {
  const text = values.text(name);
  if (text === undefined) return undefined;
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1) return count;
  throw new CliError(`--${name} must be a whole number from 1, not '${text}'.`);
};

export const reviewAssign: Command = {
  name: 'review assign',
  summary: 'Assign waiting records to people in turn, or move those of one person to others.',
  about: `Records that no one has are dealt out. With --from, the records that still wait for this person go to the others; without --to, they are
then for anyone. docs/reviews.md says more.`,
  options: {
    ...filterOptions,
    to: {
      type: 'string',
      multiple: true,
      value: 'EMAIL',
      about: 'Who gets records, by e-mail address or id. Can be repeated.',
    },
    from: { type: 'string', value: 'EMAIL', about: 'Whose records are reassigned.' },
    'per-record': { type: 'string', value: 'N', about: 'Number of people who get each record. Default 1.' },
    most: { type: 'string', value: 'N', about: 'Maximum number of records, oldest first. Default 10000.' },
  },
  examples: [
    'dokima review assign --to ada@example.com --to ben@example.com --most 40',
    'dokima review assign --from ada@example.com --to ben@example.com',
  ],
  run: async ({ out, client: connect }, args, values) => {
    takeArguments('review assign', args);
    const projectId = values.required('project');
    const [to, from] = [values.all('to'), values.text('from')];
    const [numPerRecord, maxRecords] = [countIn(values, 'per-record'), countIn(values, 'most')];
    if (to.length === 0 && from === undefined)
      throw new CliError(
        'Name who gets the records: --to EMAIL.',
        'Or whose records are given back: --from EMAIL.',
      );
    const client = await connect();
    const [fromUserId] = await peopleOf(client, from === undefined ? [] : [from]);
    const assigned = await client.assignReviews(
      projectId,
      {
        userIds: await peopleOf(client, to),
        ...(fromUserId !== undefined && { fromUserId }),
        ...(numPerRecord !== undefined && { numPerRecord }),
        ...(maxRecords !== undefined && { maxRecords }),
      },
      await filterOf(client, projectId, values),
    );
    const rows = assigned.people.map(({ numRecords }, i) => [to[i]!, String(numRecords)]);
    const what = countOf(assigned.numRecords, 'record');
    out.result(
      rows.length > 0 ? `${what} assigned.\n${table(['person', 'records'], rows)}` : `${what} for anyone.`,
      assigned,
    );
    return exit.pass;
  },
};
