import type { Target } from './jinja.ts';
import { TemplateError } from './template-error.ts';
import { itemsOf, type Value } from './values.ts';

/** The variables of a block, over those of the blocks around it. */
export class Scope {
  readonly #values = new Map<string, Value>();
  readonly #outer: Scope | null;

  constructor(outer: Scope | null) {
    this.#outer = outer;
  }
  get(name: string): Value | undefined {
    return this.#values.get(name) ?? this.#outer?.get(name);
  }
  set(name: string, value: Value): void {
    this.#values.set(name, value);
  }
  /** Gives the target's names their values. */
  assign(target: Target, value: Value): void {
    if (target.type === 'target') {
      this.set(target.name, value);
    } else if (target.type === 'attribute target') {
      const holder = this.get(target.object);
      if (holder?.kind !== 'namespace') {
        throw new TemplateError(`${target.object} is not a namespace: its ${target.name} cannot be set`);
      }
      holder.data.set(target.name, value);
    } else {
      const items = itemsOf(value, 'an assignment to several names');
      if (items.length !== target.items.length) {
        throw new TemplateError(`${target.items.length} names cannot take ${items.length} values`);
      }
      for (const [i, item] of items.entries()) this.assign(target.items[i]!, item);
    }
  }
}
