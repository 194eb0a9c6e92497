import { type LinkProps, useNavigate } from '@tanstack/react-router';
import type { ReviewProgress } from '../../resources/reviews/queries.ts';
import { Select } from '../../ui/field.tsx';

type ChooseQueueProps = {
  queues: ReviewProgress['queues'];
  metric: string | undefined;
  /** The page with a metric, or with every one. */
  linkOf: (metric: string) => LinkProps;
};

/** Chooses the metric whose queue a page is about. */
export const ChooseQueue = ({ queues, metric, linkOf }: ChooseQueueProps) => {
  const navigate = useNavigate();
  const names = new Map(queues.map(({ metricId, metricName }) => [metricId, metricName]));
  return (
    <div className="w-48">
      <Select
        label="Queue"
        hideLabel
        value={metric ?? ''}
        options={[
          { value: '', label: 'Every metric' },
          ...[...names].map(([value, label]) => ({ value, label })),
        ]}
        onChange={(value) => void navigate(linkOf(value))}
      />
    </div>
  );
};
