import { beforeAll, describe, expect, it } from 'vitest';
import {
  emptyArchive,
  end,
  header,
  importLines,
  linesOf,
  ndjson,
  type Row,
} from '../../test/archive-lines.ts';
import { archiveRows, changed, dataParts, idOf } from '../../test/archive-rows.ts';
import { createProject, ok } from '../../test/fixtures.ts';
import { openApp } from '../../test/opened.ts';
import { expectNoChange } from '../../test/rows.ts';

const { app, own } = await openApp();
/** An archive with a row of each part. */
let rows: Row[];

beforeAll(async () => {
  rows = archiveRows(own.memberId);
});

const newProject = async (): Promise<string> => (await createProject(own.api)).id;
const stateOf = (projectId: string) => ok(own.api('GET', `/projects/${projectId}/import`));

describe('a line that no export writes', () => {
  /** Sends archives that must each be refused for one of their lines, and must leave nothing behind. */
  const refused = async (wrong: { line: number; raw: string }[]): Promise<string[]> => {
    const projectId = await newProject();
    await own.api('PUT', `/projects/${projectId}/archive`, undefined, { raw: '', headers: ndjson });
    const answers = await expectNoChange(app.db, own, 400, async () => {
      const all = [];
      for (const { raw, line } of wrong) {
        const answer = await importLines(own.api, projectId, raw);
        if (answer.status === 200) throw new Error(`It was taken: ${raw.split('\n')[line - 1]}`);
        all.push(answer);
      }
      return all;
    });
    expect(answers.map(({ body }) => body.details.line)).toEqual(wrong.map(({ line }) => line));
    return answers.map(({ body }) => body.message);
  };

  it('400 for a row with a column that its part does not have, and for one that lacks what it needs', async () => {
    await refused(dataParts(rows).map((part) => changed(rows, part, { extra: 1 })));
    const required = {
      testset: 'name',
      testcase: 'json_data',
      metric: 'name',
      metric_config: 'guidelines',
      record: 'inputs',
      score: 'state',
      annotation: 'rating',
      span: 'content',
      monitor: 'name',
    };
    const lacking = Object.entries(required).map(([part, column]) => {
      const { raw, line } = changed(rows, part, { [column]: undefined });
      return { raw, line };
    });
    await refused(lacking);
  });

  it('400 for values that no such row has', async () => {
    const wrong: [string, Row][] = [
      ...[{ input_fields: 'q' }, { json_schema: { type: 'nothing' } }, { json_schema: [] }].map(
        (row): [string, Row] => ['testset', row],
      ),
      ...[{ n: '5' }, { n: 1.5 }, { n: 2 ** 31 }, { validation_errors: {} }, { validation_errors: [{}] }].map(
        (row): [string, Row] => ['testcase', row],
      ),
      ...[
        { id: 'x' },
        { id: idOf(1).replace('1', 'A') },
        { eval_type: 'ai' },
        { output_type: 'int' },
        { judge_repeats: 0 },
      ].map((row): [string, Row] => ['metric_config', row]),
      ...[{ name: 'a\0b' }, { name: 5 }, { review_rule: 'x' }, { id: 1.5 }, { created_at: 'now' }].map(
        (row): [string, Row] => ['metric', row],
      ),
      ...[{ created_at: '2026-02-30T00:00:00Z' }, { last_record_n: null }, { notes: null }].map(
        (row): [string, Row] => ['run', row],
      ),
      ...[{ inputs: null }, { inputs: [] }, { inputs: 'x' }, { n: '1' }, { testcase_n: 'x' }].map(
        (row): [string, Row] => ['record', row],
      ),
      ...[{ source: 'x' }, { id: 'x' }].map((row): [string, Row] => ['record_tag', row]),
      ...[{ score: null }, { state: 'failed' }, { state: 'done' }, { score: [] }, { attempts: 'x' }].map(
        (row): [string, Row] => ['score', row],
      ),
      ...[{ score: null }, { state: 'pending' }, { replaced_at: null }].map((row): [string, Row] => [
        'score_history',
        row,
      ]),
      ...[{ score: null }, { otel_trace_id: '\\x01' }, { replaced_at: null }].map((row): [string, Row] => [
        'span_score_history',
        row,
      ]),
      ...[{ score: { binaryScore: 1 } }, { score: {} }, { submitted_at: '9999-99-99T00:00:00Z' }].map(
        (row): [string, Row] => ['review_score', row],
      ),
      ...[
        { metric_config_id: idOf(2) },
        { strata_name: '22' },
        { strata_of: 'x' },
        { strata_name: null },
      ].map((row): [string, Row] => ['review_sample', row]),
      ...[{ num_drawn: 3 }, { num_records: 0 }, { wave: 0 }].map((row): [string, Row] => [
        'review_stratum',
        row,
      ]),
      ...[{ place: 3 }, { place: 0 }].map((row): [string, Row] => ['review_sample_record', row]),
      ...[{ state: 'failed' }, { trial_id: idOf(99) }].map((row): [string, Row] => ['proposed_score', row]),
      ...[{ record_n: null }, { trial: 40_000 }].map((row): [string, Row] => ['execution', row]),
      ...[
        { otel_id: `\\x${'0'.repeat(32)}` },
        { otel_id: '\\xab' },
        { otel_id: 'zz' },
        { input_order: 'x' },
        { output_order: `4${'0'.repeat(68)}` },
      ].map((row): [string, Row] => ['trace', row]),
      ...[
        { span_id: `\\x${'0'.repeat(16)}` },
        { parent_span_id: '\\x' },
        { kind: 6 },
        { kind: 0.5 },
        { name: 'a\0b' },
        { start_ns: '1' },
        { end_ns: 1e30 },
        { source_id: 'ab' },
        { trace_id: 'cd'.repeat(16) },
        { content: {} },
        { content: [] },
        { content: { status: '0', attributes: {} } },
        { content: { status: 2 ** 31, attributes: {} } },
        { content: { status: 0, attributes: [] } },
        { content: { status: 0, attributes: {}, events: [1] } },
        { content: { status: 0, attributes: {}, links: [{ traceId: 1 }] } },
        { content: { status: 0, attributes: {}, droppedLinksCount: -1 } },
      ].map((row): [string, Row] => ['span', row]),
      ...[{ sampling_rate: 0 }, { settle_seconds: -1 }].map((row): [string, Row] => ['monitor', row]),
      ...[{ trace_days: 0 }, { trace_days: 'x' }].map((row): [string, Row] => ['project_settings', row]),
      ...[{ display: [] }, { shared: 'yes' }].map((row): [string, Row] => ['saved_view', row]),
      ['trial_candidate', { drift: { broken: [] } }],
    ];
    const messages = await refused(wrong.map(([part, changes]) => changed(rows, part, changes)));
    // What the database says is for its operator.
    expect(
      messages.filter((message) => /violates|syntax|relation|constraint|_check|_fkey/.test(message)),
    ).toEqual([]);
  });

  it('400 for a row that comes twice, and for JSON that nests too deep', async () => {
    const unique = dataParts(rows).filter(
      (part) =>
        ![
          'project_settings',
          'span_source',
          'score_history',
          'span_score_history',
          'review_score',
          'saved_view',
          'annotation_reply',
        ].includes(part),
    );
    await refused(
      unique.map((part) => {
        const at = rows.findIndex((row) => row.part === part);
        return { line: at + 2, raw: linesOf(rows.toSpliced(at + 1, 0, rows[at]!)) };
      }),
    );
    const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
    const { raw, line } = changed(rows, 'record', { inputs: { deep: 'HERE' } });
    await refused([{ line, raw: raw.replace('"HERE"', deep) }]);
  });

  it('400 where two records of a stratum have one place, or what belongs together is torn apart', async () => {
    const projectId = await newProject();
    const at = rows.findIndex(({ part }) => part === 'review_sample_record');
    const record = rows.findIndex(({ part }) => part === 'record');
    const twice = rows
      .toSpliced(at + 1, 0, { ...rows[at], n: 2 })
      .toSpliced(record + 1, 0, { ...rows[record], n: 2, otel_link_id: null });
    expect((await importLines(own.api, projectId, linesOf(twice))).status).toBe(400);
    expect((await stateOf(projectId)).completedAt).toBeNull();
    // Configurations of two metrics that name each other's.
    const [human, code] = ['metric', 'metric'].map((part, i) => rows.filter((row) => row.part === part)[i]!);
    const swapped = rows.map((row) =>
      row === human
        ? { ...row, current_config_id: code!.current_config_id }
        : row === code
          ? { ...row, current_config_id: human!.current_config_id }
          : row,
    );
    const answer = await importLines(own.api, await newProject(), linesOf(swapped));
    expect([answer.status, answer.body.details.line]).toEqual([
      400,
      rows.findIndex(({ part }) => part === 'metric_config') + 1,
    ]);
  });

  it.each([
    ['nothing', '', undefined],
    ['no JSON', 'hello\n', 1],
    ['a list', '[]\n', 1],
    ['null', 'null\n', 1],
    ['no header', linesOf([end]), 1],
    ['two headers', linesOf([header, header, end]), 2],
    ['a later version', linesOf([{ ...header, version: 2 }, end]), 1],
    ['no version', linesOf([{ ...header, version: undefined }, end]), 1],
    ['an unknown part', linesOf([header, { part: 'organization', id: 1 }, end]), 2],
    ['a part of JavaScript', linesOf([header, { part: '__proto__' }, end]), 2],
    ['someone without an address', linesOf([header, { part: 'member', id: idOf(1) }, end]), 2],
    [
      'someone with another id',
      linesOf([header, { part: 'member', id: 'x'.repeat(5_000), email: 'a' }, end]),
      2,
    ],
    ['bytes of nothing', linesOf([header, { part: 'bytes', base64: '' }, end]), 2],
    ['no end', linesOf([header]), undefined],
    ['more after the end', linesOf([header, end, end]), undefined],
    ['an empty line', `${linesOf([header])}\n${linesOf([end])}`, 2],
  ])('400 for %s', async (_, raw, line) => {
    const answer = await importLines(own.api, await newProject(), raw);
    expect([answer.status, answer.body.details.line]).toEqual([400, line]);
  });

  it('400 for bytes that are not UTF-8, or not those that an attachment says', async () => {
    const bytes = Buffer.concat([Buffer.from(linesOf([header])), Buffer.from([0xff, 0xfe, 0x0a])]);
    const headers = ndjson;
    const put = async (raw: Buffer | string) =>
      own.api('PUT', `/projects/${await newProject()}/archive`, undefined, { raw, headers });
    expect((await put(bytes)).body.details.line).toBe(2);
    const file = {
      part: 'attachment',
      id: idOf(60),
      session_id: 'wrong bytes',
      file_path: 'f',
      filename: null,
      content_type: 'text/plain',
      size_bytes: 3,
      sha256: 'ab'.repeat(32),
      metadata: null,
    };
    const wrong = [
      [file, { part: 'bytes', base64: 'YWJj' }],
      [file, { part: 'bytes', base64: 'YQ==' }],
      [file, { part: 'bytes', base64: 'YWJjZGVm' }],
      [{ ...file, sha256: 'x' }],
      [{ ...file, size_bytes: -1 }],
      [{ ...file, content_type: 'a\nb' }],
    ];
    for (const some of wrong) {
      const answer = await put(linesOf([header, ...some, end]));
      expect([answer.status, answer.body.details.line]).toEqual([400, 2]);
    }
    const { body } = await own.api('GET', '/sessions/wrong%20bytes/attachments');
    expect(body.data).toEqual([]);
  });

  it('415 for every other type', async () => {
    const projectId = await newProject();
    for (const type of ['application/json', 'text/plain', 'application/octet-stream']) {
      const headers = { 'content-type': type };
      const path = `/projects/${projectId}/archive`;
      expect((await own.api('PUT', path, undefined, { raw: emptyArchive, headers })).status).toBe(415);
    }
  });
});
