import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../api.ts';
import type { PriceTable } from '../../types.ts';
import { Input } from '../../ui/field.tsx';
import { countOf } from '../../ui/format.ts';
import { Loaded } from '../../ui/states.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
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

/** Most rows of the table; public lists have thousands of models. */
const mostRows = 100;

/** The prices in use, each with the day on which it was read and the page that the list names for it. */
const PriceRows = ({ models }: Pick<PriceTable, 'models'>) => {
  const [words, setWords] = useState('');
  const found = Object.entries(models).filter(([name]) => name.includes(words.trim().toLowerCase()));
  return (
    <details className="mt-1">
      <summary>Each price with its source</summary>
      <Input label="Model" className="mb-2 max-w-80" value={words} onChange={setWords} />
      <Table
        label="Prices"
        head={['Model', 'Input', 'Output', 'From cache', 'To cache', 'Read on', 'Source']}
      >
        {found
          .slice(0, mostRows)
          .map(([name, { input, output, cachedInput, cacheWrite, date, reference }]) => (
            <Row key={name}>
              <Cell>{name}</Cell>
              {[input, output, cachedInput ?? input, cacheWrite ?? input].map((price, i) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns don't move
                <Cell key={i}>${price}</Cell>
              ))}
              <Cell className="whitespace-nowrap">{date && timeText(date, 'day')}</Cell>
              <Cell>
                {reference && URL.canParse(reference) && /^https?:/.test(reference) && (
                  <a href={reference} target="_blank" rel="noreferrer noopener">
                    {new URL(reference).host}
                  </a>
                )}
              </Cell>
            </Row>
          ))}
      </Table>
      <p className="text-soft">
        US dollars for a million tokens.
        {found.length > mostRows && ` ${countOf(found.length - mostRows, 'more model')}: search by name.`}
      </p>
    </details>
  );
};

/** Where the server's prices come from, with their dates. The first source that has a model gives its price. */
export const PriceSources = () => {
  const prices = useQuery(apiQuery('getPrices'));
  return (
    <Loaded query={prices} lines={1}>
      {({ sources, models }) => (
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
          <PriceRows models={models} />
        </div>
      )}
    </Loaded>
  );
};
