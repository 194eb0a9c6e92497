/**
 * What isolation costs: one exact-match metric over records of 0.8 KB, in the sandbox and, in the same run, called directly in
 * this process. `node bench/sandbox.ts`
 */
import { type CodeInput, type CodeLanguage, openSandbox } from '../server/src/engine/sandbox/sandbox.ts';

const record: CodeInput = {
  inputs: JSON.stringify({ question: 'q'.repeat(330) }),
  outputs: JSON.stringify({ answer: ' Paris', explanation: 'e'.repeat(380) }),
  expected: JSON.stringify({ answer: 'paris' }),
};
const metrics: [name: string, language: CodeLanguage, code: string, batches: number][] = [
  [
    'JavaScript',
    'javascript',
    `function score(inputs: any, outputs: any, expected: any) {
       return { score: outputs.answer.trim().toLowerCase() === expected.answer.trim().toLowerCase() };
     }`,
    100,
  ],
  [
    'Python, plain',
    'python',
    `def score(inputs, outputs, expected):
    return {"score": outputs["answer"].strip().lower() == expected["answer"].strip().lower()}`,
    40,
  ],
  [
    'Python, memory restored',
    'python',
    `import sys
def score(inputs, outputs, expected):
    return {"score": outputs["answer"].strip().lower() == expected["answer"].strip().lower()}`,
    2,
  ],
];
const batch = Array.from({ length: 250 }, () => record);
const processes = 2;

const perSecond = async (calls: number, work: () => Promise<void> | void): Promise<number> => {
  const start = performance.now();
  await work();
  return (calls / (performance.now() - start)) * 1000;
};

let matches = 0;
const direct = await perSecond(200_000, () => {
  for (let n = 0; n < 200_000; n++) {
    const [, outputs, expected] = [record.inputs, record.outputs, record.expected].map((text) =>
      JSON.parse(text),
    );
    if (outputs.answer.trim().toLowerCase() === expected.answer.trim().toLowerCase()) matches++;
  }
});
console.log(
  `direct call, parsing included: ${Math.round(direct).toLocaleString('en')} calls/s (${matches} matches)`,
);

const opened = performance.now();
const sandbox = openSandbox({ processes, wallClockMs: 30_000 });
for (const [name, language, code, batches] of metrics) {
  await sandbox.run(language, code, [record]);
  if (language === 'javascript')
    console.log(`first JavaScript score after ${Math.round(performance.now() - opened)} ms`);
  let left = batches;
  const worker = async () => {
    while (left-- > 0) {
      const results = await sandbox.run(language, code, batch);
      if (!results.every((result) => result.ok && result.score === true))
        throw new Error(JSON.stringify(results[0]));
    }
  };
  const round = () => Promise.all(Array.from({ length: processes }, worker)).then(() => {});
  await round();
  left = batches;
  const rate = await perSecond(batches * batch.length, round);
  console.log(
    `${name}: ${Math.round(rate).toLocaleString('en')} calls/s over ${processes} processes, 1/${(direct / rate).toFixed(1)} of the direct call`,
  );
}
await sandbox.close();
