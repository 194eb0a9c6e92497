/**
 * Where labels come from: the scores of another metric, people's scores that replaced the judge's, or thumbs. `none`: no one has said which
 * metric is the truth about the judge. `byPeople`: people scored all of them, so that score_by_person has them.
 */
export type LabelSource =
  | { of: 'metric'; metricId: bigint; byPeople?: true }
  | { of: 'overrides' }
  | { of: 'thumbs' }
  | { of: 'none' };
