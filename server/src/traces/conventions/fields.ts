/**
 * Where each instrumentation writes what a span says of a model, a tool or an agent. One line a meaning; the first key
 * that a span has counts. GenAI semantic conventions current and old (gen_ai.*), OpenInference (llm.*, input.*, tool.*),
 * OpenLLMetry (gen_ai.prompt.N, traceloop.*), Vercel AI SDK (ai.*), Claude Code and the Claude Agent SDK (bare names).
 */
export const fields = {
  model: [
    'gen_ai.response.model',
    'gen_ai.request.model',
    'llm.model_name',
    'llm.response.model_name',
    'llm.request.model_name',
    'embedding.model_name',
    'reranker.model_name',
    'ai.response.model',
    'ai.model.id',
    'llm.response.model',
    'llm.request.model',
    'model',
  ],
  provider: ['gen_ai.provider.name', 'gen_ai.system', 'llm.provider', 'llm.system', 'ai.model.provider'],
  inputTokens: [
    'gen_ai.usage.input_tokens',
    'gen_ai.usage.prompt_tokens',
    'llm.token_count.prompt',
    'llm.usage.prompt_tokens',
    'ai.usage.inputTokens',
    'ai.usage.promptTokens',
    'input_tokens',
  ],
  outputTokens: [
    'gen_ai.usage.output_tokens',
    'gen_ai.usage.completion_tokens',
    'llm.token_count.completion',
    'llm.usage.completion_tokens',
    'ai.usage.outputTokens',
    'ai.usage.completionTokens',
    'output_tokens',
  ],
  cachedInputTokens: [
    'gen_ai.usage.cache_read.input_tokens',
    'gen_ai.usage.cache_read_input_tokens',
    'llm.token_count.prompt_details.cache_read',
    'ai.usage.cachedInputTokens',
    'cache_read_tokens',
  ],
  reasoningTokens: [
    'gen_ai.usage.reasoning.output_tokens',
    'gen_ai.usage.reasoning_tokens',
    'llm.token_count.completion_details.reasoning',
    'ai.usage.reasoningTokens',
  ],
  costUsd: [
    'gen_ai.usage.cost',
    'gen_ai.cost.total_cost',
    'llm.cost.total',
    'llm.usage.cost',
    'cost_usd',
    'total_cost_usd',
  ],
  agentName: [
    'gen_ai.agent.name',
    'agent.name',
    'graph.node.name',
    'traceloop.entity.name',
    'subagent_type',
    'agent_type',
    'agent_name',
  ],
  toolName: [
    'gen_ai.tool.name',
    'tool.name',
    'tool_call.function.name',
    'ai.toolCall.name',
    'tool_name',
    'traceloop.entity.name',
  ],
  toolCallId: [
    'gen_ai.tool.call.id',
    'tool_call.id',
    'tool.call_id',
    'tool.id',
    'ai.toolCall.id',
    'tool_use_id',
  ],
  toolArguments: [
    'gen_ai.tool.call.arguments',
    'tool_call.function.arguments',
    'ai.toolCall.args',
    'ai.toolCall.input',
    'tool_input',
    'tool.parameters',
    'traceloop.entity.input',
    'input.value',
    'full_command',
    'file_path',
  ],
  toolResult: [
    'gen_ai.tool.call.result',
    'ai.toolCall.result',
    'ai.toolCall.output',
    'traceloop.entity.output',
    'output.value',
    'new_context',
  ],
  /** What went in and came out where these are not messages. */
  input: [
    'input.value',
    'gen_ai.retrieval.query.text',
    'traceloop.entity.input',
    'user_prompt',
    'new_context',
    'gen_ai.prompt',
    'input',
  ],
  output: [
    'output.value',
    'gen_ai.retrieval.documents',
    'traceloop.entity.output',
    'response.model_output',
    'gen_ai.completion',
    'ai.response.text',
    'ai.response.object',
    'output',
  ],
  /** Messages in one attribute, as JSON text or structured. */
  inputMessages: [
    'gen_ai.input.messages',
    'gen_ai.input_messages',
    'gen_ai.prompt.messages',
    'ai.prompt.messages',
    'ai.prompt',
    'gen_ai.request.messages',
  ],
  outputMessages: [
    'gen_ai.output.messages',
    'gen_ai.output_messages',
    'gen_ai.completion.choices',
    'gen_ai.response.messages',
  ],
  systemInstructions: ['gen_ai.system_instructions', 'system_prompt', 'user_system_prompt'],
  error: ['error.message', 'exception.message', 'error', 'error.type'],
  sessionId: [
    'session.id',
    'gen_ai.conversation.id',
    'traceloop.association.properties.session_id',
    'ai.telemetry.metadata.sessionId',
    'ai.settings.context.sessionId',
  ],
  projectId: ['dokima.project_id', 'scorecard.project_id'],
  link: ['dokima.otel_link_id', 'scorecard.otel_link_id'],
} as const satisfies Record<string, readonly string[]>;

