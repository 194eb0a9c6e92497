import type { Given } from './call-arguments.ts';
import { applyFilter, applyTest } from './filters.ts';
import { openGlobals } from './globals.ts';
import {
  type Arguments,
  type Expression,
  type Node,
  nameOf,
  nodesBelow,
  type Parameter,
  type Statement,
} from './jinja.ts';
import { type LoopState, loopValue } from './loop.ts';
import { item, member, methodOf } from './members.ts';
import { binary, holds, signed, sliced } from './operators.ts';
import { Scope } from './scope.ts';
import { TemplateError } from './template-error.ts';
import { textOf } from './text.ts';
import {
  boolean,
  type Callable,
  dict,
  distrust,
  float,
  integer,
  isTrue,
  itemsOf,
  list,
  none,
  object,
  required,
  string,
  tuple,
  undefinedValue,
  type Value,
} from './values.ts';

/** Reached before the stack overflows. */
const maxDepth = 1500;

type Of<Type extends Node['type']> = Extract<Node, { type: Type }>;

const namesIn = (nodes: readonly Node[]): Set<string> => {
  const found = new Set<string>();
  const visit = (node: Node): void => {
    if (node.type === 'name') found.add(node.name);
    nodesBelow(node).forEach(visit);
  };
  nodes.forEach(visit);
  return found;
};

/**
 * Renders a program as Jinja does, with two additions. A missing value is an error that names it, except in a test. Text that derives
 * from the record, through any filter, macro or variable, comes out between marks that the record cannot contain.
 */
export class Interpreter {
  readonly globals = new Scope(null);
  readonly #marks: { open: string; close: string };
  /** Whether the expression that is being evaluated has used a value of the record. */
  #touched = false;
  /** Inside a macro or a block whose text becomes a value: it is marked where that is printed. */
  #captures = 0;
  #depth = 0;
  /** The text of the block that `{% filter %}` and `{% set x | … %}` change. */
  #blockText: Value = string('');
  #leaving: 'break' | 'continue' | null = null;

  constructor(marks: { open: string; close: string }) {
    this.#marks = marks;
    for (const [name, value] of Object.entries(openGlobals())) this.globals.set(name, value);
  }

  render(program: readonly Statement[]): string {
    return this.#run(program, new Scope(this.globals));
  }

  #run(body: readonly Statement[], scope: Scope): string {
    let text = '';
    for (const statement of body) {
      text += this.#statement(statement, scope);
      if (this.#leaving) break;
    }
    return text;
  }

