import { expect, it } from 'vitest';
import { isSmallModel } from './small-models.ts';

it('a model of at most about one billion parameters is known by its name', () => {
  const small = [
    'ollama/gemma3:270m',
    'vllm/Qwen/Qwen3-0.6B',
    'local/SmolLM2-135M-Instruct',
    'x/llama-3.2-1b',
    'x/gemma3:1b',
  ];
  const others = [
    'gpt-4.1-mini',
    'x/gemma3:4b',
    'x/qwen3-1.8b',
    'x/llama-3.1-70b',
    'claude-haiku-4-5',
    'x/phi-3.1b',
    '',
  ];
  expect(small.filter((name) => !isSmallModel(name))).toEqual([]);
  expect(others.filter(isSmallModel)).toEqual([]);
});