/** Attributes whose tags a trace's record gets. */
export const tagFields = ['tags', 'scorecard.tags', 'dokima.tags', 'tag.tags'] as const;

/** Messages flattened into one attribute for each of their members. */
export const flattened = {
  input: ['llm.input_messages', 'gen_ai.prompt', 'llm.prompts'],
  output: ['llm.output_messages', 'gen_ai.completion', 'llm.completions', 'llm.choices'],
} as const;

export type Operation = 'chat' | 'tool' | 'agent' | 'chain' | 'embedding' | 'retrieval';

/** What a span does, by the attributes that say so; the first that says something known counts. */
export const operations: readonly (readonly [key: string, values: Record<string, Operation>])[] = [
  [
    'gen_ai.operation.name',
    {
      chat: 'chat',
      completion: 'chat',
      text_completion: 'chat',
      generate_content: 'chat',
      embeddings: 'embedding',
      retrieval: 'retrieval',
      rerank: 'retrieval',
      execute_tool: 'tool',
      invoke_agent: 'agent',
      create_agent: 'agent',
      invoke_workflow: 'chain',
      agent_step: 'chain',
    },
  ],
  [
    'openinference.span.kind',
    {
      LLM: 'chat',
      TOOL: 'tool',
      AGENT: 'agent',
      CHAIN: 'chain',
      EMBEDDING: 'embedding',
      RETRIEVER: 'retrieval',
      RERANKER: 'retrieval',
    },
  ],
  ['traceloop.span.kind', { workflow: 'chain', task: 'chain', agent: 'agent', tool: 'tool' }],
  ['llm.request.type', { chat: 'chat', completion: 'chat', embedding: 'embedding', rerank: 'retrieval' }],
  [
    'ai.operationId',
    {
      'ai.generateText': 'agent',
      'ai.streamText': 'agent',
      'ai.generateObject': 'agent',
      'ai.streamObject': 'agent',
      'ai.generateText.doGenerate': 'chat',
      'ai.streamText.doStream': 'chat',
      'ai.generateObject.doGenerate': 'chat',
      'ai.streamObject.doStream': 'chat',
      'ai.toolCall': 'tool',
      'ai.embed': 'embedding',
      'ai.embed.doEmbed': 'embedding',
      'ai.embedMany': 'embedding',
      'ai.embedMany.doEmbed': 'embedding',
    },
  ],
  ['span.type', { interaction: 'agent', 'subagent.spawn': 'agent', llm_request: 'chat', tool: 'tool' }],
];

/** What a span does, by its name, where no attribute says it. */
export const operationNames: Record<string, Operation> = {
  'claude_code.interaction': 'agent',
  'claude_code.subagent.spawn': 'agent',
  'claude_code.llm_request': 'chat',
  'claude_code.tool': 'tool',
};