  #statement(node: Statement, scope: Scope): string {
    switch (node.type) {
      case 'text':
        return node.text;
      case 'print':
        return this.#printed(() => this.evaluate(node.value, scope));
      case 'if': {
        const branch = node.branches.find(({ test }) => isTrue(this.evaluate(test, scope)));
        return this.#run(branch?.body ?? node.otherwise, scope);
      }
      case 'for':
        return this.#for(node, this.evaluate(node.iterable, scope), scope, 0);
      case 'set':
        scope.assign(node.target, this.evaluate(node.value, scope));
        return '';
      case 'set block': {
        const text = this.#captured(node.body, new Scope(scope));
        scope.assign(node.target, node.filter ? this.#filtered(node.filter, text, scope) : text);
        return '';
      }
      case 'with': {
        const inner = new Scope(scope);
        for (const [target, value] of node.bindings) inner.assign(target, this.evaluate(value, scope));
        return this.#run(node.body, inner);
      }
      case 'macro':
        scope.set(node.name, object({}, this.#macro(`the macro ${node.name}`, node, scope)));
        return '';
      case 'call block': {
        const caller = object({}, this.#macro('caller', node, scope));
        return this.#printed(() => this.evaluate(node.call, scope, caller));
      }
      case 'filter block':
        return this.#printed(() =>
          this.#filtered(node.filter, this.#captured(node.body, new Scope(scope)), scope),
        );
      case 'break':
      case 'continue':
        this.#leaving = node.type;
        return '';
    }
  }

  #for(node: Of<'for'>, iterable: Value, scope: Scope, depth: number): string {
    const scopeFor = (value: Value): Scope => {
      const inner = new Scope(scope);
      inner.assign(node.target, value);
      return inner;
    };
    const { test } = node;
    const items = itemsOf(iterable).filter((value) => !test || isTrue(this.evaluate(test, scopeFor(value))));
    const recurse: Callable = ([inner]) => {
      if (!inner) throw new TemplateError('loop() needs a list');
      if (++this.#depth > maxDepth) throw new TemplateError('a loop calls itself without end');
      this.#captures++;
      const text = this.#for(node, inner, scope, depth + 1);
      this.#captures--;
      this.#depth--;
      return string(text);
    };
    const state: LoopState = { last: null, depth, recurse: node.recursive ? recurse : null };
    let text = '';
    // As in Jinja, `else` also runs if each turn was left early.
    let isDone = false;
    for (const [i, value] of items.entries()) {
      const inner = scopeFor(value);
      inner.set('loop', loopValue(items, i, state));
      text += this.#run(node.body, inner);
      const left = this.#leaving;
      this.#leaving = null;
      if (left === 'break') break;
      if (!left) isDone = true;
    }
    if (!isDone) text += this.#run(node.otherwise, new Scope(scope));
    return text;
  }

  /** The text that is printed, between marks if it is the record's. */
  #printed(evaluate: () => Value): string {
    const outer = this.#touched;
    this.#touched = false;
    const value = evaluate();
    if (value.untrusted) this.#touched = true;
    const isNothing = value.kind === 'undefined' && value.name === null;
    const text = isNothing ? '' : textOf(value);
    const isMarked = this.#touched && this.#captures === 0;
    this.#touched ||= outer;
    return isMarked ? this.#marks.open + text + this.#marks.close : text;
  }

  /** The text of a block, as a value. */
  #captured(body: readonly Statement[], scope: Scope): Value {
    const outer = this.#touched;
    this.#touched = false;
    this.#captures++;
    const value = string(this.#run(body, scope));
    this.#captures--;
    if (this.#touched) distrust(value);
    this.#touched ||= outer;
    return value;
  }

  #filtered(filter: Expression, text: Value, scope: Scope): Value {
    const outer = this.#blockText;
    this.#blockText = text;
    const value = this.evaluate(filter, scope);
    this.#blockText = outer;
    return value;
  }

  #macro(
    what: string,
    { parameters, body }: { parameters: readonly Parameter[]; body: readonly Statement[] },
    scope: Scope,
  ): Callable {
    const named = namesIn(body);
    return (args, kwargs) => {
      const inner = new Scope(scope);
      const rest = new Map(kwargs);
      const caller = rest.get('caller');
      if (caller && !parameters.some(({ name }) => name === 'caller')) {
        rest.delete('caller');
        if (!named.has('caller')) throw new TemplateError(`${what} does not use its caller`);
      }
      inner.set('caller', caller ?? undefinedValue('caller'));
      for (const [i, { name, otherwise }] of parameters.entries()) {
        if (args[i] && rest.has(name)) throw new TemplateError(`${what} has two values for ${name}`);
        const given = args[i] ?? rest.get(name);
        rest.delete(name);
        inner.set(name, given ?? (otherwise ? this.evaluate(otherwise, inner) : undefinedValue(name)));
      }
      if (named.has('varargs')) inner.set('varargs', tuple(...args.slice(parameters.length)));
      else if (args.length > parameters.length) {
        throw new TemplateError(`${what} takes at most ${parameters.length} arguments`);
      }
      if (named.has('kwargs'))
        inner.set('kwargs', dict([...rest].map(([name, value]) => [string(name), value])));
      else if (rest.size > 0) throw new TemplateError(`${what} has no argument ${[...rest.keys()][0]}`);
      return this.#captured(body, inner);
    };
  }

