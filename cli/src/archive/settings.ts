import type { Client } from '../../../client/src/main.ts';
import { type JsonText, membersOf, objectText } from '../json-text.ts';
import { parsed } from './format.ts';

/** Settings that have a path of their own beneath what they are of, and the fields of each that can be set. */
const settings = {
  projects: { 'trace-settings': ['retentionDays'] },
  testsets: { grouping: ['field'] },
  /** Of versions 1 and 2; since 3 they come with the metric. */
  metrics: { 'judge-settings': ['judgeRepeats'], 'review-settings': ['reviewers', 'rule'] },
  runs: { 'judge-budget': ['budgetUsd'] },
} as const;

type Noun = keyof typeof settings;

const pathOf = (noun: Noun, id: string, name: string): string => `/api/v2/${noun}/${id}/${name}`;

const settableText = (answer: JsonText, fields: readonly string[]): JsonText => {
  const members = membersOf(answer);
  return objectText(Object.fromEntries(fields.map((field) => [field, members.get(field)])));
};

/** The settings of one thing, a line each: of what they are, and what the API says of them. */
export const settingsOf = (client: Client, noun: Noun, id: string): Promise<JsonText[]> =>
  Promise.all(
    Object.keys(settings[noun]).map(async (name) => {
      const value = await client.send({ method: 'GET', path: pathOf(noun, id, name) });
      const of = { noun, id, name };
      return objectText({
        ...Object.fromEntries(Object.entries(of).map(([key, text]) => [key, JSON.stringify(text)])),
        value,
      });
    }),
  );

/** Gives what was made of an archive's thing the settings that this had, where it does not have them by itself. */
export const restoreSettings = async (
  client: Client,
  lines: ReadonlyMap<string, JsonText>[],
  noun: Noun,
  ids: { before: string; after: string },
): Promise<void> => {
  for (const [name, fields] of Object.entries(settings[noun])) {
    const line = lines.find(
      (one) =>
        parsed(one, 'noun') === noun && parsed(one, 'id') === ids.before && parsed(one, 'name') === name,
    );
    if (!line) continue;
    const path = pathOf(noun, ids.after, name);
    const rawBody = settableText(line.get('value')!, fields);
    if (settableText(await client.send({ method: 'GET', path }), fields) !== rawBody)
      await client.send({ method: 'PUT', path, rawBody });
  }
};
