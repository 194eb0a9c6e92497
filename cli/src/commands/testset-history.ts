import type { Client, Snapshot } from '../../../client/src/main.ts';
import { type Command, takeArguments } from '../command.ts';
import { CliError, exit } from '../errors.ts';
import { countOf } from '../figures.ts';
import { table } from '../output.ts';

const changesOf = ({ numAdded, numChanged, numRemoved }: Snapshot): string =>
  `+${numAdded} ~${numChanged} -${numRemoved}`;

const rowOf = (snapshot: Snapshot) => {
  const { number, name, numTestcases, numRuns, hash, madeBy, createdAt, current } = snapshot;
  const at = `${createdAt}${current ? ' (now)' : ''}`;
  return [number, name, numTestcases, changesOf(snapshot), numRuns, hash.slice(0, 12), madeBy, at];
};

const all = async <Item>(list: AsyncIterable<Item>): Promise<Item[]> => {
  const items: Item[] = [];
  for await (const item of list) items.push(item);
  return items;
};

/** Reads the number of a snapshot. */
export const snapshotNumber = (text: string | undefined): number => {
  if (text !== undefined && /^[1-9]\d*$/.test(text)) return Number(text);
  throw new CliError('The number of a snapshot is missing.', 'See them with dokima testset history TESTSET');
};

export const testsetHistory: Command = {
  name: 'testset history',
  takes: 'TESTSET',
  summary: 'List the snapshots of a testset, newest first.',
  examples: ['dokima testset history 2'],
  run: async ({ out, client }, args) => {
    const [testsetId] = takeArguments('testset history', args, 'The id of the testset');
    const snapshots = await all((await client()).listSnapshots(testsetId!, { limit: 100 }));
    const head = ['snapshot', 'name', 'testcases', 'changed', 'runs', 'hash', 'made by', 'at'];
    out.result(snapshots.length === 0 ? 'No snapshots yet.' : table(head, snapshots.map(rowOf)), snapshots);
    return exit.pass;
  },
};

export const testsetSnapshot: Command = {
  name: 'testset snapshot',
  takes: 'TESTSET',
  summary: 'Make a snapshot of a testset as it is now, or name the one that exists.',
  options: { name: { type: 'string', value: 'NAME', about: 'Name of the snapshot.' } },
  examples: ['dokima testset snapshot 2 --name "Release 1"'],
  run: async ({ out, client }, args, values) => {
    const [testsetId] = takeArguments('testset snapshot', args, 'The id of the testset');
    const name = values.text('name');
    const made = await (await client()).createSnapshot(testsetId!, { ...(name !== undefined && { name }) });
    out.result(
      `Snapshot ${made.number}: ${countOf(made.numTestcases, 'testcase')}, hash ${made.hash}.`,
      made,
    );
    return exit.pass;
  },
};

const differencesOf = (client: Client, testsetId: string, from: string, against: string | undefined) =>
  all(
    client.listSnapshotDifferences(testsetId, String(snapshotNumber(from)), {
      limit: 100,
      ...(against !== undefined && { against: snapshotNumber(against) }),
    }),
  );

export const testsetDiff: Command = {
  name: 'testset diff',
  takes: 'TESTSET SNAPSHOT [SNAPSHOT]',
  summary: 'List the testcases that differ between two snapshots, or from now.',
  examples: ['dokima testset diff 2 1', 'dokima testset diff 2 1 3 --json'],
  run: async ({ out, client }, args) => {
    const [testsetId, from, against, ...more] = args;
    if (testsetId === undefined || from === undefined || more.length > 0)
      takeArguments('testset diff', args, 'The id of the testset', 'The number of a snapshot');
    const found = await differencesOf(await client(), testsetId!, from!, against);
    const lines = found.map(({ testcaseId, change }) => `${change} ${testcaseId}`);
    out.result(lines.length === 0 ? 'The testcases are the same.' : lines.join('\n'), found);
    return exit.pass;
  },
};

export const testsetRestore: Command = {
  name: 'testset restore',
  takes: 'TESTSET SNAPSHOT',
  summary: 'Make the testcases of a testset what they were in a snapshot.',
  about: 'The testset as it is now becomes a snapshot first, so restoring can be undone.',
  examples: ['dokima testset restore 2 1'],
  run: async ({ out, client }, args) => {
    const [testsetId, number] = takeArguments(
      'testset restore',
      args,
      'The id of the testset',
      'The number of a snapshot',
    );
    const done = await (await client()).restoreSnapshot(testsetId!, String(snapshotNumber(number)));
    const { numAdded, numChanged, numRemoved, before } = done;
    const what = `${numAdded} added, ${numChanged} changed, ${numRemoved} removed`;
    out.result(`Restored: ${what}. What it was is snapshot ${before}.`, done);
    return exit.pass;
  },
};

const namesIn = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);

export const testsetMark: Command = {
  name: 'testset mark',
  takes: 'TESTSET',
  summary: 'Set the split and the tags of the testcases that a search finds.',
  about:
    'Without --search, of all testcases. A --share is drawn by groups, so that no group is in two splits.',
  options: {
    search: { type: 'string', value: 'Q', about: 'A search, such as "tag:hard data.lang:de".' },
    share: { type: 'string', value: 'SHARE', about: 'A drawn share of them, from 0 to 1.' },
    seed: { type: 'string', value: 'N', about: 'Seed of the draw. Default 1.' },
    split: { type: 'string', value: 'NAME', about: 'Split that they get; a single - takes it away.' },
    add: { type: 'string', value: 'TAGS', about: 'Tags that they get, separated by commas.' },
    remove: { type: 'string', value: 'TAGS', about: 'Tags that they lose.' },
    'dry-run': { type: 'boolean', about: 'Only count the testcases.' },
  },
  examples: [
    'dokima testset mark 2 --search data.lang:de --add german',
    'dokima testset mark 2 --share 0.3 --split test --dry-run',
  ],
  run: async ({ out, client }, args, values) => {
    const [testsetId] = takeArguments('testset mark', args, 'The id of the testset');
    const [q, share, split] = [values.text('search'), values.text('share'), values.text('split')];
    const done = await (await client()).updateTestcaseMarks(testsetId!, {
      ...(q !== undefined && { q }),
      ...(share !== undefined && { share: Number(share) }),
      seed: values.count('seed', 1),
      ...(split !== undefined && { split: split === '-' ? null : split }),
      addTags: namesIn(values.text('add')),
      removeTags: namesIn(values.text('remove')),
      dryRun: values.flag('dry-run'),
    });
    out.result(`${countOf(done.numTestcases, 'testcase')} fit, ${done.numChanged} changed.`, done);
    return exit.pass;
  },
};
