import { createSecretKey } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskJson, maskText } from './mask-json.ts';
import { type MaskingRules, makeMasker } from './masker.ts';
import { type PatternName, patterns } from './patterns.ts';

const key = createSecretKey(Buffer.alloc(32, 1));
const all = Object.keys(patterns) as PatternName[];
const masker = (rules: Partial<MaskingRules> = {}) =>
  makeMasker({ patterns: all, custom: [], fields: [], hashed: false, ...rules }, key);

describe('patterns', () => {
  it.each([
    ['Ask ada@example.org.', 'Ask [EMAIL].'],
    ['mailto:Ada.Lovelace+x@mail.example.co.uk?subject', 'mailto:[EMAIL]?subject'],
    ["jürgen@müller.de, o'neil@x.io", '[EMAIL], [EMAIL]'],
    ['?user=ada%40example.org&x=1', '?user=[EMAIL]&x=1'],
    ['call +49 151 1234 5678 now', 'call [PHONE] now'],
    ['(415) 555-2671 or 415-555-2671', '[PHONE] or [PHONE]'],
    ['tel 0151/12345678, 0044 20 7946 0958', 'tel [PHONE], [PHONE]'],
    ['card 4111 1111 1111 1111 12/27', 'card [CREDIT_CARD] 12/27'],
    ['5555555555554444 378282246310005', '[CREDIT_CARD] [CREDIT_CARD]'],
    ['IBAN DE89 3704 0044 0532 0130 00 is mine', 'IBAN [IBAN] is mine'],
    ['gb29nwbk60161331926819', '[IBAN]'],
    ['from 192.168.0.17:443', 'from [IP_ADDRESS]:443'],
    ['at 2001:db8::8a2e:370:7334, ::1', 'at [IP_ADDRESS], [IP_ADDRESS]'],
    ['key sk-proj-abcdefghijklmnop1234', 'key [SECRET]'],
    ['AKIAIOSFODNN7EXAMPLE', '[SECRET]'],
    ['Authorization: Bearer abcdefghijklmnopqrstuvwxyz', 'Authorization: Bearer [SECRET]'],
    ['postgres://app:hunter22@db/x', 'postgres://app:[SECRET]@db/x'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl', '[SECRET]'],
    ['scim_0123456789abcdef0 whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAA=', '[SECRET] [SECRET]'],
    ['AUTHORIZATION: BEARER abcdefghijklmnopqrstuvwxyz', 'AUTHORIZATION: BEARER [SECRET]'],
    ['authorization: basic dXNlcjpwYXNzd29yZDEyMzQ1', 'authorization: basic [SECRET]'],
    ['AccountName=a;AccountKey=abc+/def==;Endpoint=x', 'AccountName=a;AccountKey=[SECRET];Endpoint=x'],
    ['aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', 'aws_secret_access_key = [SECRET]'],
    ['https://hooks.slack.com/services/T000/B000/XXXXXXXXXXXX', 'https://hooks.slack.com/services/[SECRET]'],
    ['?password=hunter22&x=1, "apiKey": "abcdef"', '?password=[SECRET]&x=1, "apiKey": "[SECRET]"'],
    ['ada\uff20example.org, a\u200bda@exam\u00adple.org', '[EMAIL], [EMAIL]'],
    ['\uff14\uff11\uff11\uff11 1111 1111 1111', '[CREDIT_CARD]'],
    [
      '\u0664\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661\u0661',
      '[CREDIT_CARD]',
    ],
    ['415\u2013555\u20132671, 415\u2011555\u20112671', '[PHONE], [PHONE]'],
    ['ada@exam\u034fple.org ada@exam\u180eple.org ada@exam\u{e0061}ple.org', '[EMAIL] [EMAIL] [EMAIL]'],
    ['\u2764\ufe0f 5\u20137 ada@example.org', '\u2764\ufe0f 5\u20137 [EMAIL]'],
    ['-----BEGIN PGP PRIVATE KEY BLOCK-----\nb3Bl\n-----END PGP PRIVATE KEY BLOCK-----', '[SECRET]'],
    ['xapp-1-A123-456-abcdefabcdef 110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsawx', '[SECRET] [SECRET]'],
    [
      'https://discord.com/api/webhooks/123456789012345678/abcdefghijklmnopqrstuvwxyz',
      'https://discord.com/api/webhooks/123456789012345678/[SECRET]',
    ],
    [
      'https://x.blob.core.windows.net/c?sv=1&sig=abcdefghijklmnop%3D',
      'https://x.blob.core.windows.net/c?sv=1&sig=[SECRET]',
    ],
    ['__Host-dokima_session=abcdefghijklmnopqrstuvwxyz', '__Host-dokima_session=[SECRET]'],
  ])('mask %j', (text, masked) => {
    expect(masker().text(text)).toBe(masked);
  });

  it.each([
    'a @ b, @handle, x@y',
    '2024-01-31T12:30:45.123Z and 31.12.2024',
    'std::vector, 12:30:45, a::b',
    '4111 1111 1111 1112, 1234567890123456',
    'GB29NWBK60161331926818',
    '0.123456789, 3.14159265358979, 1e10, 299792458',
    '1.2.3, 256.1.1.1, version 10.4',
    'id 01890000-0000-7000-8000-000000000000',
    'sk-short, the task-based approach of risk-aversion-and-more',
    'trace 4bf92f3577b34da6a3ce929d0e0e4736',
    'Your password: it must be long. The basic idea, an API key: none.',
    'full-width \uff21\uff22\uff23 and a zero\u200bwidth space stay',
  ])('leave %j', (text) => {
    expect(masker().text(text)).toBe(text);
  });

  it('take linear time, own ones too', () => {
    const custom = [{ name: 'own', pattern: '(x+x+)+y' }];
    const own = masker({ custom });
    const evil = [
      'a'.repeat(2e5),
      'a@'.repeat(1e5),
      'a.'.repeat(1e5),
      `a@${'b.'.repeat(1e5)}`,
      '1 '.repeat(1e5),
    ];
    evil.push(
      'x'.repeat(3e4),
      '::'.repeat(1e5),
      'eyJ'.repeat(6e4),
      '-----BEGIN '.repeat(2e4),
      'DE89'.repeat(5e4),
    );
    evil.push(
      '://a:'.repeat(4e4),
      'Bearer '.repeat(3e4),
      '+1('.repeat(6e4),
      'sk-'.repeat(6e4),
      '1-'.repeat(1e5),
    );
    for (const text of evil) {
      // Processor time: a busy machine makes no difference.
      const begun = process.cpuUsage();
      own.text(text);
      expect(process.cpuUsage(begun).user / 1_000, text.slice(0, 20)).toBeLessThan(2_000);
    }
  }, 60_000);

  it('with hashes keep equal values equal, however they are written', () => {
    const { text } = masker({ hashed: true });
    expect(text('ADA@example.org')).toBe(text('ada@example.org'));
    expect(text('4111 1111 1111 1111')).toBe(text('4111111111111111'));
    expect(text('ada@example.org')).toMatch(/^\[EMAIL:[0-9a-f]{12}\]$/);
    expect(text('bob@example.org')).not.toBe(text('ada@example.org'));
  });
});

describe('maskJson', () => {
  it('keeps every other byte: spaces, digits, order and escapes', () => {
    const text =
      '{ "b" : 1.10, "n":12345678901234567890, "a": "ada@example.org" ,\n "u":"\\u00e9\\/", "2": [true , null, "x"] }';
    expect(maskJson(text, masker())).toBe(text.replace('ada@example.org', '[EMAIL]'));
  });

  it('finds what is escaped, in keys, in numbers and in JSON within a text', () => {
    const nested = JSON.stringify({ to: 'ada@example.org', deep: JSON.stringify({ ip: '10.0.0.1' }) });
    const text = `{"a":"ada\\u0040example.org","bob@example.org":1,"c":4111111111111111,"d":${JSON.stringify(nested.replace('@', '\\u0040'))}}`;
    const masked = maskJson(text, masker());
    expect(JSON.parse(masked)).toEqual({
      a: '[EMAIL]',
      '[EMAIL]': 1,
      c: '[CREDIT_CARD]',
      d: '{"to":"[EMAIL]","deep":"{\\"ip\\":\\"[IP_ADDRESS]\\"}"}',
    });
  });

  it('replaces fields whole, in lists, by wildcards and below dotted keys', () => {
    const { root, below, ...rest } = masker({
      patterns: [],
      fields: [
        'inputs.user.email',
        'inputs.*.phone',
        'inputs.**.ssn',
        'attributes.user.id',
        'inputs.list.name',
      ],
    });
    const own = { root, below, ...rest };
    const text =
      '{"user":{"email":{"a":[1]},"name":"N"},"x":{"phone":5,"y":[{"ssn":"1"}]},"list":[{"name":"A"},{"name":null}]}';
    expect(JSON.parse(maskJson(text, own, below(root, 'inputs')))).toEqual({
      user: { email: '[MASKED]', name: 'N' },
      x: { phone: '[MASKED]', y: [{ ssn: '[MASKED]' }] },
      list: [{ name: '[MASKED]' }, { name: '[MASKED]' }],
    });
    expect(maskJson('{"attributes":{"user.id":"7","user.idx":"8"}}', own)).toBe(
      '{"attributes":{"user.id":"[MASKED]","user.idx":"8"}}',
    );
  });

  it('returns any JSON without personal data as it was sent', () => {
    const none = masker({ patterns: ['email', 'iban', 'secret'], fields: ['nowhere.at.all'] });
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), fc.constantFrom(undefined, 1, '\t'), (json, space) => {
        // What is drawn may be an address, such as 0@0.A0.
        fc.pre(!json.includes('@'));
        const text = JSON.stringify(JSON.parse(json), null, space);
        expect(maskJson(text, none)).toBe(text);
      }),
    );
  });

  it('masks in any JSON each e-mail address, and it stays JSON', () => {
    // Without the sign that would make another address of it, such as 0@0.A0.
    const text = fc.string().map((drawn) => drawn.replaceAll('@', 'a'));
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: 'small' },
        fc.constant('x ada@example.org "y"\n'),
        text,
        fc.integer(),
        fc.array(tie('any')),
        fc.dictionary(text, tie('any')),
      ),
    })).any;
    fc.assert(
      fc.property(value, (given) => {
        const masked = maskJson(JSON.stringify(given), masker({ patterns: ['email'] }));
        expect(masked).not.toContain('ada@');
        expect(JSON.stringify(JSON.parse(masked)).replaceAll('[EMAIL]', 'ada@example.org')).toBe(
          JSON.stringify(given),
        );
      }),
    );
  });
});

