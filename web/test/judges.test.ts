import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createMetric, createProject, createTestset, namePeople, ok } from '../../server/test/fixtures.ts';
import { createRunOf } from '../../server/test/scored-runs.ts';
import { openSite, type Site, type Visitor } from './site.ts';

let site: Site;
let visitor: Visitor;

beforeAll(async () => {
  site = await openSite();
  visitor = await site.member('member');
});
afterAll(() => site.close());

let reviewers = 0;
const newReviewer = async (): Promise<string> => {
  reviewers += 1;
  const body = { name: `Reviewer ${reviewers}`, email: `reviewer${reviewers}@example.org`, role: 'member' };
  return (await ok(site.api('POST', '/members', body), 201)).id;
};

/** The truth of a record, and what the judge says of it: wrong for every eighth record. */
const truth = (i: number) => i % 5 > 1;
const verdict = (i: number) => (i % 8 === 1 ? !truth(i) : truth(i));

/** A project with a run of 600 records that a judge has scored. */
const createJudged = async () => {
  const { id: projectId } = await createProject(site.api);
  const judge = await createMetric(site.api, projectId, {
    name: 'Correct',
    evalType: 'ai',
    outputType: 'boolean',
    evalModelName: 'fake/judge',
    promptTemplate: 'Is {{ outputs.answer }} right?',
    guidelines: 'Passes if the answer is right.',
  });
  const testset = await createTestset(site.api, projectId, {
    fieldMapping: { inputs: ['question'], expected: ['answer'], metadata: ['document'] },
  });
  const items = Array.from({ length: 100 }, (_, i) => ({
    jsonData: { question: `q${i}`, answer: 'a', document: `d${i % 10}` },
  }));
  const made = await ok(site.api('POST', `/testsets/${testset.id}/testcases`, { items }), 201);
  const runOf = async (says: (i: number) => boolean, length = 600) => {
    // Those after the first hundred belong to no testcase.
    const records = Array.from({ length }, (_, i) => ({
      testcaseId: made.items[i]?.id,
      outputs: { answer: `Record ${i}: ${truth(i) ? 'right' : 'wrong'}` },
      scores: { [judge.id]: says(i) },
    }));
    const { run } = await createRunOf(site.api, projectId, [judge], records, { testsetId: testset.id });
    return run.id as string;
  };
  return { projectId, judge, testset, runOf };
};

