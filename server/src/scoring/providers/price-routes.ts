import { type Static, Type } from 'typebox';
import type { App } from '../../platform/http/http.ts';
import { answerRoute, ownOrganization } from '../../platform/http/resource-routes.ts';
import { named, ref } from '../../platform/named-schema.ts';
import { oneOf } from '../../platform/one-of.ts';
import type { PriceLists } from './price-lists.ts';
import { Price } from './schema.ts';

const nullableText = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const source = oneOf(['file', 'url', 'shipped'], {
  description:
    "file: the operator's file (DOKIMA_PRICES_FILE). url: a list that is read each day (DOKIMA_PRICES_URL). shipped: the table of this version.",
});
const SourcedPrice = Type.Object(
  {
    ...Price.properties,
    changes: Type.Optional(
      Type.Array(
        Type.Object({
          from: Type.String({ description: 'First day of the price, as YYYY-MM-DD (UTC).' }),
          ...Price.properties,
        }),
        { description: 'Prices that hold from a day on in place of these, earliest first.' },
      ),
    ),
    source,
    date: nullableText(
      'Day on which the price was read, as YYYY-MM-DD: the one that the list has for the price, else that of the list.',
    ),
    reference: nullableText('Page that the list names for the price; null if it names none.'),
  },
  { description: 'A price in US dollars per million tokens, with its source.' },
);

export const PriceTable = named(
  'PriceTable',
  Type.Object(
    {
      sources: Type.Array(
        Type.Object({
          source,
          address: nullableText('URL of the list, without a query; null for the others.'),
          date: nullableText('Day of the prices, as YYYY-MM-DD; null before the first list was read.'),
          numModels: Type.Integer({ description: 'Number of models with a price.' }),
          readAt: nullableText('When the list in use was read; null for what is not read from a URL.'),
          error: nullableText('Why the newest list was not used; null if it was.'),
          refused: Type.Array(
            Type.Object({
              modelName: Type.String({ description: 'Kind of provider and model.' }),
              reason: Type.String({ description: 'Why its new price is not used.' }),
            }),
            {
              description: 'Models of the list whose new price is not used. Their price before stays in use.',
            },
          ),
        }),
        { description: 'Sources of the prices, the one that comes first at the top.' },
      ),
      models: Type.Record(Type.String(), SourcedPrice, {
        description:
          'Prices in use, by kind of provider and model, such as `openai/gpt-4o`, each with its source and day.',
      }),
    },
    {
      description:
        'Prices of models for all organizations, in US dollars per million tokens. The prices of a provider come before them.',
    },
  ),
);

export const priceRoutes = (app: App, { prices }: { prices: PriceLists }): void => {
  answerRoute(app, 'GET', '/prices', {
    operationId: 'getPrices',
    summary: 'Read the price table of the server, with its sources and their dates.',
    tags: ['Providers'],
    of: ownOrganization,
    response: ref(PriceTable),
    answer: async () => {
      const body: Static<typeof PriceTable.schema> = {
        sources: prices.sources(),
        models: prices.priced(),
      };
      return JSON.stringify(body);
    },
  });
};
