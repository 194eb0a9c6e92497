import { type Static, Type } from 'typebox';
import { pageQuery } from '../../platform/http/pagination.ts';
import { named } from '../../platform/named-schema.ts';

export const CreatorListQuery = Type.Object({
  ...pageQuery,
  resource: Type.Union([Type.Literal('testsets'), Type.Literal('metrics'), Type.Literal('systems')], {
    description: 'Whose creators.',
  }),
});
export type CreatorListQuery = Static<typeof CreatorListQuery>;

export const Creator = named(
  'Creator',
  Type.Object(
    {
      id: Type.String({ description: 'Id of the testset, metric or system.' }),
      createdByUserId: Type.String({ description: 'User who created it, also with a key.' }),
      createdByName: Type.Union([Type.String(), Type.Null()], {
        description: 'Name of the user; null for a former member.',
      }),
    },
    { description: 'Who created a testset, a metric or a system.' },
  ),
);
