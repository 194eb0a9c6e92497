// Missing fields of a record. A read of a field that an object of the record lacks is noted, so that a helper that is given
// `undefined` can say which field is missing. Own fields are read as usual: only a read that reaches the prototype is noted.
(() => {
  const { get, setPrototypeOf } = Reflect;
  const { isArray } = Array;
  const { keys } = Object;
  const { stringify } = JSON;
  const { exec } = RegExp.prototype;
  const { call } = Function.prototype;
  const execute = call.bind(exec);
  const join = call.bind(Array.prototype.join);
  const includes = call.bind(Array.prototype.includes);
  const plainKey = /^[A-Za-z_$][\w$]*$/;
  /** Names that the language itself reads on any object. */
  const implicit = ['toJSON', 'then'];
  const mostNotes = 16;

  class MissingField extends Error {}

  let notes = [];
  let roots = {};

  const prototype = new Proxy(
    {},
    {
      get: (target, key, receiver) => {
        if (typeof key === 'string' && !(key in target) && !includes(implicit, key)) {
          if (notes.length >= mostNotes) notes = [notes[mostNotes - 1]];
          notes[notes.length] = { owner: receiver, key };
        }
        return get(target, key, receiver);
      },
    },
  );

  const watch = (value) => {
    if (typeof value !== 'object' || value === null) return;
    for (const key in value) {
      const child = value[key];
      if (typeof child === 'object') watch(child);
    }
    if (!isArray(value)) setPrototypeOf(value, prototype);
  };

  const step = (parent, key) => {
    if (isArray(parent)) return `[${key}]`;
    return execute(plainKey, key) ? `.${key}` : `[${stringify(key)}]`;
  };

  /** The path from a value to an object within it; undefined if it is not there. */
  const pathTo = (owner, value) => {
    if (value === owner) return '';
    if (typeof value !== 'object' || value === null) return undefined;
    const own = keys(value);
    for (let n = 0; n < own.length; n++) {
      const rest = pathTo(owner, value[own[n]]);
      if (rest !== undefined) return step(value, own[n]) + rest;
    }
    return undefined;
  };

  const nameOf = ({ owner, key }) => {
    const path = pathTo(owner, roots);
    return path === undefined ? key : `${path.slice(1)}${step(owner, key)}`;
  };

  /** The names of the fields that were missing in the last reads, each once. */
  const lastMissing = (count) => {
    const names = [];
    for (let n = notes.length > count ? notes.length - count : 0; n < notes.length; n++) {
      const name = nameOf(notes[n]);
      if (!includes(names, name)) names[names.length] = name;
    }
    return names;
  };

  const missing = (...names) => {
    throw new MissingField(join(names, ', '));
  };

  globalThis.fields = {
    MissingField,
    missing,
    lastMissing,
    /** Throws `MissingField` if a helper was given `undefined`. */
    need: (helper, ...values) => {
      let count = 0;
      for (let n = 0; n < values.length; n++) if (values[n] === undefined) count++;
      if (count === 0) return;
      const names = lastMissing(count);
      missing(...(names.length > 0 ? names : [`an argument of ${helper}`]));
    },
    /** Begins a record. */
    watch: (inputs, outputs, expected) => {
      notes = [];
      roots = { inputs, outputs, expected };
      watch(inputs);
      watch(outputs);
      watch(expected);
    },
  };
})();
