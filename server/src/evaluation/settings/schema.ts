import { type Static, Type } from 'typebox';
import { named, ref } from '../../platform/named-schema.ts';
import { MaskingRules, MaskingSettings } from '../masking/schema.ts';
import { restricted } from '../projects/access-schema.ts';

const days = (what: string) =>
  Type.Union([Type.Integer({ minimum: 1, maximum: 36_500 }), Type.Null()], {
    description: `Days after which ${what} are deleted; null: never.`,
  });

const fields = {
  restricted,
  recordDays: days('records, with their scores and traces,'),
  traceDays: days('traces, and the records created from them,'),
  searchIndex: Type.Union([Type.Boolean(), Type.Null()], {
    description:
      'Whether the texts and fields of records are indexed for search; null: from the first search on that needs the index. A search finds every record without the index too, but reads the records one by one.',
  }),
};

/** Waiting records are counted up to this number. */
export const mostWaiting = 10_000;

export const ProjectSettings = named(
  'ProjectSettings',
  Type.Object(
    {
      ...fields,
      masking: ref(MaskingSettings),
    },
    {
      description:
        'Who sees a project, how long it keeps data, what it masks, and whether it is indexed for search.',
    },
  ),
);

/** Not a part of the settings, which have another entity tag after each change. */
export const SearchIndex = named(
  'SearchIndex',
  Type.Object(
    {
      active: Type.Boolean({
        description:
          'Whether new records are put into the index. The setting searchIndex, or the first search, turns it on.',
      }),
      numWaiting: Type.Integer({
        minimum: 0,
        description: `Number of records that the index does not have yet, at most ${mostWaiting}. A search reads them one by one.`,
      }),
    },
    { description: "State of a project's search index." },
  ),
);

export const ProjectSettingsUpdate = Type.Partial(Type.Object({ ...fields, masking: MaskingRules }), {
  additionalProperties: false,
  minProperties: 1,
});
export type ProjectSettingsUpdate = Static<typeof ProjectSettingsUpdate>;
