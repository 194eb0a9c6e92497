import {
  createMetric,
  createProject,
  createRescoring,
  createTestset,
  ok,
} from '../../server/test/fixtures.ts';
import type { Client } from '../../server/test/harness.ts';
import { createRunOf } from '../../server/test/scored-runs.ts';

/** Realistic texts: long, in other scripts, with characters that fonts lack. */
const questions = [
  'Where is my parcel? It was to come on Tuesday.',
  'لماذا تأخر طلبي؟ رقم الطلب 4711',
  'איפה החבילה שלי',
  'Wie lange dauert eine Rücksendung nach Österreich, wenn der Paketschein fehlt?',
  '返品はいつまでに送ればよいですか。👩‍👩‍👧‍👦',
  `${'Averyverylongwordthatnobreakingruleeverexpected'.repeat(4)}?`,
];
const answers = [
  'It is on its way and arrives tomorrow.',
  'نعتذر عن التأخير، سيصل طلبك غدًا.',
  `Dear customer,\n\n${'we are looking into it and will write to you as soon as we know more. '.repeat(12)}`,
  'I do not know. 🤷',
];
const topics = ['delivery', 'refund', 'account', 'taxes 🧾'];

/** A number from 0 to 1 that looks random and is the same each time. */
const noise = (i: number): number => ((i * 2_654_435_761) % 4_294_967_296) / 4_294_967_296;

export type Realistic = {
  projectId: string;
  testsetId: string;
  metricId: string;
  humanMetricId: string;
  /** Rescoring of the last run, with scores still pending. */
  /** Drift trial of the metric, with verdicts still pending. */
  trialNumber: string;
  rescoringNumber: string;
  /** Oldest first. */
  runIds: string[];
  recordId: string;
  systemId: string;
};

