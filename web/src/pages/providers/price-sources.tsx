import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api.ts';
import type { PriceTable } from '../../types.ts';
import { countOf } from '../../ui/format.ts';
import { Loaded } from '../../ui/states.tsx';
import { timeText } from '../../ui/time.tsx';

type Source = PriceTable['sources'][number];

const textOf = ({ source, address, date, numModels, readAt }: Source): string => {
  const models = `${countOf(numModels, 'model')} of ${date && timeText(date, 'day')}`;
  if (source === 'file') return `${models} in the operator’s file`;
  if (source === 'shipped') return `${models} that ship with this version`;
  return readAt
    ? `${models} from ${address}, read ${timeText(readAt, 'minute')}`
    : `${address}, not read yet`;
};

const Refused = ({ refused }: Pick<Source, 'refused'>) => (
  <details className="text-warn">
    <summary>{countOf(refused.length, 'new price')} not used</summary>
    <ul>
      {refused.map(({ modelName, reason }) => (
        <li key={modelName}>
          {modelName}: {reason}
        </li>
      ))}
    </ul>
  </details>
);

/** Where the server's prices come from, with their dates. The first source that has a model gives its price. */
export const PriceSources = () => {
  const prices = useQuery(apiQuery('getPrices'));
  return (
    <Loaded query={prices} lines={1}>
      {({ sources }) => (
        <div className="mb-3">
          <span className="text-soft">Default prices</span>
          <ul>
            {sources.map((source) => (
              <li key={source.source} className="break-words">
                {textOf(source)}
                {source.error && <p className="text-warn">The newest list was not used: {source.error}</p>}
                {source.refused.length > 0 && <Refused refused={source.refused} />}
              </li>
            ))}
          </ul>
        </div>
      )}
    </Loaded>
  );
};
