import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * Finds words and openings that make a sentence hard to read, in comments, docs, messages and the UI's text.
 * Usage: node tools/lint-words.ts [path …]. Exits with 1 if it finds one. CONTRIBUTING.md says what to write instead.
 */
const words = [
  '(?:any|every|some)body',
  'anew',
  'bears',
  'beforehand',
  'deeds?',
  'for ever',
  'gist',
  'here(?:by|in|tofore|upon)',
  'hitherto',
  '(?:is|are|be|was|were) told',
  'heed',
  'in (?:hand|sight|vain)',
  'lest',
  'meanwhile',
  'needy',
  'nobody',
  "nouns?(?![=:},'?])",
  'such as they',
  'the like',
  'there(?:by|in|of|upon)',
  'tidy',
  'tidying',
  'where(?:by|in|of|upon)',
  'whence',
  'whilst',
  'whoever',
  'whom(?:so)?ever',
];
/** Phrases with their subject or object missing, or in a place where readers do not look for it. */
const phrases = [
  'of wh(?:ich|om)',
  'as (?:ever|good as)',
  '(?<!(?:are|be|is|were) )all the same',
  'another [a-z]+ than',
  'brings? along',
  'drift checks?',
  '(?:hears?|heard) of',
  'it is none',
  'made up for',
  'an? [a-z]+ of (?:its|their|our|your) own(?=[.,;:)]| (?:and|for|in|on|so|that|which) )',
  '(?:says?|tells?) (?:nothing|little) of',
  'whole or not',
  'what (?:has been|is|was) (?:known|left|said) of',
  'wh(?:at|ich) (?:became|becomes|came|comes) of',
];
const openings = ['Of what', 'Of an?', 'Of the', 'Of each', 'So many', 'As many', 'What of'];

/** Matches a whole word or phrase in any case. */
const word = new RegExp(`\\b(?:${[...words, ...phrases].join('|')})\\b`, 'i');
/** Matches at the start of a line, a comment, a table cell, a string or a sentence. */
const opening = new RegExp(`(?:^|[.:!?]\\s|//|\\*|#|[|>"'\`-])\\s*(?:${openings.join('|')})\\s`);

const checked = [
  '*.ts',
  '*.tsx',
  '*.js',
  '*.mjs',
  '*.py',
  '*.sql',
  '*.css',
  '*.md',
  '*.yaml',
  '*.yml',
  '*.html',
];
const skipped = [
  'client/src/fixes.ts',
  'client/src/generated.ts',
  'python/src/dokima/_generated.py',
  'tools/lint-words.ts',
  'examples/gsm8k/data',
];

/** Header of a table of examples of what not to write: its rows are not checked. */
const examples = '| instead of | write |';

const files = execFileSync('git', [
  'ls-files',
  '-z',
  '--',
  ...(process.argv.length > 2 ? process.argv.slice(2) : checked),
])
  .toString()
  .split('\0')
  .filter((file) => file && checked.some((pattern) => file.endsWith(pattern.slice(1))))
  .filter((file) => !skipped.some((path) => file.startsWith(path)));

let found = 0;
for (const file of files) {
  let quotes = false;
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    quotes = line === examples || (quotes && line.startsWith('|'));
    if (quotes) continue;
    const match = word.exec(line) ?? opening.exec(line);
    if (!match) continue;
    found++;
    console.log(`${file}:${index + 1}: "${match[0].trim()}"  ${line.trim().slice(0, 120)}`);
  }
}
if (found > 0) {
  console.log(
    `\n${found} lines to rewrite: subject, verb, object; the field's word (CONTRIBUTING.md, "Words").`,
  );
  process.exit(1);
}
