import { TextLink } from '../../links.tsx';
import { paths } from '../../paths.ts';
import type { Metric } from '../../types.ts';
import { toggled } from '../../ui/toggled.ts';
import { evalTypes, outputTypes } from './kinds.ts';

type MetricChoiceProps = {
  metrics: readonly Metric[];
  /** Links to a new metric if there is none. */
  projectId?: string;
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
  error?: string | undefined;
};

/** A list of metrics to choose from. */
export const MetricChoice = ({ metrics, projectId, chosen, onChange, error }: MetricChoiceProps) => (
  <fieldset>
    <legend className="mb-1 text-sm font-medium">Metrics</legend>
    {metrics.length === 0 && (
      <p className="text-soft">
        This project has no metrics yet.{' '}
        {projectId && <TextLink {...paths.newMetric(projectId)}>Create one</TextLink>}
      </p>
    )}
    {metrics.map(({ id, name, evalType, outputType }) => (
      <label key={id} className="flex h-7 items-center gap-2">
        <input type="checkbox" checked={chosen.has(id)} onChange={() => onChange(toggled(chosen, id))} />
        <span className="truncate">{name}</span>
        <span className="text-soft">
          {evalTypes[evalType]} · {outputTypes[outputType]}
        </span>
      </label>
    ))}
    {error && <p className="text-sm text-fail">{error}</p>}
  </fieldset>
);