describe('the page of a judge', () => {
  it('leads from a judge that no one labelled over 40 labels to a corrected rate and another answer', async () => {
    const { page } = visitor;
    const { projectId, judge, runOf } = await createJudged();
    const runId = await runOf(verdict);
    await page.goto(`/projects/${projectId}/metrics/${judge.id}`);
    await page.getByRole('link', { name: 'Judge quality' }).click();
    await page.getByRole('heading', { name: 'Unusable: not validated yet' }).waitFor();
    await page.getByText('No metric of people is set for this judge').waitFor();
    await page.getByRole('button', { name: `Draw 40 records of run ${runId} and label them` }).click();

    await page.getByText('40 records waiting').waitFor();
    for (let left = 40; left > 0; left--) {
      const record = page.getByRole('article');
      const said = await record.getByText(/^Record \d+: (right|wrong)$/).textContent();
      const judged = verdict(Number(/\d+/.exec(said!)![0]));
      // Five disagreements, whichever records are drawn.
      await page.keyboard.press(judged === (left % 8 !== 1) ? 'p' : 'f');
      await page.keyboard.press('Enter');
      if (left > 1) await record.getByText(said!, { exact: true }).waitFor({ state: 'detached' });
    }
    await page.getByRole('link', { name: 'Can the judge be trusted?' }).click();
    await page.getByRole('heading', { name: /Use with correction|May gate alone/ }).waitFor();
    const answer = await ok(site.api('GET', `/metrics/${judge.id}/calibration?runId=${runId}`));
    expect(answer.n).toBe(40);
    const { sensitivity, matrix } = answer;
    await page
      .getByRole('row', { name: /Sensitivity/ })
      .first()
      .getByText(`${(100 * sensitivity.estimate).toFixed(1)} %`)
      .waitFor();
    const lines = page.getByRole('table', { name: 'Judge against people' });
    await lines.getByRole('row', { name: `Judge fails ${matrix.falseNegatives} too strict` }).waitFor();
    // Both reasons stand side by side, and lead into the record.
    const items = page.getByRole('list', { name: 'Disagreements' }).getByRole('listitem');
    await expect.poll(() => items.count()).toBe(Math.min(5, answer.numDisagreements));
    await items.first().getByText('People').waitFor();
    await items
      .first()
      .getByRole('link', { name: new RegExp(`^${runId}-`) })
      .waitFor();
    const { numLabelsToHalve } = answer.corrected.predictionPowered;
    expect(numLabelsToHalve).toBeGreaterThan(0);
    await page
      .getByText(`${numLabelsToHalve} more labels halve the interval of the corrected rate.`)
      .waitFor();
    // The corrected rate stands beside the judged one, here and on the page of the run.
    const { roganGladen, predictionPowered } = answer.corrected;
    const rate = predictionPowered.interval ? predictionPowered : roganGladen;
    const corrected = new RegExp(`^corrected ${(100 * rate.estimate).toFixed(1)} %`);
    await page
      .getByRole('table', { name: 'Runs that it scored' })
      .getByRole('link', { name: corrected })
      .waitFor();
    await page.goto(`/projects/${projectId}/runs/${runId}`);
    await page
      .getByRole('row', { name: /Correct/ })
      .getByRole('link', { name: corrected })
      .waitFor();
    const later = await runOf(truth);
    await page.goto(`/projects/${projectId}/compare?runs=${runId},${later}`);
    const compared = page.getByRole('table', { name: `Run ${later} against run ${runId}` });
    // Both runs may have the same rate.
    await compared.getByRole('link', { name: corrected }).first().waitFor();
    await compared
      .getByRole('link', { name: /^corrected/ })
      .nth(1)
      .waitFor();
    // A record that is deleted while the list of disagreements is read.
    const asked = `/metrics/${judge.id}/calibration/disagreements?runId=${runId}`;
    const [{ recordId: deleted }] = (await ok(site.api('GET', asked))).data;
    const other = await site.member('member');
    await other.page.route('**/calibration/disagreements?*', async (route) => {
      const response = await route.fetch();
      const list = await response.json();
      for (const item of list.data) if (item.recordId === deleted) item.record = null;
      await route.fulfill({ response, json: list });
    });
    await other.page.goto(`/projects/${projectId}/metrics/${judge.id}/judge?run=${runId}`);
    const item = other.page.getByRole('listitem').filter({ hasText: deleted });
    await item.getByText('This record was deleted.').waitFor();
  }, 120_000);

  it('draws the labels from several runs of a small testset, and then trusts the judge', async () => {
    const { page } = visitor;
    const { projectId, judge, runOf } = await createJudged();
    const first = await runOf(verdict, 30);
    const second = await runOf(verdict, 30);
    await page.goto(`/projects/${projectId}/metrics/${judge.id}/judge`);
    await page
      .getByRole('button', { name: `Draw 40 records of runs ${second} and ${first} and label them` })
      .click();
    await page.getByText('40 records waiting').waitFor();
    for (const [runId, numDrawn] of [
      [second, 30],
      [first, 10],
    ] as const) {
      const [sample] = (await ok(site.api('GET', `/runs/${runId}/review-samples`))).data;
      expect(sample).toMatchObject({
        numRecords: 30,
        numDrawn,
        allocation: 'equal',
        stratifyBy: { metricId: judge.id },
      });
      // Where not every record is drawn, as many that the judge passed as that it failed.
      const drawnOf = sample.strata.map((stratum: { numDrawn: number }) => stratum.numDrawn);
      if (runId === first) expect(drawnOf).toEqual([5, 5]);
      const { data } = await ok(site.api('GET', `/review-samples/${sample.id}/records?limit=100`));
      for (const { recordId } of data) {
        const score = { binaryScore: truth(Number(recordId.split('-')[1]) - 1) };
        await ok(site.api('PUT', `/records/${recordId}/scores/${sample.metricConfigId}`, { score }));
      }
    }
    await page.goto(`/projects/${projectId}/metrics/${judge.id}/judge`);
    await page.getByRole('heading', { name: /Use with correction|May gate alone/ }).waitFor();
  });

  it('asks once by which metric people check it, and draws labels for that one', async () => {
    const { page } = visitor;
    const { projectId, judge, runOf } = await createJudged();
    const [first, other] = [await runOf(verdict, 50), await runOf(truth, 50)];
    const create = (name: string, guidelines: string) =>
      createMetric(site.api, projectId, { name, evalType: 'human', outputType: 'boolean', guidelines });
    const expert = await create('Expert review', 'Would you send it as it is?');
    await create('Right', 'Passes if the answer is right, says a person.');
    // Labels of another question, which must not be taken for this judge's.
    await ok(
      site.api('POST', `/runs/${first}/review-samples`, { metricId: expert.id, size: 30, seed: 1 }),
      201,
    );
    const [sample] = (await ok(site.api('GET', `/runs/${first}/review-samples`))).data;
    const { data } = await ok(site.api('GET', `/review-samples/${sample.id}/records?limit=100`));
    for (const { recordId } of data) {
      const score = { binaryScore: Number(recordId.split('-')[1]) % 2 === 0 };
      await ok(site.api('PUT', `/records/${recordId}/scores/${sample.metricConfigId}`, { score }));
    }
    await page.goto(`/projects/${projectId}/compare?runs=${first},${other}`);
    await page.getByRole('table', { name: `Run ${other} against run ${first}` }).waitFor();
    expect(await page.getByText(/corrected \d/).count()).toBe(0);
    await page.goto(`/projects/${projectId}/metrics/${judge.id}/judge`);
    await page.getByText('No person has labelled a record of this judge.').waitFor();
    const choice = page.getByRole('list', { name: 'Metrics that people score' });
    expect(await choice.getByRole('button').allTextContents()).toEqual([
      'Use Right',
      'Use Expert review',
      'Create Correct (people) with this judge’s guidelines',
    ]);
    await choice.getByRole('button', { name: 'Create Correct (people)' }).click();
    await page.getByText('Correct is now compared with Correct (people).').waitFor();
    await page.getByRole('button', { name: /^Draw 40 records of run/ }).click();
    await page.getByText('40 records waiting').waitFor();
    const { peopleMetricId } = await ok(site.api('GET', `/metrics/${judge.id}/settings`));
    const { name, guidelines } = await ok(site.api('GET', `/metrics/${peopleMetricId}`));
    expect([name, guidelines]).toEqual(['Correct (people)', 'Passes if the answer is right.']);
    await page.goto(`/projects/${projectId}/metrics/${judge.id}/judge`);
    await page.getByLabel('Held against').selectOption('Expert review');
    await page.getByRole('heading', { name: /by their scores of Expert review \(n = 30\)/ }).waitFor();
    expect((await ok(site.api('GET', `/metrics/${judge.id}/settings`))).peopleMetricId).toBe(expert.id);
  });

  it('compares configurations, pins labelled records, and marks where the rate moved', async () => {
    const { page } = visitor;
    const { projectId, judge, runOf } = await createJudged();
    const before = await runOf(truth);
    const after = await runOf((i) => i % 4 === 0);
    await ok(
      site.api('PATCH', `/metrics/${judge.id}`, {
        evalType: 'ai',
        outputType: 'boolean',
        guidelines: 'Stricter.',
      }),
    );
    await page.goto(`/projects/${projectId}/metrics/${judge.id}/judge`);
    await page.getByText('It has scored no run yet, so there is nothing to label.').waitFor();
    const rows = page.getByRole('table', { name: 'Configurations of the judge' }).getByRole('row');
    expect(await rows.count()).toBe(3);
    await page
      .getByText(`Run ${after}: the rate moved: its interval does not overlap that of run ${before}`)
      .waitFor();
    await rows.last().getByRole('link').click();
    await page.getByRole('button', { name: /Draw 40 records/ }).waitFor();
  });
});

