import { expect, it } from 'vitest'
import { readListedModels } from './listed-models.ts'

const readChatModels = (body: unknown) => readListedModels(body)?.flatMap(({ model }) => model ?? [])

it.each([
  ['OpenAI', { data: [{ id: 'gpt-6', object: 'model' }] }, [{ id: 'gpt-6' }]],
  // cogwheel0/conduit#84
  ['a gateway', { data: [{ id: 'llama', type: 'chat.completions' }] }, [{ id: 'llama' }]],
  ['another gateway', { data: [{ id: 'llama', type: 'chat-completion' }] }, [{ id: 'llama' }]],
  [
    'vLLM',
    { object: 'list', data: [{ id: 'Qwen/Qwen3', max_model_len: 40_960 }] },
    [{ id: 'Qwen/Qwen3', contextTokens: 40_960 }],
  ],
  [
    // what is loaded, not what the model was trained with
    'llama.cpp',
    {
      models: [{ name: 'a.gguf', model: 'a.gguf' }],
      data: [{ id: 'a.gguf', meta: { n_ctx_train: 131_072, n_ctx: 8_192 } }],
    },
    [{ id: 'a.gguf', contextTokens: 8_192 }],
  ],
  [
    'an older llama.cpp',
    { data: [{ id: 'a', meta: { n_ctx_train: 4_096 } }] },
    [{ id: 'a', contextTokens: 4_096 }],
  ],
  [
    'Ollama',
    { models: [{ name: 'llama3.2:latest', model: 'llama3.2:latest' }, { name: 'nomic-embed-text:latest' }] },
    [{ id: 'llama3.2:latest' }],
  ],
  [
    'LM Studio',
    {
      data: [
        { id: 'qwen', type: 'llm', max_context_length: 32_768, loaded_context_length: 4_096 },
        { id: 'nomic', type: 'embeddings' },
      ],
    },
    [{ id: 'qwen', contextTokens: 4_096 }],
  ],
  [
    'OpenRouter',
    {
      data: [
        {
          id: 'x/text',
          name: 'X: Text',
          context_length: 200_000,
          architecture: { input_modalities: ['text'], output_modalities: ['text'] },
        },
        { id: 'x/paint', architecture: { input_modalities: ['text'], output_modalities: ['image'] } },
      ],
    },
    [{ id: 'x/text', name: 'X: Text', contextTokens: 200_000, vision: false }],
  ],
  [
    'Together',
    [
      { id: 'meta/llama', display_name: 'Llama', type: 'chat', context_length: 131_072 },
      { id: 'bfl/pictures', type: 'image' },
    ],
    [{ id: 'meta/llama', name: 'Llama', contextTokens: 131_072 }],
  ],
  [
    'Mistral',
    {
      data: [
        {
          id: 'large',
          max_context_length: 128_000,
          capabilities: { completion_chat: true, vision: false },
        },
        { id: 'search', capabilities: { completion_chat: false } },
      ],
    },
    [{ id: 'large', contextTokens: 128_000, vision: false }],
  ],
  [
    'Groq',
    { data: [{ id: 'llama', context_window: 131_072 }, { id: 'whisper-large-v3' }] },
    [{ id: 'llama', contextTokens: 131_072 }],
  ],
  [
    'LiteLLM',
    {
      data: [
        { id: 'openai/*' },
        { id: 'mine', model_info: { max_input_tokens: 16_000 } },
        { id: 'vec', mode: 'embedding' },
      ],
    },
    [{ id: 'mine', contextTokens: 16_000 }],
  ],
  [
    'GitHub',
    [
      {
        id: 'openai/gpt-4.1',
        name: 'OpenAI GPT-4.1',
        supported_input_modalities: ['text', 'image'],
        supported_output_modalities: ['text'],
        limits: { max_input_tokens: 1_048_576, max_output_tokens: 32_768 },
      },
      { id: 'meta/llama', supported_input_modalities: ['text'], supported_output_modalities: ['text'] },
      {
        id: 'cohere/vectors',
        supported_input_modalities: ['text'],
        supported_output_modalities: ['embeddings'],
      },
    ],
    [
      { id: 'openai/gpt-4.1', name: 'OpenAI GPT-4.1', contextTokens: 1_048_576 },
      { id: 'meta/llama', vision: false },
    ],
  ],
  [
    'Fireworks',
    {
      data: [
        {
          id: 'accounts/fireworks/models/a',
          supports_chat: true,
          supports_image_input: false,
          context_length: 131_072,
        },
        { id: 'accounts/fireworks/models/b', supports_chat: true, supports_image_input: true },
        { id: 'accounts/fireworks/models/c', supports_chat: false },
      ],
    },
    [
      { id: 'accounts/fireworks/models/a', contextTokens: 131_072, vision: false },
      { id: 'accounts/fireworks/models/b' },
    ],
  ],
])('reads the list of %s', (_, body, models) => {
  expect(readChatModels(body)).toEqual(models)
})

it.each([
  'text-embedding-3-large',
  'nomic-embed-text:latest',
  'BAAI/bge-m3',
  'jina-reranker-v2',
  'whisper-1',
  'gpt-4o-transcribe',
  'tts-1-hd',
  'gpt-4o-mini-tts',
  'dall-e-3',
  'gpt-image-2',
  'omni-moderation-latest',
  'stable-diffusion-xl',
  'black-forest/flux.1-dev',
  'sora-2',
  // ChatGPTNextWeb/NextChat#6397, CherryHQ/cherry-studio#4725
  'grok-2-image-1212',
  'x-ai/grok-imagine-image',
  'chatgpt-image-latest',
  // WolframResearch/Chatbook#359, enricoros/big-AGI#169
  'gpt-3.5-turbo-instruct-0914',
  'davinci-002',
  'babbage-002',
  // tokendad/Nestarr#502
  'models/aqa',
  'models/gemini-2.5-flash-native-audio-latest',
])('takes %s for no model to chat with', (id) => {
  expect(readChatModels({ data: [{ id }] })).toEqual([])
})

it.each([
  'gpt-6.1-terra',
  'o3',
  'llama3.2',
  'fluxional-chat',
  'mistral-small-tts4all',
  'my-own-model',
  'models/gemini-3-pro',
  'models/gemini-2.5-flash-image',
  'mistral-7b-instruct',
  'grok-2-vision',
  'my-davinci-002-like',
])('keeps %s', (id) => {
  expect(readChatModels({ data: [{ id }] })).toEqual([{ id }])
})

it('one bad entry takes no other along, and an id is listed once', () => {
  const data = [null, 'x', 7, {}, { id: 7 }, { id: ' ' }, { id: 'a'.repeat(201) }, { id: 'a' }, { id: 'a' }]
  expect(readChatModels({ data: [...data, { id: 'b', context_length: -1, name: 5 }] })).toEqual([
    { id: 'a' },
    { id: 'b' },
  ])
})

it.each([undefined, null, 'text', {}, { data: {} }, { data: 'x' }])('%j is no list', (body) => {
  expect(readListedModels(body)).toBeUndefined()
})
