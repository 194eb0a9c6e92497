import { TemplateError } from './template-error.ts';
import { isTrue, numberOf, required, type Value, wrongType } from './values.ts';

/** What a filter, a test or a method is given besides its operand. */
export type Given = { args: readonly Value[]; kwargs: ReadonlyMap<string, Value> };

export const nothingGiven: Given = { args: [], kwargs: new Map() };

/** The arguments by the names of the parameters. Throws for one too many and for one that has no parameter. */
export const bound = (
  what: string,
  { args, kwargs }: Given,
  names: readonly string[],
): (Value | undefined)[] => {
  if (args.length > names.length) throw new TemplateError(`${what} takes at most ${names.length} arguments`);
  for (const name of kwargs.keys()) {
    const at = names.indexOf(name);
    if (at < 0) throw new TemplateError(`${what} has no argument ${name}`);
    if (at < args.length) throw new TemplateError(`${what} has two values for ${name}`);
  }
  return names.map((name, i) => args[i] ?? kwargs.get(name));
};

export const flag = (value: Value | undefined, otherwise = false): boolean =>
  value === undefined ? otherwise : isTrue(value);

/** A whole number of an argument. */
export const count = (what: string, value: Value | undefined, otherwise: number): number => {
  if (value === undefined) return otherwise;
  const number = numberOf(required(value));
  if (typeof number !== 'bigint') throw wrongType(what, value);
  return Number(number);
};

export const textArgument = (what: string, value: Value | undefined, otherwise = ''): string => {
  if (value === undefined) return otherwise;
  if (required(value).kind !== 'string') throw wrongType(what, value);
  return (value as { data: string }).data;
};

export const isGiven = (value: Value | undefined): value is Value =>
  value !== undefined && value.kind !== 'none';
