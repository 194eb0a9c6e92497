import type { Answer } from '../../api.ts';
import type { ScoreState } from '../../types.ts';
import { bodyOf, type MetricForm } from './kinds.ts';
import { labelsBodyOf, newLabels } from './labels-form.ts';
import { passesBy, type ScoreFields } from './pass-rule.ts';

export type Previewed = Answer<'previewMetric'>;

/** What a preview takes from the form of a metric. */
export const previewOf = (form: MetricForm) => {
  const body = bodyOf({ ...form, passingThreshold: '' });
  const { name: _, description: __, spans: ___, ...metric } = { spans: null, ...body };
  return metric;
};

/** The verdict as a score, with the threshold of the form. */
export const stateOf = (form: MetricForm, { state, score, reason }: Previewed): ScoreState => {
  const given = score as ScoreFields | null;
  const hasValue = Object.keys(given ?? {}).some((field) => field.endsWith('Score'));
  return {
    metricId: '',
    metricName: form.name,
    metricConfigId: '',
    state: state as ScoreState['state'],
    passed:
      given && hasValue
        ? passesBy(given, {
            passingThreshold: Number(form.passingThreshold || 1),
            labels: labelsBodyOf(form.labels ?? newLabels),
          })
        : null,
    score: score as ScoreState['score'],
    reason,
    scoredByUserId: null,
    madeBy: state === 'scored' ? 'model' : null,
    updatedAt: '',
  };
};
