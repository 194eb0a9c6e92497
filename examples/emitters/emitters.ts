import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a row of the matrix can be wrong in. docs/tracing.md explains each. */
export const columns = ['record', 'messages', 'tools', 'usage', 'cost', 'errors', 'session', 'user'] as const;
export type Column = (typeof columns)[number];

export type Emitter = {
  /** Framework and instrumentation, as the matrix has them. */
  title: string;
  /** Folder in programs/ with `program.py` and `requirements.txt`, or with `program.mjs` and `package.json`. */
  folder: string;
  args?: string[];
  /** Whether the row is of an old version, so that the newest one is not recorded in its place. */
  isOld?: boolean;
  /** Settings that the emitter needs for a full record, besides those of OpenTelemetry. */
  environment?: Record<string, string>;
  /** `agent`: two turns with tools. `prompt`: one question to a model. */
  scenario: 'agent' | 'prompt';
  /** The record's fields of the question and the answer, if the framework names them. */
  fields?: [question: string, answer: string];
  /** Whether the framework puts questions and answers into texts that it makes for the model. */
  isFramed?: boolean;
  /** The tool by which the framework's agents answer; its only argument is the answer. */
  finalTool?: string;
  /** Whether the framework makes the ids of sessions and users itself. */
  makesIds?: boolean;
  /** Cells that are wrong, with the reason. All others must be right. */
  wrong?: Partial<Record<Column, string>>;
};

const langsmith = {
  LANGSMITH_TRACING: 'true',
  LANGSMITH_TRACING_MODE: 'otel',
  LANGSMITH_API_KEY: 'local',
};

