/** What a row of the matrix can be wrong in. docs/tracing.md explains each. */
export const columns = ['record', 'messages', 'tools', 'usage', 'cost', 'errors', 'session'] as const;
export type Column = (typeof columns)[number];

export type Emitter = {
  /** Framework and instrumentation, as the matrix has them. */
  title: string;
  /** Folder in programs/ with `program.py` and `requirements.txt`, or with `program.mjs` and `package.json`. */
  folder: string;
  args?: string[];
  /** Settings that the emitter needs for a full record, besides those of OpenTelemetry. */
  environment?: Record<string, string>;
  /** `agent`: two turns with tools. `prompt`: one question to a model. */
  scenario: 'agent' | 'prompt';
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
};
