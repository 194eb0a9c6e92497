import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  emptyArchive,
  end,
  exportLines,
  importLines,
  importNew,
  linesOf,
  type Row,
  rowsOfPart,
} from '../../test/archive-lines.ts';
import { archiveRows, changed, dataParts, idOf, numbers, partsOf } from '../../test/archive-rows.ts';
import {
  createMetric,
  createProject,
  createRecord,
  createRun,
  createTestset,
  ok,
} from '../../test/fixtures.ts';
import type { Client } from '../../test/harness.ts';
import { openApp } from '../../test/opened.ts';
import { expectNoChange, rowsOf } from '../../test/rows.ts';

const { app, own } = await openApp();
/** An archive with a row of each part. */
let rows: Row[];

beforeAll(async () => {
  rows = archiveRows(own.memberId);
});

const newProject = async (api: Client = own.api): Promise<string> => (await createProject(api)).id;
const stateOf = (projectId: string) => ok(own.api('GET', `/projects/${projectId}/import`));
/** The archive with so many tags that several transactions store it. */
const manyRows = (count: number): Row[] => {
  const at = rows.findIndex(({ part }) => part === 'record_tag');
  const tags = Array.from({ length: count }, (_, i) => ({
    ...rows[at],
    id: idOf(1_000 + i),
    text: `tag ${String(i).padStart(6, '0')}`,
  }));
  return rows.toSpliced(at, 1, ...tags);
};
/** What rows say, without ids and their order. */
const withoutIds = (all: Row[]): string[] =>
  all
    .filter(({ part }) => !['archive', 'member', 'end'].includes(part))
    .map((row) =>
      JSON.stringify(
        Object.entries(row)
          .filter(([name]) => !/^id$|(?<!otel|session|span)_id$/.test(name))
          .filter(([name]) => !['strata_name', 'search', 'display', 'run_ids'].includes(name))
          .sort(([a], [b]) => (a < b ? -1 : 1)),
      ),
    )
    .sort();

