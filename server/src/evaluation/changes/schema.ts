import { Type } from 'typebox';

export const ChangesQuery = Type.Object({
  maxSeconds: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 600,
      default: 600,
      description: 'Seconds after which the stream ends; connect again to go on.',
    }),
  ),
  pastSeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 60,
      default: 0,
      description:
        'Begins with the changes of at least this many seconds before, for a page that was read before the stream began.',
    }),
  ),
});

export const ChangeEvents = Type.String({
  description:
    'Server-sent events. `ready` comes once; from then on no change is missed. `changed` carries ' +
    '`{"runs":[{"runId":"7","recordIds":["7-1"]}],"resources":["metrics"]}`: `recordIds` is null when the run itself or many ' +
    'of its records changed; `resources` names what else changed: `metrics`, `testsets`, `monitors` or `views` of the project, ' +
    '`members`, `providers` or `projects` of the organization. `deleted` comes when the project is deleted.',
});
