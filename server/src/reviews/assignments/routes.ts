import { project } from '../../evaluation/resources.ts';
import type { App } from '../../platform/http/http.ts';
import { recordKey } from '../../platform/http/ids.ts';
import { writeRoute } from '../../platform/http/resource-routes.ts';
import type { RouteDeps } from '../../platform/http/route-deps.ts';
import { readFilter } from '../queues/queue-filter.ts';
import { QueueQuery } from '../queues/schema.ts';
import { assignReviews, leaveReviews, readAssignment } from './assign.ts';
import { AssignReviews, LeaveQuery, ReviewsAssigned, ReviewsLeft } from './schema.ts';

const tags = ['Reviews'];

export const reviewAssignmentRoutes = (app: App, deps: RouteDeps): void => {
  writeRoute(app, deps, 'POST', '/projects/:projectId/reviews/assign', {
    operationId: 'assignReviews',
    summary: 'Assign the waiting records of the queues to people, in turn.',
    description:
      'An assigned record comes to these people first, and each has one of its reviews reserved. Records without an assigned user are for anyone. Repeat the request for more than 10,000 records.',
    tags,
    of: project,
    query: QueueQuery,
    body: AssignReviews,
    response: ReviewsAssigned,
    read: (body, _raw, { query }) => ({ filter: readFilter(query), assignment: readAssignment(body) }),
    work: (tx, scope, projectId, { filter, assignment }) =>
      assignReviews(tx, scope, projectId, filter, assignment),
  });

  writeRoute(app, deps, 'POST', '/projects/:projectId/reviews/leave', {
    operationId: 'leaveReviews',
    summary: 'Give back records that are assigned to you and wait for your score.',
    description: 'They are then for anyone. Your reviews stay.',
    tags,
    of: project,
    query: LeaveQuery,
    response: ReviewsLeft,
    read: (_body, _raw, { query }) => ({
      filter: readFilter(query),
      record: query.recordId === undefined ? undefined : recordKey(query.recordId),
    }),
    work: (tx, scope, projectId, { filter, record }) => leaveReviews(tx, scope, projectId, filter, record),
  });
};
