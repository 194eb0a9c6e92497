import { type Static, Type } from 'typebox';
import { FreeForm } from '../../platform/http/openapi.ts';
import { pageQuery } from '../../platform/http/pagination.ts';
import { named } from '../../platform/named-schema.ts';
import { oneOf } from '../../platform/one-of.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });
const number = Type.Integer({ description: 'Number of the snapshot, within its testset.' });
const hash = Type.String({
  description:
    'SHA-256 of the testcases in hexadecimal. The same testcases have the same hash (docs/testsets.md says how it is computed).',
});
const name = Type.String({ maxLength: 200, description: 'Name of the snapshot; empty without one.' });

export const Snapshot = named(
  'Snapshot',
  Type.Object(
    {
      number,
      testsetId: Type.String({ description: 'Id of the testset.' }),
      name,
      hash,
      current: Type.Boolean({ description: 'Whether the testset still has exactly these testcases.' }),
      numTestcases: count('Number of testcases.'),
      numAdded: count('Testcases that the snapshot before lacks.'),
      numChanged: count('Testcases that the snapshot before has with another text, split or tag.'),
      numRemoved: count('Testcases that only the snapshot before has.'),
      numErased: count('Testcases whose texts were erased since. The hash stays as it was.'),
      numRuns: count('Runs that started with these testcases.'),
      madeBy: oneOf(
        ['member', 'run', 'restore'],
        'member: a member asked for it. run: a run started. restore: an older snapshot was about to be restored.',
      ),
      createdByUserId: Type.Union([Type.String(), Type.Null()], {
        description: 'Member who made it; null if the service did.',
      }),
      createdAt: Type.String({ description: 'When it was made.' }),
    },
    { description: 'A testset as it was at one time.' },
  ),
);

export const SnapshotCreate = Type.Object(
  { name: Type.Optional(name) },
  { additionalProperties: false, description: 'The name of the snapshot, if it has one.' },
);

export const SnapshotUpdate = Type.Object({ name }, { additionalProperties: false });
export type SnapshotUpdate = Static<typeof SnapshotUpdate>;

/** The snapshot of a run, as the run names it. */
export const SnapshotOfRun = Type.Union([Type.Object({ number, hash, name }), Type.Null()], {
  description: 'The testcases of the testset when the run started; null without a testset.',
});

export const SnapshotRestored = named(
  'SnapshotRestored',
  Type.Object(
    {
      before: Type.Integer({ description: 'Number of the snapshot of what the testset was before.' }),
      numAdded: count('Testcases that are there again.'),
      numChanged: count('Testcases that have their former text, split and tags again.'),
      numRemoved: count('Testcases that are no longer there.'),
    },
    { description: 'What restoring a snapshot changed.' },
  ),
);

export const SnapshotDiffQuery = Type.Object({
  ...pageQuery,
  against: Type.Optional(
    Type.Integer({
      minimum: 1,
      description: 'Number of the snapshot to compare with; default the testset as it is now.',
    }),
  ),
  testcaseId: Type.Optional(Type.String({ description: 'Only this testcase.' })),
});
export type SnapshotDiffQuery = Static<typeof SnapshotDiffQuery>;

const side = (which: string) =>
  Type.Union(
    [
      Type.Object({
        revision: Type.Integer({ description: 'Revision of the testcase.' }),
        split: Type.Union([Type.String(), Type.Null()], { description: 'Its split; null without one.' }),
        tags: Type.Array(Type.String(), { description: 'Its tags.' }),
        jsonData: Type.Union([FreeForm('The testcase.'), Type.Null()], {
          description: 'The testcase; null if its text was erased.',
        }),
      }),
      Type.Null(),
    ],
    { description: `The testcase ${which}; null if it is not there.` },
  );

export const TestcaseDifference = named(
  'TestcaseDifference',
  Type.Object(
    {
      testcaseId: Type.String({ description: 'Id of the testcase.' }),
      change: oneOf(['added', 'changed', 'removed'], 'What happened to it from the first to the second.'),
      before: side('in the first snapshot'),
      after: side('in the second snapshot'),
    },
    { description: 'A testcase that differs between two snapshots.' },
  ),
);
