/** Encodings of text that spreadsheets write, and where. */
export const encodings = {
  'windows-1252': 'Windows-1252 (Western Europe, the Americas)',
  'windows-1250': 'Windows-1250 (Central Europe)',
  'windows-1251': 'Windows-1251 (Cyrillic)',
  'windows-1253': 'Windows-1253 (Greek)',
  'windows-1254': 'Windows-1254 (Turkish)',
  'windows-1255': 'Windows-1255 (Hebrew)',
  'windows-1256': 'Windows-1256 (Arabic)',
  macintosh: 'Mac OS Roman',
  shift_jis: 'Shift JIS (Japanese)',
  gb18030: 'GB 18030 (Chinese)',
  big5: 'Big5 (Chinese, traditional)',
  'euc-kr': 'EUC-KR (Korean)',
} as const;
export type Encoding = keyof typeof encodings;

type Unicode = 'utf-8' | 'utf-16le' | 'utf-16be';

/** UTF-16 without a mark: every other byte of a mostly Latin text is zero. */
const unmarked = (bytes: Uint8Array): Unicode | undefined => {
  const head = bytes.subarray(0, 400);
  if (bytes.length % 2 === 1 || head.length < 4) return undefined;
  let even = 0;
  let odd = 0;
  head.forEach((byte, i) => {
    if (byte === 0) i % 2 === 0 ? even++ : odd++;
  });
  const most = head.length / 4;
  if (odd > most && even === 0) return 'utf-16le';
  return even > most && odd === 0 ? 'utf-16be' : undefined;
};

/** Returns the Unicode encoding that the bytes show, by their mark or by their zeros. Undefined for others and for plain UTF-8. */
export const unicodeOf = (bytes: Uint8Array): Unicode | undefined => {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return unmarked(bytes);
};

const decodeAs = (bytes: Uint8Array, encoding: Encoding | Unicode): string | undefined => {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

/** Returns the line of the first bytes that the encoding does not have: the longest readable beginning ends there. */
export const lineOfFault = (bytes: Uint8Array, encoding: Encoding | Unicode): number => {
  const read = (length: number): string | undefined => {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes.subarray(0, length), { stream: true });
    } catch {
      return undefined;
    }
  };
  let [good, bad] = [0, bytes.length];
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (read(middle) === undefined) bad = middle;
    else good = middle;
  }
  return (read(good) ?? '').split('\n').length;
};

/** Throws for bytes that the encoding does not have: a replacement character in their place would lose what they mean. */
const requireText = (bytes: Uint8Array, encoding: Encoding | Unicode): string => {
  const text = decodeAs(bytes, encoding);
  if (text === undefined)
    throw new Error(
      `It has bytes that are not ${encoding.toUpperCase()}, in line ${lineOfFault(bytes, encoding)}. Save it as UTF-8.`,
    );
  return text;
};

/**
 * Decodes text. Unicode is found by its bytes. Other text is read in the encoding that the user chose; without a choice the result
 * is `undefined`.
 */
export const decode = (bytes: Uint8Array, chosen: Encoding | undefined): string | undefined => {
  const unicode = unicodeOf(bytes);
  if (unicode) return requireText(bytes, unicode);
  return chosen === undefined ? decodeAs(bytes, 'utf-8') : requireText(bytes, chosen);
};
