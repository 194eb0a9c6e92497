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

export type Decoded = {
  text: string;
  /** Undefined when the bytes themselves say how to read them: UTF-8, or UTF-16 with its mark. Otherwise it is a guess. */
  guessed: Encoding | undefined;
};

const marked = ({ 0: first, 1: second }: Uint8Array): 'utf-16le' | 'utf-16be' | undefined => {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
};

/** Decodes text. Bytes that are not UTF-8 are read in the encoding that the user chose, or else in that of Excel on Windows. */
export const decode = (bytes: Uint8Array, chosen: Encoding | undefined): Decoded => {
  const utf16 = marked(bytes);
  if (utf16) return { text: new TextDecoder(utf16).decode(bytes), guessed: undefined };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), guessed: undefined };
  } catch {
    const encoding = chosen ?? 'windows-1252';
    return { text: new TextDecoder(encoding).decode(bytes), guessed: encoding };
  }
};