describe('PUT /projects/:projectId/archive', () => {
  it('stores a row of each part as an export gives it again, with what it names', async () => {
    const projectId = await newProject();
    const { rows: counts, ...state } = await ok(importLines(own.api, projectId, linesOf(rows)));
    expect(counts).toEqual(
      Object.fromEntries(dataParts(rows).map((part) => [part, rowsOfPart(linesOf(rows), part).length])),
    );
    expect(state).toEqual({
      projectId,
      numLines: rows.length,
      yours: {},
      leftOut: {},
      changed: {},
      startedAt: expect.any(String),
      completedAt: expect.any(String),
    });
    const archive = await exportLines(own.api, projectId);
    expect(withoutIds(rowsOfPart(archive))).toEqual(withoutIds(rows));
    const one = (part: string, i = 0) => rowsOfPart(archive, part)[i]!;
    const [human, code] = rowsOfPart(archive, 'metric_config');
    expect(one('metric')).toMatchObject({ id: human!.metric_id, current_config_id: human!.id });
    expect(one('review_sample').strata_name).toBe(String(code!.metric_id));
    expect(one('annotation_reply').annotation_id).toBe(one('annotation').id);
    expect(one('proposed_score')).toMatchObject({
      trial_id: rowsOfPart(archive, 'trial')[1]!.id,
      metric_config_id: code!.id,
      before_config_id: human!.id,
    });
    expect(one('saved_view')).toMatchObject({
      search: `run:${one('run').id} "run:${numbers.run}"`,
      display: { order: [`score.${human!.metric_id}`] },
    });
    expect(one('system').production_version_id).toBe(one('system_version').id);
    for (const row of rowsOfPart(archive).filter(({ n, run_id }) => n === 1 && run_id !== undefined))
      expect(row.run_id).toBe(one('run').id);
    expect(one('run_verdict').baseline_run_id).toBe(one('run').id);
    expect(one('record')).toMatchObject({ origin_run_id: one('run').id, origin_n: 7 });
    // Nothing has an id that it had.
    const ids = rows.flatMap(({ id }) => (typeof id === 'string' && id !== own.memberId ? [id] : []));
    expect(ids.filter((id) => archive.includes(id))).toEqual([]);
  });

  it('changes nothing the second time; another archive is a 409', async () => {
    const projectId = await newProject();
    const before = await ok(importLines(own.api, projectId, linesOf(rows)));
    const [again] = await expectNoChange(app.db, own, 200, async () => [
      await importLines(own.api, projectId, linesOf(rows)),
    ]);
    expect(again!.body).toEqual(before);
    await expectNoChange(app.db, own, 409, async () => [
      await importLines(own.api, projectId, linesOf([...rows, end])),
      await importLines(own.api, projectId, changed(rows, 'record', { inputs: {} }).raw),
    ]);
  });

  it('409 for a project with its own data', async () => {
    const projects = await Promise.all([newProject(), newProject()]);
    await createTestset(own.api, projects[0]!);
    await createRun(own.api, projects[1]!, []);
    await expectNoChange(app.db, own, 409, () =>
      Promise.all(projects.map((id) => importLines(own.api, id, emptyArchive))),
    );
    expect((await own.api('GET', `/projects/${projects[0]}/import`)).status).toBe(404);
  });

  it('goes on where it broke off, wherever that was, and ends with the same project', async () => {
    const bytes = Buffer.from('an attachment');
    const file = {
      part: 'attachment',
      id: idOf(60),
      session_id: 'broken off',
      file_path: 'f',
      filename: null,
      content_type: 'text/plain',
      size_bytes: bytes.length,
      metadata: { step: 1 },
      sha256: createHash('sha256').update(bytes).digest('hex'),
    };
    const all = manyRows(5_000).toSpliced(
      -1,
      1,
      file,
      { part: 'bytes', base64: bytes.toString('base64') },
      end,
    );
    const raw = linesOf(all);
    const projectId = await newProject();
    // In a line and between two, in the first transaction and in later ones, within an attachment.
    const lines = raw.split('\n');
    const cuts = [1, 0.3, 0.5, 0.9].map((share) => Math.floor(raw.length * share) - 1);
    const before = [lines.length - 2, lines.length - 3].map((n) => lines.slice(0, n).join('\n').length + 1);
    const reached: number[] = [];
    for (const cut of [100, cuts[1]!, cuts[2]!, cuts[1]!, cuts[3]!, ...before.toReversed(), cuts[0]! - 20]) {
      expect((await importLines(own.api, projectId, raw.slice(0, cut))).status).toBe(400);
      const { numLines, completedAt } = await stateOf(projectId);
      expect(completedAt).toBeNull();
      reached.push(numLines);
    }
    expect(reached).toEqual(reached.toSorted((a, b) => a - b));
    expect(new Set(reached).size).toBeGreaterThan(3);
    const { rows: counts } = await ok(importLines(own.api, projectId, raw));
    expect(counts).toMatchObject({ record_tag: 5_000, record: 1, attachment: 1 });
    const whole = await importNew(own.api, raw);
    expect(withoutIds(rowsOfPart(await exportLines(own.api, projectId)))).toEqual(
      withoutIds(rowsOfPart(await exportLines(own.api, whole))),
    );
    const { data } = await ok(own.api('GET', `/sessions/broken%20off/attachments?projectId=${projectId}`));
    expect(data).toMatchObject([{ filePath: 'f', status: 'uploaded', metadata: { step: 1 } }]);
  });

  it('409 for another archive while one is half there, and for the second of two at once', async () => {
    const all = manyRows(5_000);
    const projectId = await newProject();
    expect((await importLines(own.api, projectId, linesOf(all.slice(0, -1)))).status).toBe(400);
    await expectNoChange(app.db, own, 409, async () => [
      await importLines(own.api, projectId, linesOf(all.with(3, { ...all[3], name: 'another' }))),
    ]);
    await expectNoChange(app.db, own, 400, async () => [await importLines(own.api, projectId, emptyArchive)]);
    const other = await newProject();
    const both = await Promise.all([1, 2].map(() => importLines(own.api, other, linesOf(all))));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 409)!.headers['retry-after']).toBe('1');
    expect((await stateOf(other)).rows.record_tag).toBe(5_000);
  });

  it('takes what a request cannot: a record of 15 MB with evidence of the same size', async () => {
    const large = 'x'.repeat(15_000_000);
    const at = rows.findIndex(({ part }) => part === 'score');
    const all = rows
      .with(at, { ...rows[at], evidence: { large } })
      .map((row) => (row.part === 'record' ? { ...row, outputs: { large } } : row));
    const archive = await exportLines(own.api, await importNew(own.api, linesOf(all)));
    expect(rowsOfPart(archive, 'score')[0]!.evidence.large).toHaveLength(large.length);
    expect(rowsOfPart(archive, 'record')[0]!.outputs.large).toHaveLength(large.length);
  });

  it('takes an archive from before a column that may be missing', async () => {
    const at = rows.findIndex(({ part }) => part === 'run');
    const { notes: _, ...earlier } = rows[at]!;
    const projectId = await importNew(own.api, linesOf(rows.with(at, earlier as Row)));
    const runs = rowsOfPart(await exportLines(own.api, projectId), 'run');
    expect(runs.map(({ notes }) => notes)).toContain('');
  });
});

