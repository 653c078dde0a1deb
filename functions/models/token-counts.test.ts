import { expect, it } from 'vitest'
import { readTokenCount, TokenCounts, type TokenUsage } from './token-counts.ts'

const count = (...usages: unknown[]): TokenUsage => {
  const counts = new TokenCounts()
  for (const usage of usages) counts.add(usage)
  return counts.usage
}

it.each<[string, object, TokenUsage]>([
  [
    // vercel/ai#12425, UKGovernmentBEIS/inspect_ai#5528: reasoning beside the output
    'xAI',
    {
      prompt_tokens: 100,
      completion_tokens: 5,
      total_tokens: 1105,
      prompt_tokens_details: { text_tokens: 100, audio_tokens: 0, image_tokens: 0, cached_tokens: 60 },
      completion_tokens_details: { reasoning_tokens: 1000, accepted_prediction_tokens: 0 },
      num_sources_used: 0,
    },
    { inputTokens: 100, outputTokens: 1005, cachedInputTokens: 60, reasoningTokens: 1000 },
  ],
  [
    'xAI without a total',
    {
      prompt_tokens: 100,
      completion_tokens: 5,
      completion_tokens_details: { reasoning_tokens: 1000 },
    },
    { inputTokens: 100, outputTokens: 1005, reasoningTokens: 1000 },
  ],
  [
    'OpenAI',
    {
      prompt_tokens: 100,
      completion_tokens: 1005,
      total_tokens: 1105,
      completion_tokens_details: { reasoning_tokens: 1000 },
    },
    { inputTokens: 100, outputTokens: 1005, reasoningTokens: 1000 },
  ],
  [
    // https://ai.google.dev/gemini-api/docs/openai: thoughts are in the total alone
    'Gemini',
    { prompt_tokens: 8, completion_tokens: 20, total_tokens: 428 },
    { inputTokens: 8, outputTokens: 420 },
  ],
  [
    // https://openrouter.ai/docs/guides/guides/usage-accounting
    'OpenRouter',
    {
      prompt_tokens: 194,
      completion_tokens: 2,
      total_tokens: 196,
      cost: 0.95,
      cost_details: { upstream_inference_cost: 19 },
      prompt_tokens_details: { cached_tokens: 50, cache_write_tokens: 100, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 1 },
    },
    { inputTokens: 194, outputTokens: 2, cachedInputTokens: 50, cacheWriteTokens: 100, reasoningTokens: 1 },
  ],
  [
    // https://api-docs.deepseek.com/api/create-chat-completion
    'DeepSeek',
    {
      prompt_tokens: 70,
      completion_tokens: 9,
      total_tokens: 79,
      prompt_cache_hit_tokens: 64,
      prompt_cache_miss_tokens: 6,
      completion_tokens_details: { reasoning_tokens: 7 },
    },
    { inputTokens: 70, outputTokens: 9, cachedInputTokens: 64, reasoningTokens: 7 },
  ],
  [
    'Mistral',
    {
      prompt_tokens: 16,
      completion_tokens: 34,
      total_tokens: 50,
      num_cached_tokens: 16,
      prompt_audio_seconds: {},
    },
    { inputTokens: 16, outputTokens: 34, cachedInputTokens: 16 },
  ],
  [
    'Moonshot',
    { prompt_tokens: 16, completion_tokens: 3, total_tokens: 19, cached_tokens: 10 },
    { inputTokens: 16, outputTokens: 3, cachedInputTokens: 10 },
  ],
  [
    'Groq',
    {
      queue_time: 0.02,
      prompt_tokens: 12,
      prompt_time: 0.01,
      completion_tokens: 7,
      total_tokens: 19,
      total_time: 0.1,
    },
    { inputTokens: 12, outputTokens: 7 },
  ],
  [
    'Perplexity',
    { prompt_tokens: 9, completion_tokens: 4, total_tokens: 313, citation_tokens: 0, reasoning_tokens: 300 },
    { inputTokens: 9, outputTokens: 304, reasoningTokens: 300 },
  ],
  [
    'Messages',
    {
      input_tokens: 5,
      output_tokens: 9,
      cache_read_input_tokens: 1000,
      cache_creation_input_tokens: 200,
      cache_creation: { ephemeral_5m_input_tokens: 200 },
      output_tokens_details: { thinking_tokens: 4 },
    },
    {
      inputTokens: 1205,
      outputTokens: 9,
      cachedInputTokens: 1000,
      cacheWriteTokens: 200,
      reasoningTokens: 4,
    },
  ],
  [
    'LiteLLM with Anthropic behind it',
    {
      prompt_tokens: 1205,
      completion_tokens: 9,
      total_tokens: 1214,
      prompt_tokens_details: { cached_tokens: 1000, cache_creation_tokens: 200 },
      cache_read_input_tokens: 1000,
      cache_creation_input_tokens: 200,
    },
    { inputTokens: 1205, outputTokens: 9, cachedInputTokens: 1000, cacheWriteTokens: 200 },
  ],
  [
    'a gateway that adds the cache to the total alone',
    { prompt_tokens: 105, completion_tokens: 9, total_tokens: 1114, cache_read_input_tokens: 1000 },
    { inputTokens: 1105, outputTokens: 9, cachedInputTokens: 1000 },
  ],
  [
    'a gateway that adds the cache and the reasoning to the total alone',
    { prompt_tokens: 105, completion_tokens: 9, total_tokens: 144, cached_tokens: 20, reasoning_tokens: 10 },
    { inputTokens: 125, outputTokens: 19, cachedInputTokens: 20, reasoningTokens: 10 },
  ],
  [
    'Messages of a server that includes the cache',
    { input_tokens: 100, output_tokens: 9, total_tokens: 109, cache_read_input_tokens: 60 },
    { inputTokens: 100, outputTokens: 9, cachedInputTokens: 60 },
  ],
  [
    'a prompt that is smaller than its cached part',
    { prompt_tokens: 3, completion_tokens: 9, cached_tokens: 500, cache_creation_input_tokens: 100 },
    { inputTokens: 603, outputTokens: 9, cachedInputTokens: 500, cacheWriteTokens: 100 },
  ],
  [
    'Responses',
    {
      input_tokens: 70,
      output_tokens: 9,
      total_tokens: 79,
      input_tokens_details: { cached_tokens: 64, cache_write_tokens: 2 },
      output_tokens_details: { reasoning_tokens: 7 },
    },
    { inputTokens: 70, outputTokens: 9, cachedInputTokens: 64, cacheWriteTokens: 2, reasoningTokens: 7 },
  ],
  [
    'Chat with the names of Responses',
    { input_tokens: 4000, output_tokens: 50, total_tokens: 4050 },
    { inputTokens: 4000, outputTokens: 50 },
  ],
  [
    'a total that is less than its parts',
    { prompt_tokens: 40, completion_tokens: 50, total_tokens: 9 },
    { inputTokens: 40, outputTokens: 50 },
  ],
])('counts each token once: %s', (_, usage, counted) => {
  expect(count(usage)).toStrictEqual(counted)
})

it('takes the last number of each kind, and no zero for one', () => {
  const zeros = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0, completion_tokens_details: null }
  const parts = [
    { prompt_tokens: 70, completion_tokens: 3, total_tokens: 73 },
    { completion_tokens: 20, total_tokens: 90 },
  ]
  expect(count(...parts, zeros, null, [], 'many')).toStrictEqual({ inputTokens: 70, outputTokens: 20 })
})

it('takes what cannot be a number of tokens for none', () => {
  expect(count({ prompt_tokens: '9', completion_tokens: -1, total_tokens: 1e12 })).toStrictEqual({
    inputTokens: 0,
    outputTokens: 0,
  })
  expect([0, 100_000_000, 100_000_001, -1, 1.5, '1', null].map(readTokenCount)).toEqual([
    0,
    100_000_000,
    ...Array.from({ length: 5 }, () => undefined),
  ])
})
