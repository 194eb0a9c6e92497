import { Type } from 'typebox';

export const ChangesQuery = Type.Object({
  maxSeconds: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 600,
      default: 600,
      description: 'Ends after so many seconds; connect again to go on.',
    }),
  ),
  pastSeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 60,
      default: 0,
      description:
        'Tells first what was committed in so many seconds before (and in some more), for whoever read before the ' +
        'stream was there.',
    }),
  ),
});

export const ChangeEvents = Type.String({
  description:
    'Server-sent events: `ready` once, from when on nothing is missed; `changed` with ' +
    '`{"runs":[{"runId":"7","recordIds":["7-1"]}],"nouns":["metrics"]}`, where `recordIds` is null when the run itself or many ' +
    'of its records changed, and `nouns` says of which of `metrics`, `testsets`, `monitors` and `views`, and of the organization’s `members`, `providers` ' +
    'and `projects`, some were written; ' +
    '`deleted` when the project is gone.',
});
