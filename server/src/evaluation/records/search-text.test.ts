import { describe, expect, it } from 'vitest';
import { hasTrigram, searchedText, searchText } from './search-text.ts';

describe('the text to search of JSON', () => {
  it('has keys and strings without escapes, numbers as written and words, in order and in lower case', () => {
    expect(
      searchText(
        '{"Question\\u00c9": ["A\\nb\\"\\/", 1.10, -1E5 ,12345678901234567890],"":{"nested" : true}}',
        'null',
      ),
    ).toBe(
      ['questioné', 'a\nb"/', '1.10', '-1e5', '12345678901234567890', '', 'nested', 'true', 'null'].join(
        '\n',
      ),
    );
    expect(searchText(' [] ', '{}')).toBe('');
  });

  it('has a replacement for each character that PostgreSQL or the insert cannot take', () => {
    expect(searchText('"a\\u0000b\\u0001c\\ud83dd"')).toBe('a\ufffdb\ufffdc\ufffdd');
    expect(searchText('"\\ud83d\\ude00"')).toBe('😀');
  });

  it('ignores the case of every alphabet, and that a last sigma is written in another way', () => {
    expect(searchText('"ÉCOLE Новое ΟΔΟΣ"')).toBe('école новое οδοσ');
    expect(searchedText('ΟΔΟΣ.*')).toBe('οδοσ.*');
  });

  it('is read in linear time, however many escapes it has', () => {
    expect(searchText(`"${'a\\n'.repeat(2_000_000)}"`)).toHaveLength(4_000_000);
  });

  it.each([
    ['abc', true],
    ['a b c', false],
    ['<100%>', true],
    ['中文', false],
    ['новое', true],
    ['***', false],
  ])('%s has a trigram: %s', (text, expected) => expect(hasTrigram(text)).toBe(expected));
});