/** Emitters by the name of their recorded spans. */
export const emitters: Record<string, Emitter> = {
  'langchain-openinference': {
    title: 'LangGraph `create_agent`, OpenInference',
    folder: 'langchain',
    args: ['agent', 'openinference'],
    scenario: 'agent',
  },
  'langchain-openllmetry': {
    title: 'LangGraph `create_agent`, OpenLLMetry',
    folder: 'langchain',
    args: ['agent', 'openllmetry'],
    scenario: 'agent',
  },
  'langchain-langsmith': {
    title: 'LangGraph `create_agent`, LangSmith',
    folder: 'langchain',
    args: ['agent', 'langsmith'],
    environment: langsmith,
    scenario: 'agent',
  },
  'langchain-prompt-openinference': {
    title: 'LangChain `prompt | model`, OpenInference',
    folder: 'langchain',
    args: ['prompt', 'openinference'],
    scenario: 'prompt',
  },
  'langchain-prompt-openllmetry': {
    title: 'LangChain `prompt | model`, OpenLLMetry',
    folder: 'langchain',
    args: ['prompt', 'openllmetry'],
    scenario: 'prompt',
  },
  'langchain-prompt-langsmith': {
    title: 'LangChain `prompt | model`, LangSmith',
    folder: 'langchain',
    args: ['prompt', 'langsmith'],
    environment: langsmith,
    scenario: 'prompt',
  },
  'langchain-js': {
    title: 'LangChain in JavaScript `createAgent`, OpenInference',
    folder: 'langchain-js',
    scenario: 'agent',
  },
  'openai-openinference': {
    title: 'OpenAI client, OpenInference',
    folder: 'openai',
    args: ['openinference'],
    scenario: 'prompt',
  },
  'openai-openllmetry': {
    title: 'OpenAI client, OpenLLMetry',
    folder: 'openai',
    args: ['openllmetry'],
    scenario: 'prompt',
  },
  'openai-agents': {
    title: 'OpenAI Agents SDK, OpenInference',
    folder: 'openai-agents',
    scenario: 'agent',
    wrong: {
      usage: 'the tokens of a stream are not sent',
      cost: 'the tokens of a stream and cached tokens are not sent',
      errors: 'the SDK redacts the error',
    },
  },
  'pydantic-ai': {
    title: 'Pydantic AI, own telemetry (Logfire)',
    folder: 'pydantic-ai',
    scenario: 'agent',
  },
  'vercel-ai': {
    title: 'Vercel AI SDK, own telemetry',
    folder: 'vercel-ai',
    scenario: 'agent',
  },
  'llama-index-openinference': {
    title: 'LlamaIndex, OpenInference',
    folder: 'llama-index',
    args: ['openinference'],
    scenario: 'agent',
    wrong: {
      usage: 'the tokens of a stream are not sent',
      cost: 'the tokens of a stream are not sent',
    },
  },
  'llama-index-openllmetry': {
    title: 'LlamaIndex, OpenLLMetry',
    folder: 'llama-index',
    args: ['openllmetry'],
    scenario: 'agent',
    wrong: {
      messages: 'calls of tools are not sent',
      tools: 'calls of tools are not sent',
      usage: 'tokens are not sent',
      cost: 'tokens are not sent',
      errors: 'errors are not sent',
    },
  },
  'google-adk': {
    title: 'Google ADK, own telemetry',
    folder: 'google-adk',
    args: ['own'],
    environment: {
      OTEL_SEMCONV_STABILITY_OPT_IN: 'gen_ai_latest_experimental',
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'SPAN_ONLY',
    },
    scenario: 'agent',
  },
  'google-adk-1': {
    title: 'Google ADK 1.39, own telemetry',
    folder: 'google-adk-1',
    isOld: true,
    scenario: 'agent',
    wrong: {
      cost: 'one of the two spans of a call lacks the cached tokens',
      errors: 'the failed tool is not marked',
    },
  },
  'google-adk-openinference': {
    title: 'Google ADK, OpenInference',
    folder: 'google-adk',
    args: ['openinference'],
    scenario: 'agent',
    wrong: {
      messages: 'several calls of the model share a span',
      tools: 'several calls of the model share a span',
      usage: 'several calls of the model share a span',
      cost: 'several calls of the model share a span',
    },
  },
  strands: {
    title: 'Strands, own telemetry',
    folder: 'strands',
    scenario: 'agent',
  },
  'strands-latest': {
    title: 'Strands, own telemetry, newest conventions',
    folder: 'strands',
    environment: {
      OTEL_SEMCONV_STABILITY_OPT_IN: 'gen_ai_latest_experimental',
    },
    scenario: 'agent',
  },
  agno: {
    title: 'Agno, OpenInference',
    folder: 'agno',
    scenario: 'agent',
  },
  haystack: {
    title: 'Haystack, OpenInference',
    folder: 'haystack',
    scenario: 'agent',
    wrong: {
      messages: 'results of tools are not sent',
      tools: 'results of tools are not sent',
      cost: 'cached tokens are not sent',
      errors: 'failed tools are not sent',
    },
  },
  autogen: {
    title: 'AutoGen, own telemetry',
    folder: 'autogen',
    args: ['own'],
    scenario: 'agent',
    wrong: {
      record: 'messages and tokens are not sent',
      messages: 'messages and tokens are not sent',
      tools: 'messages and tokens are not sent',
      usage: 'messages and tokens are not sent',
      cost: 'messages and tokens are not sent',
    },
  },
  'autogen-openinference': {
    title: 'AutoGen, OpenInference',
    folder: 'autogen',
    args: ['openinference'],
    scenario: 'agent',
    wrong: {
      cost: 'cached tokens are not sent',
    },
  },
  'agent-framework': {
    title: 'Microsoft agent-framework, own telemetry',
    folder: 'agent-framework',
    scenario: 'agent',
  },
  crewai: {
    title: 'CrewAI, OpenInference',
    folder: 'crewai',
    args: ['openinference'],
    scenario: 'agent',
    isFramed: true,
  },
  'crewai-openllmetry': {
    title: 'CrewAI, OpenLLMetry',
    folder: 'crewai',
    args: ['openllmetry'],
    scenario: 'agent',
    isFramed: true,
    wrong: { errors: 'the failed tool is not marked' },
  },
  ag2: {
    title: 'AG2, own telemetry',
    folder: 'ag2',
    scenario: 'agent',
  },
  smolagents: {
    title: 'smolagents, OpenInference',
    folder: 'smolagents',
    scenario: 'agent',
    isFramed: true,
    finalTool: 'final_answer',
    wrong: { cost: 'cached tokens are not sent' },
  },
  mastra: {
    title: 'Mastra, own telemetry',
    folder: 'mastra',
    scenario: 'agent',
  },
  'claude-agent': {
    title: 'Claude Agent SDK, own telemetry',
    folder: 'claude-agent',
    environment: {
      CLAUDE_CODE_ENABLE_TELEMETRY: '1',
      CLAUDE_CODE_ENHANCED_TELEMETRY_BETA: '1',
      OTEL_TRACES_EXPORTER: 'otlp',
      OTEL_LOG_USER_PROMPTS: '1',
      OTEL_LOG_TOOL_DETAILS: '1',
      OTEL_LOG_TOOL_CONTENT: '1',
    },
    scenario: 'agent',
    makesIds: true,
  },
  traceloop: {
    title: 'traceloop-sdk, decorators',
    folder: 'traceloop',
    scenario: 'agent',
  },
  dspy: {
    title: 'DSPy, OpenInference',
    folder: 'dspy',
    scenario: 'prompt',
    fields: ['question', 'answer'],
    isFramed: true,
    wrong: { usage: 'tokens are not sent', cost: 'tokens are not sent' },
  },
  litellm: {
    title: 'LiteLLM, own telemetry',
    folder: 'litellm',
    scenario: 'prompt',
  },
  'google-genai': {
    title: 'google-genai, OpenInference',
    folder: 'google-genai',
    args: ['openinference'],
    scenario: 'prompt',
  },
  'google-genai-own': {
    title: "google-genai, OpenTelemetry's own",
    folder: 'google-genai',
    args: ['own'],
    environment: {
      OTEL_SEMCONV_STABILITY_OPT_IN: 'gen_ai_latest_experimental',
      OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'SPAN_ONLY',
    },
    scenario: 'prompt',
  },
};

/** Whether a program writes session and user with a processor of spans, because its framework has no setting for them. */
const usesProcessor = (folder: string): boolean =>
  ['program.py', 'program.mjs']
    .map((name) => join(import.meta.dirname, 'programs', folder, name))
    .filter((path) => existsSync(path))
    .some((path) => /in_session=True|onStart: \(span\)/.test(readFileSync(path, 'utf8')));

/** Returns the matrix as a table in Markdown. A cell that is wrong has the number of its note below the table. */
export const matrix = (): string => {
  const notes = [...new Set(Object.values(emitters).flatMap(({ wrong = {} }) => Object.values(wrong)))];
  const rows = Object.values(emitters).map(({ title, folder, wrong = {} }) => {
    const cells = columns.map((column) => {
      const note = wrong[column];
      if (note !== undefined) return `✗ ${notes.indexOf(note) + 1}`;
      const isOurs = (column === 'session' || column === 'user') && usesProcessor(folder);
      return isOurs ? 'processor' : '✓';
    });
    return `| ${title} | ${cells.join(' | ')} |`;
  });
  return [
    `| framework and telemetry | ${columns.join(' | ')} |`,
    `|---|${columns.map(() => '---|').join('')}`,
    ...rows.map((row) => row.replaceAll('prompt | model', 'prompt \\| model')),
    '',
    ...notes.map((note, i) => `${i + 1}. ${note[0]!.toUpperCase()}${note.slice(1)}.`),
  ].join('\n');
};
