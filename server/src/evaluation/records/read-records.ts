import type { FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { type Issue, invalid, invalidAll } from '../../platform/errors.ts';
import { elements, members, type RawJson } from '../../platform/json/json.ts';
import { parseJson } from '../../platform/json/parse-json.ts';
import { validator } from '../../platform/validation.ts';
import { readBroughtScores } from '../scores/upsert-scores.ts';
import { type NewRecord, readRecord } from './create-records.ts';
import { maxBulkRecords, RecordItem, RecordsCreate } from './schema.ts';

const bodyIssues = validator(RecordsCreate as TSchema);
const itemIssues = validator(RecordItem as TSchema);

const readItem = (item: RecordItem, text: RawJson, path: string): NewRecord => ({
  ...readRecord(item, text, path),
  scores: readBroughtScores(item.scores, text, path),
});

const readJson = (request: FastifyRequest): NewRecord[] => {
  const issues = bodyIssues(request.body);
  if (issues.length > 0) throw invalidAll(issues);
  const texts = elements(members(request.rawBody).get('items')!);
  const { items } = request.body as { items: RecordItem[] };
  return items.map((item, i) => readItem(item, texts[i]!, `/items/${i}`));
};

const parseLine = (line: RawJson, path: string, issues: Issue[]): RecordItem | undefined => {
  try {
    const value = parseJson(line);
    const found = itemIssues(value).map((issue) => ({ ...issue, path: path + issue.path }));
    if (found.length === 0) return value as RecordItem;
    issues.push(...found);
  } catch (error) {
    issues.push({ path, message: `must be JSON: ${(error as Error).message}` });
  }
  return undefined;
};

const readLines = (text: string): NewRecord[] => {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0 || lines.length > maxBulkRecords)
    throw invalid('', `must have 1 to ${maxBulkRecords} lines`);
  const issues: Issue[] = [];
  const records = lines.map((line, i) => parseLine(line, `/items/${i}`, issues));
  if (issues.length > 0) throw invalidAll(issues.slice(0, 100));
  return records.map((record, i) => readItem(record!, lines[i]!, `/items/${i}`));
};

/** The records of a bulk body, JSON or NDJSON. Throws 400 with every problem; lines count from `/items/0`. */
export const readRecords = (request: FastifyRequest): NewRecord[] =>
  /^application\/x-ndjson/i.test(request.headers['content-type'] ?? '')
    ? readLines(request.rawBody)
    : readJson(request);
