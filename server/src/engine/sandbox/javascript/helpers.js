// The helpers that metrics find as globals; docs/code-metrics.md documents them. python/helpers.py has the same helpers with the same
// results to the last digit: helpers.test.ts compares both with one table.
(() => {
  const { missing, need } = globalThis.fields;
  const space = '\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
  const spaces = new RegExp(`[${space}]+`, 'u');
  const splitOnSpace = (text) => text.split(spaces).filter((part) => part !== '');
  const punctuation = /[!-/:-@[-`{-~]/g;
  const words = (text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

  const text = (value, name) => {
    need(name, value);
    if (typeof value !== 'string') throw new TypeError(`${name} needs strings`);
    return value;
  };

  const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

  const same = (a, b) => {
    if (a === b) return true;
    if (Array.isArray(a) && Array.isArray(b))
      return a.length === b.length && a.every((item, n) => same(item, b[n]));
    if (!isObject(a) || !isObject(b)) return false;
    const keys = Object.keys(a);
    return (
      keys.length === Object.keys(b).length &&
      keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]))
    );
  };

  /** Equal as JSON values: the order of keys does not matter, true is not 1. */
  const exact = (a, b) => {
    need('exact', a, b);
    return same(a, b);
  };

  /** As the SQuAD evaluation script does: lower case, no ASCII punctuation, no articles, single spaces. */
  const normalize = (value) =>
    splitOnSpace(
      text(value, 'normalize')
        .toLowerCase()
        .replace(punctuation, '')
        .replace(/(?<![\p{L}\p{N}_])(?:a|an|the)(?![\p{L}\p{N}_])/gu, ' '),
    ).join(' ');

  const normalized = (a, b) => {
    need('normalized', a, b);
    return normalize(a) === normalize(b);
  };

  const contains = (whole, part) => {
    need('contains', whole, part);
    return text(whole, 'contains').includes(text(part, 'contains'));
  };

  const matches = (value, pattern, flags = '') => {
    need('matches', value, pattern);
    if (!/^[ims]*$/.test(flags)) throw new RangeError('matches knows the flags i, m and s');
    return new RegExp(pattern, `u${flags}`).test(text(value, 'matches'));
  };

  const isjson = (value) => {
    need('isjson', value);
    if (typeof value !== 'string') return false;
    try {
      JSON.parse(value);
      return true;
    } catch {
      return false;
    }
  };

  const close = (a, b, relative = 1e-9, absolute = 0) => {
    need('close', a, b);
    if (!Number.isFinite(a) || !Number.isFinite(b)) return false;
    return Math.abs(a - b) <= Math.max(relative * Math.max(Math.abs(a), Math.abs(b)), absolute);
  };

  const levenshtein = (a, b) => {
    need('levenshtein', a, b);
    const from = [...text(a, 'levenshtein')];
    const to = [...text(b, 'levenshtein')];
    let row = to.map((_, n) => n + 1);
    row.unshift(0);
    for (let i = 0; i < from.length; i++) {
      const next = [i + 1];
      for (let j = 0; j < to.length; j++) {
        const replaced = row[j] + (from[i] === to[j] ? 0 : 1);
        next.push(Math.min(replaced, row[j + 1] + 1, next[j] + 1));
      }
      row = next;
    }
    return row[to.length];
  };

  const similarity = (a, b) => {
    need('similarity', a, b);
    const longest = Math.max([...text(a, 'similarity')].length, [...text(b, 'similarity')].length);
    return longest === 0 ? 1 : 1 - levenshtein(a, b) / longest;
  };

  const count = (items) => {
    const counts = new Map();
    for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
    return counts;
  };

  const common = (a, b) => {
    let sum = 0;
    for (const [item, n] of a) sum += Math.min(n, b.get(item) ?? 0);
    return sum;
  };

  const harmonic = (shared, a, b) => {
    if (shared === 0) return 0;
    const precision = shared / a;
    const recall = shared / b;
    return (2 * precision * recall) / (precision + recall);
  };

  const f1 = (prediction, reference) => {
    need('f1', prediction, reference);
    const a = splitOnSpace(normalize(prediction));
    const b = splitOnSpace(normalize(reference));
    if (a.length === 0 || b.length === 0) return a.length === b.length ? 1 : 0;
    return harmonic(common(count(a), count(b)), a.length, b.length);
  };

  const rouge = (prediction, reference) => {
    need('rouge', prediction, reference);
    const a = words(text(prediction, 'rouge'));
    const b = words(text(reference, 'rouge'));
    let row = new Array(b.length + 1).fill(0);
    for (const word of a) {
      const next = [0];
      for (let j = 0; j < b.length; j++)
        next.push(word === b[j] ? row[j] + 1 : Math.max(row[j + 1], next[j]));
      row = next;
    }
    return harmonic(row[b.length], a.length, b.length);
  };

  /** Tokens as mteval-v13a makes them. */
  const tokens13a = (line) => {
    const plain = line
      .replaceAll('<skipped>', '')
      .replaceAll('-\n', '')
      .replaceAll('\n', ' ')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>');
    return splitOnSpace(
      ` ${plain} `
        .replace(/([{-~[-` -&(-+:-@/])/gu, ' $1 ')
        .replace(/([^0-9])([.,])/gu, '$1 $2 ')
        .replace(/([.,])([^0-9])/gu, ' $1 $2')
        .replace(/([0-9])(-)/gu, '$1 $2 '),
    );
  };

  const ngrams = (tokens, n) => {
    const grams = [];
    for (let at = 0; at + n <= tokens.length; at++) grams.push(tokens.slice(at, at + n).join(' '));
    return count(grams);
  };

  /** BLEU-4 of one sentence: exponential smoothing, effective order, as sacrebleu's sentence_bleu, divided by 100. */
  const bleu = (prediction, reference) => {
    const references = Array.isArray(reference) ? reference : [reference];
    need('bleu', prediction, ...references);
    const tokens = tokens13a(text(prediction, 'bleu'));
    const others = references.map((one) => tokens13a(text(one, 'bleu')));
    if (others.length === 0) throw new RangeError('bleu needs a reference');
    let smoothing = 1;
    let order = 0;
    let logs = 0;
    let found = false;
    for (let n = 1; n <= 4 && tokens.length >= n; n++) {
      const best = new Map();
      for (const other of others) {
        for (const [gram, times] of ngrams(other, n)) best.set(gram, Math.max(times, best.get(gram) ?? 0));
      }
      const correct = common(ngrams(tokens, n), best);
      const total = tokens.length - n + 1;
      if (correct === 0) smoothing *= 2;
      else found = true;
      logs += Math.log(correct === 0 ? 1 / (smoothing * total) : correct / total);
      order = n;
    }
    if (!found) return 0;
    const lengths = others.map((other) => other.length);
    const distance = (length) => Math.abs(length - tokens.length);
    const closest = lengths.reduce((a, b) => {
      if (distance(a) === distance(b)) return Math.min(a, b);
      return distance(a) < distance(b) ? a : b;
    });
    const brevity = tokens.length < closest ? Math.exp(1 - closest / tokens.length) : 1;
    return brevity * Math.exp(logs / order);
  };

  const cosine = (a, b) => {
    need('cosine', a, b);
    const left = count(words(text(a, 'cosine')));
    const right = count(words(text(b, 'cosine')));
    if (left.size === 0 || right.size === 0) return left.size === right.size ? 1 : 0;
    let product = 0;
    for (const [word, n] of left) product += n * (right.get(word) ?? 0);
    const square = (counts) => [...counts.values()].reduce((sum, n) => sum + n * n, 0);
    return product / Math.sqrt(square(left) * square(right));
  };

  const helpers = {
    missing,
    exact,
    normalize,
    normalized,
    contains,
    matches,
    isjson,
    close,
    levenshtein,
    similarity,
    f1,
    rouge,
    bleu,
    cosine,
  };
  Object.assign(globalThis, helpers);
})();
