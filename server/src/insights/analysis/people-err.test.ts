import { expect, it } from 'vitest';
import {
  createMetric,
  createProject,
  createTestcases,
  createTestset,
  namePeople,
  ok,
} from '../../../test/fixtures.ts';
import { startApp } from '../../../test/harness.ts';
import { createReviewers, type Reviewer, submit } from '../../../test/reviews.ts';
import { createRunOf } from '../../../test/scored-runs.ts';

const count = 60;

it('two blind reviewers show how often people err, and the corrected rate is corrected for it', async () => {
  const app = await startApp();
  try {
    const organization = await app.organization();
    const { api } = organization;
    const { id: projectId } = await createProject(api);
    const judge = await createMetric(api, projectId, {
      evalType: 'ai',
      outputType: 'boolean',
      promptTemplate: '{{ outputs.a }}',
    });
    const people = await createMetric(api, projectId, { evalType: 'human', outputType: 'boolean' });
    await namePeople(api, judge.id, people.id);
    const settings = { numReviewers: 2, reviewRule: 'latest' };
    await ok(api('PATCH', `/metrics/${people.id}/settings`, settings));
    const truth = (i: number) => i % 4 > 0;
    const testset = await createTestset(api, projectId);
    const testcases = [
      ...(await createTestcases(api, testset.id, count)),
      ...(await createTestcases(api, testset.id, count)),
    ];
    // The judge errs on each tenth record.
    const runWith = (isRight: (i: number) => boolean) =>
      createRunOf(
        api,
        projectId,
        [judge, people],
        testcases.map(({ id }: { id: string }, i: number) => ({
          testcaseId: id,
          scores: { [judge.id]: i % 10 === 0 ? !isRight(i) : isRight(i), [people.id]: null },
        })),
      );
    const { run, recordIds, configIds } = await runWith(truth);
    const reviewers = await createReviewers(organization, 2);
    const reviewAll = async (records: string[], isRight: (i: number) => boolean) => {
      const review = async (reviewer: Reviewer, errs: (i: number) => boolean) => {
        for (let i = 0; i < count; i++) {
          const binaryScore = errs(i) ? !isRight(i) : isRight(i);
          await submit(reviewer, { configId: configIds[1]! }, records[i]!, { binaryScore, reasoning: '' });
        }
      };
      await review(reviewers[0]!, (i) => i % 12 === 1 || [20, 44].includes(i));
      await review(reviewers[1]!, (i) => i % 12 === 7 || [8, 32].includes(i));
    };
    await reviewAll(recordIds, truth);
    const path = `/metrics/${judge.id}/calibration?against=${people.id}&runId=${run.id}`;
    const { corrected, caveats } = await ok(api('GET', path));
    const { people: found, estimate, interval, assumption, caveats: limits } = corrected.predictionPowered;
    // They differ on 14 of 60: 2ε(1 − ε) = 14/60.
    expect(found).toMatchObject({ numRecords: count, disagreement: expect.closeTo(14 / 60, 9) });
    expect(found.error).toBeCloseTo((1 - Math.sqrt(1 - 28 / 60)) / 2, 9);
    // By the labels 42 of 60 pass, where 45 are good.
    expect(found.uncorrected.estimate).toBeLessThan(0.72);
    expect(Math.abs(estimate - 0.75)).toBeLessThan(0.05);
    expect(interval.low).toBeLessThan(0.75);
    expect(interval.high - interval.low).toBeGreaterThan(
      found.uncorrected.interval.high - found.uncorrected.interval.low,
    );
    expect(assumption).toContain('reviewers err independently, on passes as often as on failures (in 13.5 %');
    const codes = (of: { code: string }[]) => of.map(({ code }) => code);
    expect([codes(limits), codes(caveats)]).toEqual([
      expect.arrayContaining(['peopleErr']),
      expect.arrayContaining(['peopleErr']),
    ]);
    expect(corrected.roganGladen).toMatchObject({ people: { uncorrected: null } });
    expect(codes(corrected.roganGladen.caveats)).toContain('peopleErr');
    const { metrics } = await ok(api('GET', `/runs/${run.id}/summary`));
    const { judge: status } = metrics.find(({ metricId }: { metricId: string }) => metricId === judge.id);
    expect(status.correctedRate).toMatchObject({ estimate, people: found });

    // A difference shrinks by the same errors: of 75 % and 25 % people who err say 70 and 30.
    const worse = (i: number) => !truth(i);
    const later = await runWith(worse);
    await reviewAll(later.recordIds, worse);
    const { pairs } = await ok(api('GET', `/runs/compare?runs=${run.id},${later.run.id}`));
    const { corrected: difference } = pairs[0].metrics[0];
    expect(Math.abs(difference.difference + 0.5)).toBeLessThan(0.1);
    expect(difference.assumption).toContain('reviewers err independently');
    expect(difference.caveats.find(({ code }: { code: string }) => code === 'peopleErr').sentence).toMatch(
      /the difference is corrected for that, which makes it 1\.37 times as large/,
    );
  } finally {
    await app.close();
  }
}, 60_000);
