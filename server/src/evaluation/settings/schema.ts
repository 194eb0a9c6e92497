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
};

export const ProjectSettings = named(
  'ProjectSettings',
  Type.Object(
    { ...fields, masking: ref(MaskingSettings) },
    { description: 'Who sees a project, how long it keeps data, and what it masks.' },
  ),
);

export const ProjectSettingsUpdate = Type.Partial(Type.Object({ ...fields, masking: MaskingRules }), {
  additionalProperties: false,
  minProperties: 1,
});
export type ProjectSettingsUpdate = Static<typeof ProjectSettingsUpdate>;
