import { Type } from 'typebox';

export const ChangesQuery = Type.Object({
  projectId: Type.Optional(
    Type.String({ description: 'Project to follow. Default: only what belongs to the organization itself.' }),
  ),
  maxSeconds: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 600,
      default: 600,
      description: 'Ends the stream after this many seconds. Connect again to continue.',
    }),
  ),
  since: Type.Optional(
    Type.String({
      pattern: String.raw`^\d+:\d+:[\d,]*$`,
      maxLength: 8_000,
      expects: 'the position of an earlier answer',
      description:
        '`position` of getMe or the `id` of an event: the stream begins with what was committed after it. A client that reads its ' +
        'data after getMe and follows from there misses nothing. Changes are kept for five minutes. Default: now.',
    }),
  ),
});

export const ChangeEvents = Type.String({
  description:
    'Server-sent events; the `id` of each is its position. `ready` comes once; no change after it is missed. `changed` has the data ' +
    '`{"runs":[{"runId":"7","recordIds":["7-1"]}],"resources":["metrics"]}`: `recordIds` is null if the run itself or many of its ' +
    'records changed, and `resources` names the other kinds of resources that changed: `metrics`, `metric-groups`, `testsets`, ' +
    '`monitors`, `views` and `access` of the project, `members`, `providers` and `projects` of the organization. `alive` comes every 20 seconds, `deleted` when the project is deleted.',
});