describe('another organization', () => {
  it('is neither read nor written, whichever of its ids an archive names', async () => {
    const other = await app.organization();
    const theirs = await importNew(other.api, linesOf(archiveRows(other.memberId)));
    const before = await rowsOf(app.db, other.organizationId);
    const archive = await exportLines(other.api, theirs);
    const one = (part: string) => rowsOfPart(archive, part)[0]!;
    const named: [string, Row][] = [
      ['testcase', { testset_id: one('testset').id }],
      ['metric', { current_config_id: one('metric_config').id }],
      ['metric_config', { metric_id: one('metric').id }],
      ['system', { production_version_id: one('system_version').id }],
      ['system_version', { system_id: one('system').id }],
      ['run', { testset_id: one('testset').id }],
      ['run', { system_version_id: one('system_version').id }],
      ['run_metric', { metric_config_id: one('metric_config').id }],
      ['annotation_reply', { annotation_id: one('annotation').id }],
      ['review_sample', { strata_name: String(one('metric').id) }],
      ['review_stratum', { sample_id: one('review_sample').id }],
      ['proposed_score', { trial_id: one('trial').id }],
      ['proposed_score', { before_config_id: one('metric_config').id }],
      ['monitor_metric', { metric_id: one('metric').id }],
      ['monitor_metric', { monitor_id: one('monitor').id }],
      ['pinned_set', { metric_config_id: one('metric_config').id }],
      ...partsOf(rows)
        .filter((part) => 'run_id' in rows.find((row) => row.part === part)!)
        .map((part): [string, Row] => [part, { run_id: one('run').id }]),
    ];
    const projectId = await newProject();
    for (const [part, changes] of named) {
      const { raw, line } = changed(rows, part, changes);
      const { status, body } = await importLines(own.api, projectId, raw);
      expect({ part, status, line: body.details.line }).toEqual({ part, status: 400, line });
    }
    // A copy outlives its original, and names no record of theirs.
    const copied = await newProject();
    const copy = changed(rows, 'record', { origin_run_id: one('run').id }).raw;
    await ok(importLines(own.api, copied, copy));
    expect(rowsOfPart(await exportLines(own.api, copied), 'record')[0]).toMatchObject({
      origin_run_id: null,
    });
    // Its ids are taken here already, so each row gets a new one.
    const taken = rows.map((row) => {
      const id = row.part === 'record_tag' ? one('record_tag').id : undefined;
      return id ? { ...row, id } : row;
    });
    const stolen = JSON.stringify(taken)
      .replaceAll(idOf(1), one('metric_config').id)
      .replaceAll(idOf(3), one('system_version').id)
      .replaceAll(idOf(5), one('review_sample').id)
      .replaceAll(idOf(7), one('monitor').id)
      .replaceAll(idOf(40), one('system').id)
      .replaceAll(idOf(54), one('saved_view').id);
    const imported = await exportLines(own.api, await importNew(own.api, linesOf(JSON.parse(stolen))));
    expect(withoutIds(rowsOfPart(imported))).toEqual(withoutIds(rows));
    // A trace and an identity of theirs are other rows here.
    expect(await rowsOf(app.db, other.organizationId)).toBe(before);
    expect(await exportLines(other.api, theirs)).toBe(archive);
  });

  it('404 for its projects; its people are not members here', async () => {
    const other = await app.organization();
    const theirs = await newProject(other.api);
    await expectNoChange(app.db, other, 404, async () => [
      await importLines(own.api, theirs, emptyArchive),
      await own.api('GET', `/projects/${theirs}/archive`),
      await own.api('GET', `/projects/${theirs}/import`),
    ]);
    const projectId = await newProject();
    const state = await ok(importLines(own.api, projectId, linesOf(archiveRows(other.memberId))));
    expect(state.yours).toMatchObject({ annotation: 2, score: 1, review_sample: 1, saved_view: 1 });
    expect(state.leftOut).toEqual({
      record_assignment: 1,
      review_score: 1,
      review_claim: 1,
      preference_vote: 1,
    });
    const archive = await exportLines(own.api, projectId);
    expect(archive).not.toContain(other.memberId);
    expect(rowsOfPart(archive, 'annotation')[0]!.member_id).toBe(own.memberId);
  });

  it('lets an admin alone say what other members have done, and anyone to whom a record is assigned', async () => {
    const person = await own.person();
    const { id: projectId } = await createProject(person.api);
    const state = await ok(importLines(person.api, projectId, linesOf(rows)));
    expect(state.leftOut).toEqual({ review_score: 1, review_claim: 1, preference_vote: 1 });
    const archive = await exportLines(own.api, projectId);
    expect(rowsOfPart(archive, 'record_assignment')[0]).toMatchObject({
      assignee_id: own.memberId,
      assigned_by: person.id,
    });
    expect(rowsOfPart(archive, 'score')[0]!.scored_by).toBe(person.id);
    const viewer = { name: 'V', email: 'viewer@example.org', role: 'viewer' };
    await ok(own.api('POST', '/members', viewer), 201);
  });

  it('works for monitors, calls and numbers: paused, cancelled, and none that someone else has', async () => {
    const projectId = await newProject();
    const all = rows.map((row) =>
      row.part === 'monitor'
        ? { ...row, paused_at: null }
        : row.part === 'execution'
          ? { ...row, state: 'pending', record_n: null }
          : row,
    );
    const state = await ok(importLines(own.api, projectId, linesOf(all)));
    expect(state.changed).toEqual({ monitor: 1, execution: 1 });
    const archive = await exportLines(own.api, projectId);
    expect(rowsOfPart(archive, 'monitor')[0]!.paused_at).not.toBeNull();
    expect(rowsOfPart(archive, 'execution')[0]!.state).toBe('cancelled');
    const [run] = (await ok(own.api('GET', `/projects/${projectId}/runs?limit=100`))).data.slice(-1);
    expect((await createRecord(own.api, run.id)).id).toBe(`${run.id}-5`);
    const metric = await createMetric(own.api, projectId, { evalType: 'human', outputType: 'int' });
    expect(Number(metric.id)).toBeGreaterThan(0);
  });
});

describe('a project that masks', () => {
  it('masks what was said in a conversation that broke off, and what a model was sent and said of a pair', async () => {
    const projectId = await newProject();
    const fields = ['outputs.messages.content'];
    const settings = { patterns: ['email'], custom: [], fields, hashed: false, testcases: false };
    await ok(
      own.api('PATCH', `/projects/${projectId}/settings`, { masking: { ...settings, comments: true } }),
    );
    const planted = 'Write to planted@example.org';
    const all = rows.map((row): Row => {
      if (row.part === 'execution') return { ...row, evidence: { messages: [{ content: 'Planted words' }] } };
      if (row.part === 'preference_pair')
        return { ...row, partial_verdict: { evidence: { prompt: planted } } };
      if (row.part === 'preference_vote') return { ...row, comment: planted, evidence: { prompt: planted } };
      return row;
    });
    await ok(importLines(own.api, projectId, linesOf(all)));
    const archive = await exportLines(own.api, projectId);
    expect(archive.toLowerCase()).not.toContain('planted');
    expect(rowsOfPart(archive, 'preference_vote').map(({ comment }) => comment)).toEqual(
      Array(2).fill('Write to [EMAIL]'),
    );
  });
});
