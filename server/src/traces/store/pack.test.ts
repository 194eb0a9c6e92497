import { zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DamagedPack, pack, unpack } from './pack.ts';

const spanId = fc
  .uint8Array({ minLength: 8, maxLength: 8 })
  .map((bytes) => Buffer.from(bytes).toString('hex'));
/** Any text, also one with U+0000, and long ones that repeat themselves. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme-composite', maxLength: 50 }).map((part) => part.repeat(2_000)),
);
const contents = fc.uniqueArray(fc.tuple(spanId, text), { selector: ([id]) => id, maxLength: 12 });

describe('a pack', () => {
  it('returns each content as it was given, in the given order', () => {
    fc.assert(
      fc.property(contents, (given) => {
        const found = unpack(pack(new Map(given)));
        expect(found.spanIds).toEqual(given.map(([id]) => id));
        expect(found.spanIds.map(found.of)).toEqual(given.map(([, content]) => content));
      }),
      { numRuns: 150 },
    );
  });

  it('has no content of a span that was not packed', () => {
    expect(unpack(pack(new Map())).spanIds).toEqual([]);
    expect(unpack(pack(new Map([['00'.repeat(8), '{}']]))).of('11'.repeat(8))).toBeUndefined();
  });

  it('with any byte changed, cut off or made up is refused as damaged', () => {
    const anyChange = fc.tuple(contents, fc.nat(), fc.integer({ min: 1, max: 255 }), fc.boolean());
    fc.assert(
      fc.property(anyChange, ([given, at, by, isCut]) => {
        const whole = pack(new Map(given));
        const broken = Buffer.from(whole.subarray(0, isCut ? at % whole.length : whole.length));
        if (!isCut) broken[at % whole.length]! ^= by;
        let read: Map<string, string | undefined>;
        try {
          const { spanIds, of } = unpack(broken);
          read = new Map(spanIds.map((id) => [id, of(id)]));
        } catch (error) {
          expect(error).toBeInstanceOf(DamagedPack);
          return;
        }
        // A bit of the frame's header may mean nothing. Then all is as it was.
        expect(read).toEqual(new Map(given));
      }),
      { numRuns: 300 },
    );
    // A whole frame of zstd, whose places do not fit.
    for (const places of [
      [1, 0, 0, 0],
      [1, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0],
      [9],
      [0, 0, 0, 0, 7],
    ])
      expect(() => unpack(zstdCompressSync(Buffer.from(places)))).toThrow(DamagedPack);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(() => unpack(Buffer.from(bytes))).toThrow(DamagedPack);
      }),
      { numRuns: 100 },
    );
  });
});