describe('what hides a field or a number', () => {
  const own = masker({
    patterns: ['creditCard', 'secret'],
    fields: ['outputs.**.ssn'],
    custom: [{ name: 'ssn', pattern: '[0-9]{3}-?[0-9]{2}-?[0-9]{4}' }],
  });
  const outputs = (value: unknown) =>
    JSON.parse(maskJson(JSON.stringify({ outputs: value }), own)).outputs as unknown;

  it('is no number: own patterns and cards are found in it', () => {
    expect(outputs([123456789, -123456789, 4111111111111111, 12])).toEqual([
      '[SSN]',
      '-[SSN]',
      '[CREDIT_CARD]',
      12,
    ]);
    expect(maskJson('{"a":4111111111111111.0,"b":1.10}', own)).toBe('{"a":"[CREDIT_CARD]","b":1.10}');
  });

  it('is no fence and no introduction: fields are found in JSON within a text', () => {
    const said = (text: string) => outputs({ answer: text });
    expect(said('```json\n{"ssn": "x", "b": 1.10}\n```')).toEqual({
      answer: '```json\n{"ssn": "[MASKED]", "b": 1.10}\n```',
    });
    expect(said('Use {x}. Answer: {"p": [{"ssn": 1}]} or [{"ssn": "y"}].')).toEqual({
      answer: 'Use {x}. Answer: {"p": [{"ssn": "[MASKED]"}]} or [{"ssn": "[MASKED]"}].',
    });
  });

  it('is no case of a key', () => {
    expect(outputs({ SSN: 1, Ssn: 2, sn: 3 })).toEqual({ SSN: '[MASKED]', Ssn: '[MASKED]', sn: 3 });
  });

  it('is no field that is called a password', () => {
    expect(
      outputs({ password: 'x', db_password: 1, apiKey: ['a'], 'client-secret': 's', passwords: 2 }),
    ).toEqual({
      password: '[MASKED]',
      db_password: '[MASKED]',
      apiKey: '[MASKED]',
      'client-secret': '[MASKED]',
      passwords: 2,
    });
  });

  it('any text without a match stays as it is, in linear time', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '\\', 'a', ' ', '\n') }),
        (text) => {
          expect(maskText(text, own, own.root)).toBe(text);
        },
      ),
      { numRuns: 2_000, seed: 1 },
    );
    const startedAt = process.threadCpuUsage().user;
    for (const evil of ['{'.repeat(1e6), '{"'.repeat(5e5), '[{"a":'.repeat(2e5)])
      expect(maskText(evil, own, own.root)).toBe(evil);
    expect((process.threadCpuUsage().user - startedAt) / 1e6).toBeLessThan(5);
  });
});
