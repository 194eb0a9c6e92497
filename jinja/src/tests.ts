import { holds } from './operators.ts';
import { TemplateError } from './template-error.ts';
import { textOf } from './text.ts';
import { isEqual, numberOf, required, type Value, wrongType } from './values.ts';

type Test = (value: Value, args: readonly Value[], name: string) => boolean;

const alone =
  (holdsFor: (value: Value, name: string) => boolean): Test =>
  (value, args, name) => {
    if (args.length > 0) throw new TemplateError(`the test ${name} takes no argument`);
    return holdsFor(value, name);
  };
const compared =
  (operator: string): Test =>
  (value, args, name) => {
    if (args.length !== 1) throw new TemplateError(`the test ${name} takes one argument`);
    return holds(operator, value, args[0]!);
  };
const is =
  (...kinds: Value['kind'][]): Test =>
  (...given) =>
    alone(({ kind }) => kinds.includes(kind))(...given);

const remainder = (value: Value, by: Value, name: string): bigint | number => {
  const [number, divisor] = [numberOf(required(value)), numberOf(required(by))];
  if (number === undefined) throw wrongType(name, value);
  if (divisor === undefined) throw wrongType(name, by);
  // biome-ignore lint/suspicious/noDoubleEquals: 0n and 0.
  if (divisor == 0) throw new TemplateError('division by zero');
  return typeof number === 'bigint' && typeof divisor === 'bigint'
    ? number % divisor
    : Number(number) % Number(divisor);
};
const two: Value = { kind: 'integer', data: 2n };

const cased = /[\p{Lu}\p{Ll}\p{Lt}]/u;

const isIterable = (value: Value): boolean =>
  ['string', 'list', 'tuple', 'dict'].includes(required(value).kind);
const isSequence = (value: Value): boolean =>
  value.kind !== 'undefined' && isIterable(value) && !(value.kind === 'list' && value.lazy);

const comparisons: Record<string, string> = {
  eq: '==',
  equalto: '==',
  ne: '!=',
  lt: '<',
  lessthan: '<',
  le: '<=',
  gt: '>',
  greaterthan: '>',
  ge: '>=',
  '==': '==',
  '!=': '!=',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
  in: 'in',
};

export const tests: Record<string, Test> = {
  ...Object.fromEntries(Object.entries(comparisons).map(([name, operator]) => [name, compared(operator)])),
  defined: alone(({ kind }) => kind !== 'undefined'),
  undefined: is('undefined'),
  none: is('none'),
  boolean: is('boolean'),
  true: alone((value) => value.kind === 'boolean' && value.data),
  false: alone((value) => value.kind === 'boolean' && !value.data),
  integer: is('integer'),
  float: is('float'),
  number: is('integer', 'float', 'boolean'),
  string: is('string'),
  mapping: is('dict'),
  // Python can call a missing value too, and fails then.
  callable: alone((value) => value.kind === 'undefined' || (value.kind === 'object' && value.call !== null)),
  iterable: alone(isIterable),
  sequence: alone(isSequence),
  escaped: alone((value) => value.kind === 'string' && value.escaped === true),
  // biome-ignore lint/suspicious/noDoubleEquals: 0n and 0.
  even: alone((value, name) => remainder(value, two, name) == 0),
  // biome-ignore lint/suspicious/noDoubleEquals: 1n and 1.
  odd: alone((value, name) => Math.abs(Number(remainder(value, two, name))) == 1),
  divisibleby: (value, args, name) => {
    if (args.length !== 1) throw new TemplateError(`the test ${name} takes one argument`);
    // biome-ignore lint/suspicious/noDoubleEquals: 0n and 0.
    return remainder(value, args[0]!, name) == 0;
  },
  lower: alone((value) => cased.test(textOf(value)) && !/[\p{Lu}\p{Lt}]/u.test(textOf(value))),
  upper: alone((value) => cased.test(textOf(value)) && !/[\p{Ll}\p{Lt}]/u.test(textOf(value))),
  sameas: (value, args, name) => {
    const [other] = args;
    if (args.length !== 1) throw new TemplateError(`the test ${name} takes one argument`);
    const kinds = ['boolean', 'none'];
    if (!kinds.includes(required(value).kind) && !kinds.includes(required(other!).kind)) {
      throw new TemplateError('sameas compares with true, false and none: use == for others');
    }
    return value.kind === other!.kind && isEqual(value, other!);
  },
};
