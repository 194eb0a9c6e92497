import { isIP } from 'node:net';

/**
 * Patterns of personal data and secrets. Each expression takes linear time: an unbounded repetition cannot match from its own middle, and
 * every other repetition has a bound.
 */
export type Pattern = {
  /** Name that replaces a match, in square brackets. */
  token: string;
  /** Whether a text can contain a match: cheaper than a search. */
  hint: (text: string) => boolean;
  /** Replaces each match; `replace` returns the replacement of a value. */
  apply: (text: string, replace: (value: string) => string) => string;
};

const digitsOf = (text: string): string => text.replace(/\D/g, '');

const passesLuhn = (digits: string): boolean => {
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = i % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
};

/** How the numbers of card networks begin, and their lengths. */
const networks: [RegExp, number[]][] = [
  [/^4/, [16, 19, 13]],
  [/^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
  [/^3[47]/, [15]],
  [/^3(0[0-5]|[689])/, [14, 16]],
  [/^(6011|64[4-9]|65|62|81)/, [16, 19, 17, 18]],
  [/^35(2[89]|[3-8])/, [16, 19]],
  [/^(50|5[6-9]|6)/, [16, 19, 13, 14, 15, 17, 18]],
];

/** Returns how many of the first digits are a card number; 0 if none are. */
export const cardLength = (digits: string): number => {
  for (const [begin, lengths] of networks) {
    if (!begin.test(digits)) continue;
    for (const length of lengths)
      if (length <= digits.length && passesLuhn(digits.slice(0, length))) return length;
  }
  return 0;
};

/** Characters of the longest card number with a separator between all digits. */
const longestCard = 40;

/** Returns where the card that begins at `start` ends; 0 if none does. A longer number is not a card, unless a space ends the card. */
const cardEnd = (text: string, start: number): number => {
  const length = cardLength(digitsOf(text.slice(start, start + longestCard)));
  if (length === 0) return 0;
  let end = start;
  for (let seen = 0; seen < length; end++) if (/\d/.test(text[end]!)) seen++;
  return /\d/.test(text[end] ?? '') ? 0 : end;
};

const card: Pattern = {
  token: 'CREDIT_CARD',
  hint: (text) => /\d(?:[ \u00a0.-]?\d){12}/.test(text),
  apply: (text, replace) =>
    text.replace(/(?<![\d.+])\d(?:[ \u00a0.-]?\d){12,}/g, (found) => {
      let done = '';
      let copied = 0;
      for (let at = 0; at < found.length; at++) {
        if (!/\d/.test(found[at]!) || /\d/.test(found[at - 1] ?? '')) continue;
        const end = cardEnd(found, at);
        if (end === 0) continue;
        done += found.slice(copied, at) + replace(found.slice(at, end));
        copied = end;
        at = end - 1;
      }
      return done + found.slice(copied);
    }),
};

/** Lengths of IBANs by country: the registry of SWIFT. */
const ibanLengths: Record<string, number> = Object.fromEntries(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 ' +
    'FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 ' +
    'MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 ' +
    'SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

const isIban = (iban: string): boolean => {
  let rest = 0;
  for (const character of iban.slice(4) + iban.slice(0, 4))
    for (const digit of String(Number.parseInt(character, 36))) rest = (rest * 10 + Number(digit)) % 97;
  return rest === 1;
};

const iban: Pattern = {
  token: 'IBAN',
  hint: (text) => /[A-Za-z]{2}\d{2}[ \u00a0-]?[A-Za-z\d]/.test(text),
  apply: (text, replace) => {
    const begin = /(?<![A-Za-z\d])[A-Za-z]{2}\d{2}/g;
    let done = '';
    let copied = 0;
    for (let match = begin.exec(text); match; match = begin.exec(text)) {
      const length = ibanLengths[match[0].slice(0, 2).toUpperCase()] ?? 0;
      let end = match.index;
      let found = '';
      while (found.length < length && end < text.length) {
        if (/[A-Za-z\d]/.test(text[end]!)) found += text[end];
        else if (!/[ \u00a0-]/.test(text[end]!) || !/[A-Za-z\d]/.test(text[end + 1] ?? '')) break;
        end++;
      }
      if (length === 0 || found.length < length || /[A-Za-z\d]/.test(text[end] ?? '')) continue;
      if (!isIban(found.toUpperCase())) continue;
      done += text.slice(copied, match.index) + replace(text.slice(match.index, end));
      copied = begin.lastIndex = end;
    }
    return done + text.slice(copied);
  },
};

const email: Pattern = {
  token: 'EMAIL',
  hint: (text) => text.includes('@') || text.includes('%40'),
  apply: (text, replace) =>
    text.replace(
      /(?<![\p{L}\p{N}._+'-])[\p{L}\p{N}._+'-]+(?:@|%40)(?:[\p{L}\p{N}][\p{L}\p{N}-]{0,62}\.){1,8}\p{L}[\p{L}\p{N}-]{1,62}/gu,
      replace,
    ),
};

const octet = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)';
const ipv4 = new RegExp(`(?<![\\d.])(?:${octet}\\.){3}${octet}(?![\\d]|\\.\\d)`, 'g');
const ipAddress: Pattern = {
  token: 'IP_ADDRESS',
  hint: (text) => /\d\.\d{1,3}\.\d|:[\da-fA-F]{0,4}:/.test(text),
  apply: (text, replace) =>
    text
      .replace(/(?<![\w:.])[\da-fA-F]{0,4}(?::[\da-fA-F]{0,4}){2,7}(?:\.\d{1,3}){0,3}/g, (found) =>
        /\d/.test(found) && isIP(found) === 6 ? replace(found) : found,
      )
      .replace(ipv4, replace),
};

/** Keys, by how their issuers begin them. */
const keys = [
  /-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----[A-Za-z\d+/=\s\\]{0,20000}(?:-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----)?/,
  /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*){0,3}/,
  /(?<![A-Za-z\d])(?:sk|rk|pk|ak)[-_][\w-]{16,}/,
  /(?<![A-Za-z\d])(?:gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|xapp-|hf_|npm_|pypi-|dop_v1_|shpat_|SG\.|lsv2_|ya29\.|scim_)[\w.-]{16,}/,
  /(?<![A-Za-z\d])whsec_[\w+/=]{16,}/,
  /(?<![A-Za-z\d])(?:AKIA|ASIA|AGPA|AROA)[A-Z\d]{16}(?![A-Z\d])/,
  /(?<![A-Za-z\d])AIza[\w-]{35}/,
  // Bots of Telegram.
  /(?<!\d)\d{8,10}:AA[\w-]{31,34}(?![\w-])/,
];

/** Names of fields and settings that hold a secret, in any case and with any separator. */
const nameOfSecret =
  'passw(?:or)?d|passphrase|pwd|client[-_]?secret|secret[-_]?(?:access[-_]?)?key|account[-_]?key|api[-_]?key|(?:access|refresh)[-_]?token|private[-_]?key';
const isNameOfSecret = new RegExp(`(?:^|[._-]|(?<=[a-z])(?=[A-Z]))(?:${nameOfSecret})$`, 'i');

/** Secrets by what stands before them, in any case. */
const introduced = [
  /(?<=\b(?:bearer|basic)\s{1,4})[\w.~+/-]{20,}=*/,
  /(?<=:\/\/[^\s:@/?#]{1,64}:)[^\s:@/?#]{3,128}(?=@)/,
  /(?<=hooks\.slack\.com\/(?:services|workflows|triggers)\/)[\w/]{16,}/,
  /(?<=discord(?:app)?\.com\/api\/webhooks\/\d{1,20}\/)[\w-]{16,}/,
  /(?<=\.webhook\.office\.com\/webhookb2\/)[\w@/-]{16,}/,
  // Signatures of links that open a file without a key.
  /(?<=[?&](?:sig|x-amz-signature|x-goog-signature)=)[\w%+/=-]{16,}/,
  /(?<=dokima_session=)[\w-]{16,}/,
  // As in settings, query strings and connection strings. After a colon only a quoted value: prose has colons too.
  new RegExp(`(?<=(?:${nameOfSecret})["']?\\s{0,4}(?:=\\s{0,4}["']?|:\\s{0,4}["']))[^\\s"'&;,]{4,512}`),
];

const sourceOf = (expressions: readonly RegExp[]): string =>
  expressions.map(({ source }) => source).join('|');
const keyExpression = new RegExp(sourceOf(keys), 'g');
const introducedExpression = new RegExp(sourceOf(introduced), 'gi');
const mayHoldSecret = new RegExp(
  `PRIVATE KEY|eyJ|[sprak]k[-_]|gh[pousr]_|github_pat_|glpat-|xox|hf_|npm_|pypi-|dop_v1_|shpat_|SG\\.|lsv2_|ya29\\.|scim_|whsec_|A[KSGR][IPO]A|AIza|xapp-|:AA|bearer|basic|://|hooks\\.slack|discord|webhook\\.office|[?&](?:sig|x-amz-sig|x-goog-sig)|dokima_session|${nameOfSecret}`,
  'i',
);
const secret: Pattern = {
  token: 'SECRET',
  hint: (text) => mayHoldSecret.test(text),
  apply: (text, replace) =>
    text
      .replace(keyExpression, replace)
      .replace(introducedExpression, (found) => (found.startsWith('[SECRET') ? found : replace(found))),
};

/** Whether a field of this name holds a secret: `password`, `db_password`, `apiKey`. */
export const holdsSecret = (name: string): boolean => isNameOfSecret.test(name);

/** Whether digits and their separators are written as a telephone number. */
const isPhone = (found: string): boolean => {
  const digits = digitsOf(found);
  if (/^\+/.test(found)) return digits.length >= 8 && digits.length <= 15;
  if (/^00[1-9]/.test(found)) return digits.length >= 10 && digits.length <= 17;
  // 0.123456789 and 3.14159 are numbers.
  if (/^\d*\.\d*$/.test(found)) return false;
  if (/^\(?0[1-9]/.test(found)) return digits.length >= 9 && digits.length <= 12;
  return /^(?:1[ .-]?)?(?:\(\d{3}\) ?|\d{3}[ .-])\d{3}[ .-]\d{4}$/.test(found);
};
/** Characters of the longest telephone number. */
const longestPhone = 26;

/** Returns where the longest telephone number that begins at `start` ends; 0 if none does. Others may follow it. */
const phoneEnd = (run: string, start: number): number => {
  // Another plus or parenthesis begins another number.
  const [inside] = (run[start] === '(' ? /^[^+(]*/ : /^[^+(]*\(?[^+(]*/).exec(
    run.slice(start + 1, start + longestPhone),
  )!;
  for (let end = start + 1 + inside.length; end - start >= 8; end--) {
    const isEnd = /\d/.test(run[end - 1]!) && /[\s+(]/.test(run[end] ?? ' ');
    if (isEnd && isPhone(run.slice(start, end))) return end;
  }
  return 0;
};

const phone: Pattern = {
  token: 'PHONE',
  hint: (text) => /\d[\d\s()./-]{5,}\d/.test(text),
  apply: (text, replace) =>
    text.replace(/(?<![\w.+])[+(]*\d[\d \u00a0()./+-]{5,}\d(?![\w]|-\w)/g, (run) => {
      let done = '';
      let copied = 0;
      for (let at = 0; at < run.length; at++) {
        if (!/[+(\d]/.test(run[at]!) || /\S/.test(run[at - 1] ?? ' ')) continue;
        const end = phoneEnd(run, at);
        if (end === 0) continue;
        done += run.slice(copied, at) + replace(run.slice(at, end));
        copied = end;
        at = end - 1;
      }
      return done + run.slice(copied);
    }),
};

/** The built-in patterns by name, in the order in which they are applied: the pattern with the longest matches goes first. */
export const patterns = {
  secret,
  email,
  iban,
  creditCard: card,
  ipAddress,
  phone,
} as const satisfies Record<string, Pattern>;
export type PatternName = keyof typeof patterns;
