/** The part of URL that @cfworker/json-schema needs for references within one schema: QuickJS has none. */
export class URL {
  #page;
  #hash = '';

  constructor(reference, base = '') {
    const [page, ...fragment] = reference.split('#');
    this.#page = page || base.split('#')[0];
    this.hash = fragment.join('#');
  }

  get hash() {
    return this.#hash;
  }

  set hash(fragment) {
    this.#hash = fragment === '' ? '' : `#${fragment}`;
  }

  get href() {
    return this.#page + this.#hash;
  }
}
