import { TemplateError } from './template-error.ts';

/** The entities of Latin-1, from 160 on, in their order. HTML reads them without a semicolon too. */
const latin1 =
  `nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para
  middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml
  Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave
  aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde
  ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml`.split(/\s+/);

const characters = new Map<string, string>([
  ...latin1.map((name, i) => [name, String.fromCharCode(160 + i)] as const),
  ...Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    AMP: '&',
    LT: '<',
    GT: '>',
    QUOT: '"',
    COPY: '©',
    REG: '®',
  }),
]);
const withSemicolon = new Map([
  ...Object.entries({
    apos: "'",
    ndash: '–',
    mdash: '—',
    hellip: '…',
    bull: '•',
    euro: '€',
    trade: '™',
    rarr: '→',
    larr: '←',
  }),
  ...Object.entries({
    lsquo: '‘',
    rsquo: '’',
    ldquo: '“',
    rdquo: '”',
    minus: '−',
    le: '≤',
    ge: '≥',
    ne: '≠',
    infin: '∞',
  }),
]);

const entity = /&(?:#(\d+);?|#[xX]([\da-fA-F]+);?|([^\t\n\f <&#;]{1,32})(;?))/g;

/** Returns the text with its entities as characters, as a browser shows it. Throws for a named entity that it does not know. */
export const unescapedHtml = (text: string): string =>
  text.replace(entity, (whole, decimal, hex, name: string | undefined, semicolon) => {
    if (name === undefined) {
      const code = Number.parseInt(decimal ?? hex, decimal === undefined ? 16 : 10);
      const isText =
        (code >= 32 && code < 127) || (code > 159 && code < 0xd800) || (code > 0xe000 && code < 0xfdd0);
      const isBeyond = code >= 0x10000 && code <= 0x10ffff && (code & 0xfffe) !== 0xfffe;
      if (isText || isBeyond || code === 9 || code === 10) return String.fromCodePoint(code);
      throw new TemplateError(`striptags does not know ${whole}`);
    }
    const known = characters.get(name) ?? (semicolon ? withSemicolon.get(name) : undefined);
    if (known !== undefined) return known;
    if (semicolon && /^[A-Za-z]\w*$/.test(name)) throw new TemplateError(`striptags does not know ${whole}`);
    for (let end = name.length - 1; end > 1; end--) {
      const start = characters.get(name.slice(0, end));
      if (start !== undefined) return start + name.slice(end) + semicolon;
    }
    return whole;
  });