  /** Evaluates an expression. Values that derive from the record count as the record's too. */
  evaluate(node: Expression, scope: Scope, caller?: Value): Value {
    const outer = this.#touched;
    this.#touched = false;
    if (++this.#depth > maxDepth) throw new TemplateError('a macro calls itself without end');
    const value = this.#value(node, scope, caller);
    if (value.untrusted) this.#touched = true;
    if (this.#touched) distrust(value);
    this.#touched ||= outer;
    this.#depth--;
    return value;
  }

  #value(node: Expression, scope: Scope, caller?: Value): Value {
    const evaluate = (child: Expression) => this.evaluate(child, scope);
    switch (node.type) {
      case 'string':
        return string(node.value);
      case 'integer':
        return integer(node.value);
      case 'float':
        return float(node.value);
      case 'constant':
        return node.value === null ? none() : boolean(node.value);
      case 'name':
        return scope.get(node.name) ?? undefinedValue(node.name);
      case 'list':
        return list(node.items.map(evaluate));
      case 'tuple':
        return tuple(...node.items.map(evaluate));
      case 'dict':
        return dict(node.pairs.map(([key, value]) => [evaluate(key), evaluate(value)]));
      case 'member':
        return member(evaluate(node.object), node.name, nameOf(node));
      case 'item':
        return item(evaluate(node.object), evaluate(node.key), nameOf(node));
      case 'slice':
        return sliced(
          evaluate(node.object),
          node.bounds.map((bound) => (bound ? evaluate(bound) : undefined)),
        );
      case 'call':
        return this.#call(node, scope, caller);
      case 'filter': {
        const operand = node.operand ? evaluate(node.operand) : this.#blockText;
        if (operand.untrusted) this.#touched = true;
        const found = applyFilter(node.name, operand, this.#given(node, scope));
        return named(found, node);
      }
      case 'test': {
        const operand = evaluate(node.operand);
        return boolean(applyTest(node.name, operand, this.#given(node, scope).args));
      }
      case 'unary':
        if (node.operator === 'not') return boolean(!isTrue(evaluate(node.operand)));
        return signed(node.operator, evaluate(node.operand));
      case 'binary':
        return binary(node.operator, evaluate(node.left), evaluate(node.right));
      case 'concat':
        return string(node.items.map((child) => textOf(evaluate(child))).join(''));
      case 'compare': {
        let left = evaluate(node.first);
        for (const [operator, next] of node.rest) {
          const right = evaluate(next);
          if (!holds(operator, left, right)) return boolean(false);
          left = right;
        }
        return boolean(true);
      }
      case 'and': {
        const left = evaluate(node.left);
        return isTrue(left) ? evaluate(node.right) : left;
      }
      case 'or': {
        const left = evaluate(node.left);
        return isTrue(left) ? left : evaluate(node.right);
      }
      case 'condition':
        if (isTrue(evaluate(node.test))) return evaluate(node.then);
        return node.otherwise ? evaluate(node.otherwise) : undefinedValue(null);
    }
  }

  #given({ args, kwargs }: Arguments, scope: Scope): Given {
    return {
      args: args.map((arg) => this.evaluate(arg, scope)),
      kwargs: new Map(kwargs.map(([name, value]) => [name, this.evaluate(value, scope)])),
    };
  }

  #call(node: Of<'call'>, scope: Scope, caller: Value | undefined): Value {
    const { callee } = node;
    const owner = callee.type === 'member' ? required(this.evaluate(callee.object, scope)) : undefined;
    const method = callee.type === 'member' ? methodOf(owner!, callee.name) : undefined;
    const given = this.#given(node, scope);
    if (method) return method(given);
    const found =
      callee.type === 'member' ? member(owner!, callee.name, nameOf(callee)) : this.evaluate(callee, scope);
    const called = required(found);
    if (called.kind !== 'object' || !called.call)
      throw new TemplateError(`${nameOf(callee)} cannot be called`);
    const kwargs = new Map(given.kwargs);
    if (caller) kwargs.set('caller', caller);
    return called.call([...given.args], kwargs);
  }
}

/** A missing value that a filter found is called as the template writes it. */
const named = (value: Value, node: Of<'filter'>): Value => {
  if (value.kind === 'undefined' && value.name === '') return undefinedValue(nameOf(node));
  if (value.kind === 'list' && node.name === 'map') {
    for (const one of value.data) if (one.kind === 'undefined') one.name = nameOf(node);
  }
  return value;
};
