import type { Answer } from '../../api.ts';
import type { ScoreState } from '../../types.ts';
import { bodyOf, type MetricForm } from './kinds.ts';

export type Previewed = Answer<'previewMetric'>;

/** What a preview takes from the form of a metric. */
export const previewOf = (form: MetricForm) => {
  const { name: _, description: __, spans: ___, ...metric } = bodyOf({ ...form, passingThreshold: '' });
  return metric;
};

/** The verdict as a score, with the threshold of the form. */
export const stateOf = (form: MetricForm, { state, score, reason }: Previewed): ScoreState => {
  const value = score?.binaryScore ?? score?.intScore ?? score?.floatScore;
  return {
    metricId: '',
    metricName: form.name,
    metricConfigId: '',
    state: state as ScoreState['state'],
    passed: value === undefined ? null : Number(value) >= Number(form.passingThreshold || 1),
    score: score as ScoreState['score'],
    reason,
    scoredByUserId: null,
    madeBy: state === 'scored' ? 'model' : null,
    updatedAt: '',
  };
};