/** A project as a team has it after a week: three runs over a testset, five metrics, tags, comments, someone who is assigned. */
export const createRealistic = async (api: Client, memberId: string): Promise<Realistic> => {
  const project = await createProject(api);
  await ok(
    api('PATCH', `/projects/${project.id}`, {
      name: 'Support answers, all languages (production, since March) 🛟',
      description: 'What customers ask, and what the assistant says. Scored by code, by models and by us.',
    }),
  );
  const testset = await createTestset(api, project.id, {
    name: 'Questions of customers, hand-picked, with difficult languages',
    fieldMapping: { inputs: ['question'], expected: ['answer'], metadata: ['topic', 'difficulty'] },
  });
  const items = Array.from({ length: 60 }, (_, i) => ({
    jsonData: {
      question: questions[i % questions.length],
      answer: 'Within five working days.',
      topic: topics[i % topics.length],
      difficulty: 1 + (i % 3),
    },
  }));
  const testcases = (await ok(api('POST', `/testsets/${testset.id}/testcases`, { items }), 201)).items;
  const metric = (name: string, fields: { evalType: string; outputType: string; [field: string]: string }) =>
    createMetric(api, project.id, { name, ...fields });
  const correct = await metric('Correct', { evalType: 'heuristic', outputType: 'boolean' });
  const similar = await metric('Similarity to the expected answer', {
    evalType: 'heuristic',
    outputType: 'float',
  });
  const faithful = await metric('Faithful', {
    evalType: 'ai',
    outputType: 'boolean',
    guidelines: 'Passes when nothing is claimed that the sources do not say.',
    promptTemplate: 'Does {{ outputs.answer }} answer {{ inputs.question }}?\n\n{{ guidelines }}',
  });
  const tone = await metric('Tone', {
    evalType: 'human',
    outputType: 'int',
    guidelines: '**5** as a good colleague would put it\n\n**1** rude, or a lecture',
  });
  const safe = await metric('הבטחות שאסור לתת', { evalType: 'human', outputType: 'boolean' });
  const runs = [];
  const startTrial = async () => {
    await ok(api('PUT', `/metrics/${faithful.id}/pinned-set`, { against: safe.id, size: 12 }));
    await ok(api('POST', `/metrics/${faithful.id}/trials`, { kind: 'drift' }), 201);
  };
  for (const [r, share] of [0.6, 0.72, 0.81].entries()) {
    // Before the last run, which stays the newest.
    if (r === 2) await startTrial();
    const records = testcases.map(({ id }: { id: string }, i: number) => {
      const luck = noise(i * 7 + r + 1);
      return {
        testcaseId: id,
        inputs: { question: questions[i % questions.length] },
        outputs: { answer: answers[(i + r) % answers.length], confidence: Math.round(100 * luck) / 100 },
        scores: {
          [correct.id]: luck < share,
          [similar.id]: Math.round(1000 * (0.4 + 0.6 * luck)) / 1000,
          [faithful.id]: r === 2 ? null : luck < 0.9,
          [tone.id]: r === 2 && i > 20 ? null : 1 + Math.floor(luck * 5),
          [safe.id]: r === 2 && i > 5 ? null : true,
        },
      };
    });
    runs.push(
      await createRunOf(api, project.id, [correct, similar, faithful, tone, safe], records, {
        testsetId: testset.id,
      }),
    );
  }
  const { run, recordIds } = runs.at(-1)!;
  const chat = [
    { role: 'user', content: questions[1] },
    {
      role: 'assistant',
      content: `# Ihre Sendung\n\n${'Sie ist **unterwegs** und kommt morgen. '.repeat(250)}`,
    },
  ];
  const { ids } = await ok(
    api('POST', `/runs/${run.id}/records/bulk-create`, {
      items: [
        {
          inputs: { question: questions[1], chat, sources: [{ id: 7, title: 'Terms', score: 0.25 }] },
          expected: { answer: 'Within five working days.' },
          outputs: { answer: chat[1]!.content, confidence: 0.83, tools: { calls: [], tokens: null } },
        },
      ],
    }),
    201,
  );
  const recordId = ids[0] as string;
  for (const [i, id] of recordIds.entries())
    if (i % 9 === 0)
      await ok(api('POST', `/records/${id}/tags`, { text: i % 2 ? 'regression' : 'to discuss' }), 201);
  for (const id of [recordId, ...recordIds.slice(0, 3)]) {
    await ok(api('POST', `/records/${id}/annotations`, { rating: false, comment: 'Promises a date.' }), 201);
    await ok(api('POST', `/records/${id}/assignees`, { assigneeUserId: memberId }), 201);
  }
  await ok(
    api('PATCH', `/runs/${run.id}/details`, {
      notes: 'New prompt: shorter, and **no** promise of a date.\nTone is half done.',
    }),
  );
  const prompt = (content: string) => ({
    messages: [
      { role: 'system', content },
      { role: 'user', content: '{{ inputs.question }}' },
    ],
    modelName: 'gpt-4o-mini',
    temperature: 0,
  });
  const named = { name: 'support-answer', description: 'Answers customers in their language.' };
  const config = prompt('You answer customers of a shop, at length.');
  const system = await ok(api('POST', `/projects/${project.id}/systems`, { ...named, config }), 201);
  const shorter = { name: 'Shorter', note: 'Customers did not read to the end.' };
  const next = await ok(
    api('POST', `/systems/${system.id}/versions`, {
      ...shorter,
      config: prompt('You answer customers of a shop, in two sentences.'),
    }),
  );
  await ok(api('PUT', `/systems/${system.id}/labels/staging`, { systemVersionId: next.id }));
  const rescoring = await createRescoring(api, run.id, faithful.id);
  return {
    projectId: project.id,
    testsetId: testset.id,
    metricId: faithful.id,
    trialNumber: '1',
    rescoringNumber: rescoring.split('/').at(-1)!,
    humanMetricId: tone.id,
    runIds: runs.map((each) => each.run.id as string),
    recordId,
    systemId: system.id,
  };
};

/** A project with more metrics than any page was drawn for. */
export const createMany = async (
  api: Client,
  count: number,
): Promise<{ projectId: string; runId: string }> => {
  const project = await createProject(api);
  const metrics: { id: string; outputType: string }[] = [];
  for (let i = 0; i < count; i++) {
    const plain = `${topics[i % topics.length]} ${i + 1}: ${questions[i % questions.length]}`.slice(0, 120);
    // Some names come from programs: nothing in them tells where a line may break.
    const name = i % 20 === 7 ? `${plain.replaceAll(/\W+/g, '_')}_`.padEnd(200, 'and_so_on_') : plain;
    metrics.push(
      await createMetric(api, project.id, {
        name,
        description: `A long text about ${plain}, which no one reads to its end. `.repeat(4),
        evalType: 'heuristic',
        outputType: i % 3 ? 'boolean' : 'int',
      }),
    );
  }
  const records = Array.from({ length: 12 }, (_, i) => ({
    inputs: { question: questions[i % questions.length] },
    scores: Object.fromEntries(
      metrics.map(({ id, outputType }, m) => [
        id,
        outputType === 'int' ? 1 + Math.floor(5 * noise(i + m + 1)) : noise(i * m + 1) < 0.7,
      ]),
    ),
  }));
  const { run } = await createRunOf(api, project.id, metrics, records);
  return { projectId: project.id, runId: run.id };
};
