import { describe, expect, it } from 'vitest';
import { nothing, openImports } from './importing.ts';

const { opened, importFile, readRun } = openImports();

/** A log of an agent in the form of Inspect 0.3.285 (log/_log.py, scorer/_metric.py), with NaN as Python writes it. */
const log = `{
  "version": 2, "status": "success",
  "eval": {"eval_id": "e1", "run_id": "r1", "task": "ctf", "model": "openai/gpt-5-mini", "dataset": {"sample_ids": ["flag"]},
    "scorers": [{"name": "judge"}, {"name": "steps"}]},
  "samples": [{
    "id": "flag", "epoch": 1, "uuid": "u1", "input": "attachment://aa11", "target": "picoCTF{x}", "started_at": "2026-11-21T08:23:29+00:00",
    "messages": [
      {"role": "system", "content": "Find the flag."},
      {"role": "user", "content": "attachment://aa11"},
      {"role": "assistant", "model": "openai/gpt-5-mini", "content": [{"type": "reasoning", "reasoning": "ls first"}, {"type": "text", "text": "I look."}],
        "tool_calls": [{"id": "t1", "function": "bash", "arguments": {"cmd": "ls"}, "type": "function"}]},
      {"role": "tool", "tool_call_id": "t1", "function": "bash", "content": "", "error": {"type": "timeout", "message": "Command timed out."}},
      {"role": "assistant", "content": "picoCTF{x}"}],
    "output": {"model": "openai/gpt-5-mini", "completion": "picoCTF{x}", "choices": []},
    "scores": {
      "judge": {"value": "C", "answer": "picoCTF{x}", "explanation": "The flag is right.", "history": []},
      "steps": {"value": {"economy": 0.5, "style": NaN}, "answer": "2 steps", "history": []}},
    "metadata": {}, "attachments": {"aa11": "The file is flag.txt. NaN is no flag."}, "events": []
  }]
}`;

describe('Inspect: a log of an agent', () => {
  it('has a metric for each scorer, with explanation or answer; NaN is unscored', async () => {
    await opened.terminal.write('agent.json', log);
    const said = await importFile('agent.json', '--scale', '0..1');
    expect(said).toMatchObject({ tool: 'Inspect', records: 1, metrics: 2, scores: 2 });
    expect(said.notes).toEqual(["Skipped metric 'steps.style': it has no values."]);
    expect(await readRun(said.runIds[0])).toMatchObject([
      {
        inputs: { input: 'The file is flag.txt. NaN is no flag.' },
        scores: {
          judge: { binaryScore: true, reasoning: 'The flag is right.' },
          'steps.economy': { floatScore: 0.5, reasoning: 'Answer: 2 steps' },
        },
      },
    ]);
    expect(await importFile('agent.json', '--scale', '0..1')).toMatchObject(nothing);
  });

  it('has the conversation and the tool calls of the sample', async () => {
    await opened.terminal.write('agent.json', log);
    const [record] = await readRun((await importFile('agent.json', '--scale', '0..1')).runIds[0]);
    const { data } = await opened.terminal.client.getRecordConversation(record!.recordId);
    expect(data.map(({ role, content }) => [role, content])).toEqual([
      ['system', 'Find the flag.'],
      ['user', 'The file is flag.txt. NaN is no flag.'],
      ['assistant', 'I look.'],
      ['tool', ''],
      ['assistant', 'picoCTF{x}'],
    ]);
    expect(data[3]).toMatchObject({ error: 'Command timed out.' });
    expect(data[2]).toMatchObject({ reasoning: 'ls first' });
  });
});
