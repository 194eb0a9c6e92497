import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { readContents } from '../build-guide.ts';
import { aliasesOf, passagesOf, withAliases } from '../build-passages.ts';
import { openSearch } from '../src/pages/guide/search-guide.ts';

const read = (path: string) => readFile(new URL(`../../docs/${path}.md`, import.meta.url), 'utf8');
const pages = (await readContents()).flatMap(({ pages }) => pages);
const passages = (
  await Promise.all(pages.map(async ({ path }) => passagesOf(path, await read(path))))
).flat();
const aliases = aliasesOf(await read('glossary'));
const search = openSearch(withAliases(passages, aliases));

/** What people typed, and the parts that answer it. The first hit must be one of them. */
const questions: Record<string, string[]> = {
  'restore a backup': ['operations#back-up-and-restore'],
  'forgot password': ['operations#sign-in'],
  'rotate api key': ['accounts#api-keys'],
  webhook: ['alerts#a-webhook'],
  pytest: ['testing#pytest'],
  upgrade: ['operations#upgrades'],
  'how many testcases do I need': [
    'cli#plan',
    'deciding#what-the-testcases-stand-for',
    'faq#how-many-testcases-do-i-need',
  ],
  'what is a run': ['concepts#run'],
  'what does cannot tell mean': ['reading-a-result#two-runs'],
  'compare two runs': ['deciding#compare-two-runs'],
  'use ollama as judge': ['judges#models-and-providers'],
  gdpr: ['governance#deletion'],
  "delete a user's data": ['governance#deletion'],
  'change the passing threshold': ['writing-metrics#say-when-it-passes'],
  pairwise: ['deciding#start-a-side-by-side-study'],
  'A/B test': ['deciding#compare-two-runs'],
  jupyter: ['python#frames'],
  ldap: ['accounts#single-sign-on'],
  saml: ['accounts#single-sign-on'],
  'air gapped': ['faq#is-my-data-sent-anywhere'],
  'confidence interval': ['reading-a-result#one-run'],
  'statistical significance': ['statistics#methods'],
  'sample size': ['cli#plan', 'deciding#what-the-testcases-stand-for', 'faq#how-many-testcases-do-i-need'],
  'export to csv': ['api#records-as-a-file'],
  'import csv': ['cli#import'],
  langfuse: ['coming-from#coming-from-another-tool'],
  'opentelemetry collector': ['tracing#tracing'],
  'few-shot examples': ['judges#examples-that-people-scored'],
  'red team': ['scope#what-dokima-does-not-do'],
  hallucination: ['metrics#retrieval-and-grounding'],
  groundedness: ['metrics#retrieval-and-grounding'],
  'rate limit': ['errors#rate_limited'],
  docker: ['install#container'],
  kubernetes: ['install#kubernetes'],
  helm: ['install#kubernetes'],
  'single sign-on': ['accounts#single-sign-on'],
  'what is a metric?': ['concepts#metric'],
  'how do I install it': ['install#install'],
  'start with postgres': ['operations#postgresql'],
  'can I trust the judge': ['judges#the-grade-of-a-judge'],
  'judge bias': ['judges#a-bias-battery'],
  rubric: ['criteria#criteria'],
  'how to import from promptfoo': ['coming-from#coming-from-another-tool'],
  'move from langsmith': ['coming-from#coming-from-another-tool'],
  braintrust: ['coming-from#coming-from-another-tool'],
  'claude code': ['skill#a-skill-for-coding-agents'],
  'mcp server': ['mcp#agents-the-mcp-server'],
  'github action': ['pull-requests#github'],
  'gitlab ci': ['pull-requests#gitlab'],
  'score production traffic': ['monitors#monitors'],
  'slack notification': ['alerts#alerts'],
  retention: ['governance#retention'],
  'audit log': ['governance#audit-log'],
  'mask personal data': ['governance#masking-of-personal-data'],
  'invite a teammate': ['accounts#organizations'],
  permissions: ['accounts#roles'],
  'what is a testcase': ['concepts#testset-and-testcase'],
  'multi-turn conversations': ['simulating#simulating-users'],
  'images in prompts': ['judges#images-pdf-and-audio'],
  'custom code metric python': ['code-metrics#code-metrics'],
  'why is my score unscored': ['troubleshooting#scoring'],
  'failed to score': ['troubleshooting#scoring'],
  'out of memory': ['operations#memory'],
  'backup every night': ['operations#back-up-and-restore'],
  'how much disk': ['scaling#size-on-disk'],
  'environment variables': ['settings#settings'],
  'exit codes of gate': ['cli#gate'],
  'excel file': ['tutorial-csv#tutorial-score-a-table-of-answers'],
  'huggingface dataset': ['coming-from/hugging-face#datasets-of-hugging-face'],
  'krippendorff alpha': ['reviews#several-reviewers'],
  'inter-rater agreement': ['reviews#several-reviewers'],
  'prompt versions': ['prompts#prompts'],
  'schedule nightly run': ['schedules#schedules'],
  pricing: ['faq#what-does-it-cost'],
  telemetry: ['faq#is-my-data-sent-anywhere'],
  'delete a project': ['governance#deletion'],
  'status code 413': ['errors#payload_too_large'],
  'error 429': ['errors#rate_limited'],
  'weighted by traffic': ['statistics#the-rate-of-the-traffic-weightedts'],
  'equivalence test': ['succession#when-a-candidate-is-equivalent'],
  'reproducible decision': ['deciding#a-file-that-anyone-can-verify'],
  'overfitting to testset': ['deciding#looks-at-a-testset'],
};

it('the first hit answers what people ask in their own words', () => {
  const wrong = Object.entries(questions).flatMap(([question, places]) => {
    const [first] = search(question);
    const place = first && `${first.page}#${first.anchor}`;
    return place && places.includes(place) ? [] : [`${question}: ${place}`];
  });
  expect(wrong).toEqual([]);
});

it('each place of the glossary exists', () => {
  const places = new Set(passages.flatMap(({ page, anchor }) => [page, `${page}#${anchor}`]));
  expect([...aliases.keys()].filter((place) => !places.has(place))).toEqual([]);
  expect(aliases.size).toBeGreaterThan(50);
});

it('finds nothing where no word fits, and unfinished words', () => {
  expect(search('xylophone')).toEqual([]);
  expect(search('the of a')).toEqual([]);
  expect(search('krippendo')[0]).toMatchObject({ page: 'reviews', anchor: 'several-reviewers' });
});
