import { bound, type Given, textArgument } from './call-arguments.ts';
import { TemplateError } from './template-error.ts';
import {
  dict,
  entriesOf,
  integer,
  itemsOf,
  list,
  numberOf,
  type Of,
  object,
  required,
  string,
  type Value,
  wrongType,
} from './values.ts';

/** As in Python's sandboxed Jinja: more is a mistake or an attack. */
const maxRange = 100_000;

type Function = (given: Given) => Value;
export const callable = (call: Function): Value => object({}, (args, kwargs) => call({ args, kwargs }));

const range: Function = (given) => {
  const bounds = bound('range', given, ['start', 'stop', 'step']).flatMap((value) => {
    if (value === undefined) return [];
    const number = numberOf(required(value));
    if (typeof number !== 'bigint') throw wrongType('range', value);
    return [number];
  });
  const [start = 0n, stop = 0n, step = 1n] = bounds.length === 1 ? [0n, ...bounds] : bounds;
  if (step === 0n) throw new TemplateError('the step of range() must not be 0');
  const span = step > 0n ? stop - start : start - stop;
  const size = step > 0n ? step : -step;
  const length = span > 0n ? (span + size - 1n) / size : 0n;
  if (length > maxRange) throw new TemplateError(`range() gives at most ${maxRange} numbers`);
  return list(Array.from({ length: Number(length) }, (_, i) => integer(start + BigInt(i) * step)));
};

const pairsOf = (what: string, { args, kwargs }: Given): [Value, Value][] => {
  if (args.length > 1) throw new TemplateError(`${what} takes at most 1 argument without a name`);
  const [from] = args;
  const given: [Value, Value][] =
    from === undefined
      ? []
      : from.kind === 'dict'
        ? entriesOf(from)
        : itemsOf(from).map((pair) => {
            const [key, value, ...more] = itemsOf(pair);
            if (!key || !value || more.length > 0) throw new TemplateError(`${what} takes pairs`);
            return [key, value];
          });
  return [...given, ...[...kwargs].map(([name, value]): [Value, Value] => [string(name), value])];
};

const namespace: Function = (given) => ({
  kind: 'namespace',
  data: new Map(pairsOf('namespace', given).map(([key, value]) => [textArgument('namespace', key), value])),
});

const cycler: Function = ({ args }) => {
  if (args.length === 0) throw new TemplateError('cycler needs values');
  let at = 0;
  const members: Record<string, Value> = {
    next: callable(() => {
      const value = args[at]!;
      at = (at + 1) % args.length;
      members.current = args[at]!;
      return value;
    }),
    reset: callable(() => {
      at = 0;
      members.current = args[0]!;
      return { kind: 'none' };
    }),
    current: args[0]!,
  };
  return object(members);
};

const joiner: Function = (given) => {
  const [separator] = bound('joiner', given, ['sep']);
  let isUsed = false;
  return callable(() => {
    const text = isUsed ? textArgument('joiner', separator, ', ') : '';
    isUsed = true;
    return string(text);
  });
};

/** The functions that every template knows. Some have a state, so each rendering takes its own. */
export const openGlobals = (): Record<string, Value> => ({
  range: callable(range),
  dict: callable((given): Of<'dict'> => dict(pairsOf('dict', given))),
  namespace: callable(namespace),
  cycler: callable(cycler),
  joiner: callable(joiner),
});
export const globalNames = Object.keys(openGlobals());
