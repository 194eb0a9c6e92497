import { Type } from 'typebox';

export const ChangesQuery = Type.Object({
  maxSeconds: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 600,
      default: 600,
      description: 'Ends the stream after this many seconds. Connect again to continue.',
    }),
  ),
  pastSeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 60,
      default: 0,
      description:
        'Begins with the changes of at least this many past seconds, for a client that read its data before ' +
        'it connected.',
    }),
  ),
});

export const ChangeEvents = Type.String({
  description:
    'Server-sent events. `ready` comes once; no change after it is missed. `changed` has the data ' +
    '`{"runs":[{"runId":"7","recordIds":["7-1"]}],"resources":["metrics"]}`: `recordIds` is null if the run itself or many of its ' +
    'records changed, and `resources` names the other kinds of resources that changed: `metrics`, `metric-groups`, `testsets`, ' +
    '`monitors`, `views` and `access` of the project, `members`, `providers` and `projects` of the organization. `deleted` comes when the project is deleted.',
});
