import { parse } from 'yaml';
import type { JsonObject } from '../../../client/src/main.ts';
import { type Entry, kinds, runs, systems } from '../apply/kinds.ts';
import { type Command, projectOption } from '../command.ts';
import { CliError, exit } from '../errors.ts';
import { nearest } from '../near.ts';
import { resourcesOf } from './apply.ts';

const makeable = [...kinds, systems, runs];
const known = ['project', ...makeable.map(({ singular }) => singular)];

/** Reads `field=value`, the value as YAML writes it: true, 0.9, [a, b], {a: b} or a text. Code has colons too, so an object needs its braces. */
const fieldIn = (text: string): [string, unknown] => {
  const [, field, value] = /^(\w+)=(.*)$/s.exec(text) ?? [];
  if (field === undefined) throw new CliError(`'${text}' is not FIELD=VALUE.`, 'Example: outputType=boolean');
  try {
    const read: unknown = parse(value!);
    const isText = typeof read === 'object' && read !== null && !/^\s*[[{]/.test(value!);
    return [field, isText ? value : read];
  } catch (error) {
    throw new CliError(`${field} cannot be read: ${(error as Error).message}`);
  }
};

export const newCommand: Command = {
  name: 'new',
  takes: 'KIND NAME [FIELD=VALUE…]',
  summary: 'Create a project, testset, metric, monitor, schedule, alert, system or run, and print its id.',
  about: `The fields are those of dokima apply: where the API has ids of metrics, testsets and systems, write names. A value is YAML: true, 0.9, [a, b], {a: b} or a text.
KIND is ${known.join(', ')}.`,
  options: projectOption,
  examples: [
    'dokima new project Capitals',
    "dokima new metric 'Right city' evalType=human outputType=boolean",
    "dokima new testset Countries 'fieldMapping={inputs: [country], expected: [city], metadata: []}'",
    "dokima new system Bot 'config={modelName: openai/gpt-5-mini}'",
    "dokima new run 'Nightly, v7' testset=Countries 'metrics=[Right city]'",
    "dokima new monitor Live 'metrics=[Right city]' samplingRate=0.1",
  ],
  run: async ({ out, client: open }, args, values) => {
    const [word = '', name, ...texts] = args;
    const kind = makeable.find(({ singular }) => singular === word);
    if (!known.includes(word)) {
      const meant = nearest(word, known);
      throw new CliError(
        `There is no kind '${word}'.${meant ? ` Did you mean '${meant}'?` : ''}`,
        `Choose one of: ${known.join(', ')}`,
      );
    }
    if (!name) throw new CliError('The name is missing.', 'See dokima new --help');
    const fields: JsonObject = Object.fromEntries(texts.map(fieldIn));
    const client = await open();
    if (!kind) {
      const made = await client.createProject({ description: '', ...fields, name });
      out.result(made.id, { kind: word, id: made.id, name });
      return exit.pass;
    }
    const projectId = values.required('project');
    const ids = await resourcesOf(client, projectId);
    // Two runs may have one title.
    if (kind !== runs && ids.all(word).some((one) => one.name === name))
      throw new CliError(
        `There is a ${word} named '${name}' already.`,
        kind === systems ? 'Take another name.' : 'Change it with dokima apply, or take another name.',
      );
    const entry: Entry = { ...fields, name };
    const id = await kind.create(client, projectId, entry, ids);
    out.result(id, { kind: word, id, name });
    return exit.pass;
  },
};