describe('a judge that changed', () => {
  it('has drifted since its check, on an axis, and should not gate until someone has looked', async () => {
    const scoring = await openSite({ DOKIMA_WORKERS: '1' });
    try {
      const { page } = await scoring.member('member');
      const { id: projectId } = await createProject(scoring.api);
      const judge = await createMetric(scoring.api, projectId, {
        name: 'Correct',
        evalType: 'ai',
        outputType: 'boolean',
        evalModelName: 'fake/judge',
        promptTemplate: 'Is {{ outputs.answer }} right?',
      });
      const people = await createMetric(scoring.api, projectId, {
        name: 'People',
        evalType: 'human',
        outputType: 'boolean',
      });
      await namePeople(scoring.api, judge.id, people.id);
      // The reference agrees with people on every record; the model that answers now is made up.
      const records = Array.from({ length: 80 }, (_, i) => ({
        outputs: { answer: `Record ${i}` },
        scores: { [judge.id]: truth(i), [people.id]: truth(i) },
      }));
      await createRunOf(scoring.api, projectId, [judge, people], records);
      await page.goto(`/projects/${projectId}/metrics/${judge.id}/judge`);
      await page.getByRole('heading', { name: /Use with correction|May gate alone/ }).waitFor();
      await page.getByRole('button', { name: 'Watch for drift on these labels' }).click();
      await page.getByRole('button', { name: 'Start a drift trial' }).click();
      await page.getByRole('heading', { name: /it drifted: look at its drift first/ }).waitFor();
      await page.getByText(/^Drifted since .* \(drift 1\)\.$/).waitFor();
      const [trial] = (await ok(scoring.api('GET', `/trials?metricId=${judge.id}`))).data;
      const [{ drift }] = trial.candidates;
      const points = (100 * drift.difference).toFixed(1).replace('-', '−');
      await page
        .getByRole('img', {
          name: `Change of the agreement with people: Drift ${trial.number}: ${points} points`,
        })
        .waitFor();
      await page.getByText(/another model answers.*drift since here/).waitFor();
    } finally {
      await scoring.close();
    }
  }, 60_000);
});

