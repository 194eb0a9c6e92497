// conforms(value, schema): what of JSON Schema it knows is listed in docs/code-metrics.md; python/json_schema.py is its twin.
(() => {
  const { hasOwn, keys } = Object;
  const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
  const unsupported = ['$dynamicRef', '$recursiveRef', 'unevaluatedItems', 'unevaluatedProperties'];
  const types = {
    null: (value) => value === null,
    boolean: (value) => typeof value === 'boolean',
    integer: (value) => Number.isInteger(value),
    number: (value) => typeof value === 'number',
    string: (value) => typeof value === 'string',
    array: Array.isArray,
    object: isObject,
  };
  const listOf = (value) => (Array.isArray(value) ? value : [value]);
  const lengthOf = (text) => [...text].length;

  const resolve = (root, reference) => {
    if (!/^#(\/|$)/.test(reference)) throw new RangeError(`conforms can not follow the $ref ${reference}`);
    let target = root;
    for (const part of decodeURIComponent(reference).split('/').slice(1)) {
      const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
      if (target === null || typeof target !== 'object' || !hasOwn(target, key)) {
        throw new RangeError(`conforms can not follow the $ref ${reference}`);
      }
      target = target[key];
    }
    return target;
  };

  const validator = (root) => {
    const fits = (value, schema) => {
      if (typeof schema === 'boolean') return schema;
      if (!isObject(schema)) throw new TypeError('a schema must be an object or a boolean');
      const unknown = unsupported.find((keyword) => hasOwn(schema, keyword));
      if (unknown) throw new RangeError(`conforms does not know ${unknown}`);
      return rules.every(
        ([keyword, rule]) => !hasOwn(schema, keyword) || rule(value, schema[keyword], schema),
      );
    };
    const onNumber = (rule) => (value, limit) => typeof value !== 'number' || rule(value, limit);
    const onText = (rule) => (value, limit) => typeof value !== 'string' || rule(value, limit);
    const onList = (rule) => (value, limit, schema) => !Array.isArray(value) || rule(value, limit, schema);
    const onObject = (rule) => (value, limit, schema) => !isObject(value) || rule(value, limit, schema);
    const rules = [
      [
        'type',
        (value, names) =>
          listOf(names).some((name) => {
            if (!hasOwn(types, name)) throw new RangeError(`conforms does not know the type ${name}`);
            return types[name](value);
          }),
      ],
      ['enum', (value, options) => options.some((option) => exact(value, option))],
      ['const', (value, only) => exact(value, only)],
      ['multipleOf', onNumber((value, step) => Number.isInteger(value / step))],
      ['maximum', onNumber((value, limit) => value <= limit)],
      ['minimum', onNumber((value, limit) => value >= limit)],
      ['exclusiveMaximum', onNumber((value, limit) => value < limit)],
      ['exclusiveMinimum', onNumber((value, limit) => value > limit)],
      ['maxLength', onText((value, limit) => lengthOf(value) <= limit)],
      ['minLength', onText((value, limit) => lengthOf(value) >= limit)],
      ['pattern', onText((value, pattern) => new RegExp(pattern, 'u').test(value))],
      ['maxItems', onList((value, limit) => value.length <= limit)],
      ['minItems', onList((value, limit) => value.length >= limit)],
      [
        'uniqueItems',
        onList(
          (value, unique) =>
            !unique || value.every((one, n) => value.slice(0, n).every((other) => !exact(one, other))),
        ),
      ],
      [
        'prefixItems',
        onList((value, schemas) =>
          schemas.slice(0, value.length).every((schema, n) => fits(value[n], schema)),
        ),
      ],
      [
        'items',
        onList((value, items, { prefixItems = [] }) =>
          Array.isArray(items)
            ? items.slice(0, value.length).every((schema, n) => fits(value[n], schema))
            : value.slice(prefixItems.length).every((item) => fits(item, items)),
        ),
      ],
      [
        'additionalItems',
        onList(
          (value, rest, { items }) =>
            !Array.isArray(items) || value.slice(items.length).every((item) => fits(item, rest)),
        ),
      ],
      [
        'contains',
        onList((value, schema, { minContains = 1, maxContains = value.length }) => {
          const found = value.filter((item) => fits(item, schema)).length;
          return found >= minContains && found <= maxContains;
        }),
      ],
      ['maxProperties', onObject((value, limit) => keys(value).length <= limit)],
      ['minProperties', onObject((value, limit) => keys(value).length >= limit)],
      ['required', onObject((value, names) => names.every((name) => hasOwn(value, name)))],
      [
        'properties',
        onObject((value, schemas) =>
          keys(schemas).every((name) => !hasOwn(value, name) || fits(value[name], schemas[name])),
        ),
      ],
      [
        'patternProperties',
        onObject((value, schemas) =>
          keys(schemas).every((pattern) => {
            const test = new RegExp(pattern, 'u');
            return keys(value).every((name) => !test.test(name) || fits(value[name], schemas[pattern]));
          }),
        ),
      ],
      [
        'additionalProperties',
        onObject((value, rest, { properties = {}, patternProperties = {} }) => {
          const patterns = keys(patternProperties).map((pattern) => new RegExp(pattern, 'u'));
          return keys(value).every(
            (name) =>
              hasOwn(properties, name) ||
              patterns.some((pattern) => pattern.test(name)) ||
              fits(value[name], rest),
          );
        }),
      ],
      ['propertyNames', onObject((value, schema) => keys(value).every((name) => fits(name, schema)))],
      [
        'dependentRequired',
        onObject((value, needs) =>
          keys(needs).every(
            (name) => !hasOwn(value, name) || needs[name].every((other) => hasOwn(value, other)),
          ),
        ),
      ],
      [
        'dependentSchemas',
        onObject((value, schemas) =>
          keys(schemas).every((name) => !hasOwn(value, name) || fits(value, schemas[name])),
        ),
      ],
      [
        'dependencies',
        onObject((value, needs) =>
          keys(needs).every((name) => {
            if (!hasOwn(value, name)) return true;
            const need = needs[name];
            return Array.isArray(need) ? need.every((other) => hasOwn(value, other)) : fits(value, need);
          }),
        ),
      ],
      ['allOf', (value, schemas) => schemas.every((schema) => fits(value, schema))],
      ['anyOf', (value, schemas) => schemas.some((schema) => fits(value, schema))],
      ['oneOf', (value, schemas) => schemas.filter((schema) => fits(value, schema)).length === 1],
      ['not', (value, schema) => !fits(value, schema)],
      [
        'if',
        (value, condition, { then: yes = true, else: no = true }) =>
          fits(value, fits(value, condition) ? yes : no),
      ],
      ['$ref', (value, reference) => fits(value, resolve(root, reference))],
    ];
    return fits;
  };

  globalThis.conforms = (value, schema) => validator(schema)(value, schema);
})();
