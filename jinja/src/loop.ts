import { TemplateError } from './template-error.ts';
import { boolean, type Callable, integer, isEqual, object, undefinedValue, type Value } from './values.ts';

/** State of `loop` from one turn to the next. */
export type LoopState = { last: readonly Value[] | null; depth: number; recurse: Callable | null };

/** The variable `loop` in the turn `i` over the items. */
export const loopValue = (items: readonly Value[], i: number, state: LoopState): Value =>
  object(
    {
      index: integer(i + 1),
      index0: integer(i),
      revindex: integer(items.length - i),
      revindex0: integer(items.length - i - 1),
      first: boolean(i === 0),
      last: boolean(i === items.length - 1),
      length: integer(items.length),
      depth: integer(state.depth + 1),
      depth0: integer(state.depth),
      previtem: items[i - 1] ?? undefinedValue('loop.previtem'),
      nextitem: items[i + 1] ?? undefinedValue('loop.nextitem'),
      cycle: object({}, (args) => {
        if (args.length === 0) throw new TemplateError('loop.cycle needs values');
        return args[i % args.length]!;
      }),
      changed: object({}, (args) => {
        const { last } = state;
        state.last = args;
        return boolean(
          !last || last.length !== args.length || !last.every((one, at) => isEqual(one, args[at]!)),
        );
      }),
    },
    state.recurse,
  );
