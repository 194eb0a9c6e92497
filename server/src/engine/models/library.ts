import type { EmbeddingModel, LanguageModel } from 'ai';
import type { ProviderConfig } from './provider.ts';

export type ChatModel = Extract<LanguageModel, { specificationVersion: 'v4' }>;
export type TextEmbedder = Extract<EmbeddingModel, { specificationVersion: 'v4' }>;

/** Opens the models of a provider; without `embedder` if the provider has no embeddings. */
type Library = { chat: (model: string) => ChatModel; embedder?: (model: string) => TextEmbedder };

/** Loads each library with the first model that needs it: all of them would double the start time of the server. */
export const openLibrary = async (
  provider: ProviderConfig,
  fetch: typeof globalThis.fetch,
): Promise<Library> => {
  // Passes every setting, an empty text if it is unset: the libraries take missing settings from the environment, and an organization would
  // use the operator's key.
  const { baseUrl, apiKey = '', options = {} } = provider;
  switch (provider.kind) {
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      const { organization, project } = options;
      const settings = { ...(organization && { organization }), ...(project && { project }) };
      const baseURL = baseUrl ?? 'https://api.openai.com/v1';
      const library = createOpenAI({ baseURL, apiKey, fetch, ...settings });
      // Chat Completions, because servers that replace OpenAI behind a base URL support it.
      return { chat: library.chat, embedder: library.embeddingModel };
    }
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return {
        chat: createAnthropic({ baseURL: baseUrl ?? 'https://api.anthropic.com/v1', apiKey, fetch }),
      };
    }
    case 'google': {
      const { createGoogle } = await import('@ai-sdk/google');
      const baseURL = baseUrl ?? 'https://generativelanguage.googleapis.com/v1beta';
      const library = createGoogle({ baseURL, apiKey, fetch });
      return { chat: library, embedder: library.embeddingModel };
    }
    case 'azure': {
      const { createAzure } = await import('@ai-sdk/azure');
      const { resourceName = '', apiVersion } = options;
      // The portal shows a resource's endpoint without a path.
      const baseURL = baseUrl?.replace(/(\.azure\.com)\/?$/, '$1/openai');
      const at = baseURL ? { baseURL } : { resourceName };
      // Dated versions belong to the API that has the deployment in its path; the newer API knows only v1 and preview.
      const version = apiVersion && { apiVersion, useDeploymentBasedUrls: /^\d{4}-/.test(apiVersion) };
      const library = createAzure({ ...at, apiKey, fetch, ...version });
      return { chat: library.chat, embedder: library.embeddingModel };
    }
    case 'bedrock': {
      const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock');
      const { region = '', accessKeyId = '', secretAccessKey = '', sessionToken = '' } = options;
      const baseURL = baseUrl ?? `https://bedrock-runtime.${region}.amazonaws.com`;
      const credentials = { region, accessKeyId, secretAccessKey, sessionToken };
      const library = createAmazonBedrock({ baseURL, apiKey, fetch, ...credentials });
      return { chat: library, embedder: library.embeddingModel };
    }
    case 'openai-compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const library = createOpenAICompatible({
        name: provider.name,
        baseURL: baseUrl ?? '',
        fetch,
        supportsStructuredOutputs: true,
        // Without it a streamed reply has no token counts.
        includeUsage: true,
        ...(apiKey && { apiKey }),
      });
      return { chat: library.chatModel, embedder: library.embeddingModel };
    }
    case 'fake':
      throw new Error('the fake provider has no library');
  }
};
