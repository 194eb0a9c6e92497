import type { Monitor } from '../../types.ts';
import { durationText } from '../../ui/format.ts';

/** A monitor's filter in words. */
export const filterText = ({
  service,
  name,
  modelName,
  error,
  minDurationMs,
  tag,
}: Monitor['filter']): string => {
  const parts = [
    service !== undefined && `service ${service}`,
    name !== undefined && `span ${name}`,
    modelName !== undefined && `model ${modelName}`,
    error !== undefined && (error ? 'failed' : 'did not fail'),
    minDurationMs !== undefined && `took ${durationText(minDurationMs)} or longer`,
    tag !== undefined && `tag ${tag}`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? 'every trace' : parts.join(', ');
};

/** `10 %`, with as many digits as it has. */
export const rateText = (rate: number): string => `${Number((rate * 100).toPrecision(12))} %`;