describe('the other pages of trust', () => {
  it('the plan says how many testcases are needed, and follows each assumption', async () => {
    const { page } = visitor;
    const { projectId, judge, runOf } = await createJudged();
    await page.goto(`/projects/${projectId}/metrics`);
    // A link in a row leads where it says, not to the page of the row.
    await page
      .getByRole('table', { name: 'Metrics' })
      .getByRole('link', { name: /validated yet/ })
      .click();
    await page.waitForURL(/\/judge$/);
    await page.getByRole('heading', { name: 'Judge quality' }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/\/judge$/);
    await page.goto(`/projects/${projectId}/metrics`);
    await page.getByRole('link', { name: 'Plan a comparison' }).click();
    await page.getByText(/^No answer: no earlier run/).waitFor();
    await runOf(verdict);
    await page.goto(`/projects/${projectId}/metrics/${judge.id}`);
    await page.getByRole('heading', { name: 'Correct' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByPlaceholder('Search pages, runs, records, and actions…').fill('Plan');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Plan', exact: true }).waitFor();
    const needed = async (query: string) => {
      const path = `/projects/${projectId}/plan?metricId=${judge.id}&measure=pass&${query}`;
      return (await ok(site.api('GET', path))).numNeeded as number;
    };
    const answer = page.getByRole('status');
    const says = (n: number, points: number) =>
      answer
        .getByText(`You need ${n.toLocaleString('en')} testcases to see a difference of ${points} points.`)
        .waitFor();
    await says(await needed('difference=0.05'), 5);
    await page.getByLabel('Difference, points').fill('10');
    await says(await needed('difference=0.1'), 10);
    await page.getByLabel('Power, %').fill('90');
    await page.getByLabel('Repeats per testcase').fill('3');
    await says(await needed('difference=0.1&power=0.9&trials=3'), 10);
    await page.getByLabel('Runs against the baseline').fill('3');
    await page.getByLabel('Looks').fill('4');
    const planned = 'difference=0.1&power=0.9&trials=3&candidates=3&looks=4';
    await says(await needed(planned), 10);
    const path = `/projects/${projectId}/plan?metricId=${judge.id}&measure=pass&${planned}`;
    const { neededLooks } = await ok(site.api('GET', path));
    await page.getByText(`at ${neededLooks.join(', ')} testcases`).waitFor();
    expect(await page.getByLabel('Compare by').count()).toBe(0);
    const stars = await createMetric(site.api, projectId, {
      name: 'Stars',
      evalType: 'heuristic',
      outputType: 'int',
    });
    await createRunOf(
      site.api,
      projectId,
      [stars],
      Array.from({ length: 50 }, (_, i) => ({ scores: { [stars.id]: 1 + (i % 5) } })),
    );
    await page.goto(`/projects/${projectId}/plan?metric=${stars.id}`);
    await page.getByLabel('Compare by').selectOption('Mean score');
    await page.getByLabel('Difference, score').fill('0.5');
    const byScore = `/projects/${projectId}/plan?metricId=${stars.id}&measure=score&difference=0.5`;
    const { numNeeded } = await ok(site.api('GET', byScore));
    await answer
      .getByText(
        `You need ${numNeeded.toLocaleString('en')} testcases to see a difference of 0.5 of a score.`,
      )
      .waitFor();
  });

  it('the preview of a gate says whether the run would have passed, rule by rule, and what is wrong with the rules', async () => {
    const { page } = visitor;
    const { projectId, runOf } = await createJudged();
    const before = await runOf(truth);
    const after = await runOf((i) => i % 4 === 0);
    await page.goto(`/projects/${projectId}/metrics`);
    await page.getByRole('link', { name: 'Gate rules' }).click();
    // The newest run and the one before it on the same testset.
    await expect.poll(() => page.getByLabel('Run', { exact: true }).inputValue()).toBe(after);
    expect(await page.getByLabel('Baseline').inputValue()).toBe(before);
    const evaluate = page.getByRole('button', { name: 'Evaluate' });
    await evaluate.click();
    await page.getByRole('heading', { name: 'Would have failed', exact: true }).waitFor();
    await page.getByText('dokima gate would have ended with exit code 1.').waitFor();
    await page.getByRole('row', { name: new RegExp(`worse Correct is worse than run ${before}`) }).waitFor();
    // The judge that no one labelled is a separate rule.
    await page.getByRole('row', { name: /incomplete Correct: its judge is not calibrated/ }).waitFor();
    const rules = page.getByLabel('The same rules as text (dokima.yaml)');
    const rule = page.getByLabel('Rule of Correct');
    await rules.fill('# Ours.\npolicy: pull-request\ncovers: 0\nunpaired: true\nrequireCalibrated: true');
    await rule.selectOption({ label: 'Green if no more is shown to be lost than' });
    expect(await rules.inputValue()).toContain('Correct: { nonInferiority: { margin: 0.05 } }');
    await page.getByLabel('Margin of Correct, points').fill('90');
    await page.getByLabel('Ready rules').selectOption('');
    await page.getByLabel('Each judge must be shown').uncheck();
    await page.getByRole('button', { name: 'Try on the last run' }).click();
    await page.getByRole('heading', { name: 'Would not have stopped your last run' }).waitFor();
    await rule.selectOption({ label: 'Red if a loss is shown' });
    await page.getByRole('button', { name: 'Try on the last run' }).click();
    await page.getByRole('heading', { name: 'Would have stopped your last run' }).waitFor();
    await page
      .getByRole('row', { name: new RegExp(`Run ${after} Run ${before} worse Correct is worse than`) })
      .waitFor();
    await rules.fill('covers: 0\nmetrics:\n  Correct: { atLeast: 0.1 }');
    await evaluate.click();
    await page.getByRole('heading', { name: 'Would have passed' }).waitFor();
    await rules.fill('metrics:\n  Correct: { atleast: 0.1 }');
    await evaluate.click();
    await page.getByRole('alert').getByText('metrics.Correct.atleast is unknown').waitFor();
    expect(await rule.inputValue()).toBe('own');
    await rules.fill('metrics: [');
    await page.getByText('The fields come back when it is.').waitFor();
  });

  it('reviewers are held against each other, and a disagreement is decided', async () => {
    const { page } = visitor;
    const { id: projectId } = await createProject(site.api);
    const metric = await createMetric(site.api, projectId, {
      name: 'Polite',
      evalType: 'human',
      outputType: 'boolean',
    });
    await ok(
      site.api('PATCH', `/metrics/${metric.id}/settings`, { numReviewers: 3, reviewRule: 'majority' }),
    );
    const records = Array.from({ length: 12 }, (_, i) => ({
      outputs: { answer: `Answer ${i}` },
      scores: {},
    }));
    const { run, recordIds, configIds } = await createRunOf(site.api, projectId, [metric], records);
    const users = [await newReviewer(), await newReviewer(), await newReviewer()];
    for (const [i, recordId] of recordIds.entries())
      for (const [u, userId] of users.entries()) {
        const binaryScore = i === 0 && u === 2 ? false : i % 3 !== 1;
        const body = { score: { binaryScore, reasoning: `Reviewer ${u} says so.` }, userId };
        await ok(site.api('PUT', `/records/${recordId}/scores/${configIds[0]}`, body));
      }
    await page.goto(`/projects/${projectId}/disagreements?metric=${metric.id}`);
    const answer = await ok(site.api('GET', `/metrics/${metric.id}/agreement`));
    await page.getByRole('heading', { name: 'Agreement of reviewers (n = 12)' }).waitFor();
    await page.getByText(answer.alpha.estimate.toFixed(2)).first().waitFor();
    expect(await page.getByRole('table', { name: 'Agreement by pair' }).getByRole('row').count()).toBe(4);
    await page.getByRole('button', { name: 'Decide', exact: true }).click();
    await page.getByText('Answer 0').waitFor();
    await page.getByLabel('Reason (optional)').fill('Settled in the meeting.');
    await page.getByRole('button', { name: 'Decide: Fail' }).click();
    await page.getByText('Counts now: Fail').waitFor();
    const scoreNow = async () => (await ok(site.api('GET', `/records/${run.id}-1`))).scores[0].score;
    await expect.poll(scoreNow).toEqual({ binaryScore: false, reasoning: 'Settled in the meeting.' });
  });

  it('a grouping is chosen on the page of the testset', async () => {
    const { page } = visitor;
    const { projectId, testset } = await createJudged();
    await page.goto(`/projects/${projectId}/testsets/${testset.id}`);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Grouping of testcases' }).click();
    await page.getByLabel('Testcases that share this field form a group').selectOption('document');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved. From now on, intervals count groups.').waitFor();
    expect((await ok(site.api('GET', `/testsets/${testset.id}/settings`))).groupingField).toBe('document');
  });
});

it('no page has complained', () => {
  expect(visitor.complaints).toEqual([]);
});
