import { type Answer, apiQuery } from '../../api.ts';

export type ReviewProgress = Answer<'getReviewProgress'>;

/** The record that the member is to score next. Asking again gives the same record, so it can be read as other queries are. */
export const nextReviewQuery = (projectId: string, metricId: string | undefined, runId?: string) => ({
  ...apiQuery('nextReview', projectId, { metricId, ...(runId && { runId }) }),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
});
