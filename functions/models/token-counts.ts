import { isRecord, toFields, type Fields } from './fields.ts'
import type { ModelRound } from './model.ts'

export type TokenUsage = Pick<
  ModelRound,
  'inputTokens' | 'outputTokens' | 'cachedInputTokens' | 'cacheWriteTokens' | 'reasoningTokens'
>

/** More than any request can use. */
const maxTokenCount = 100_000_000

/** A number of tokens as a server names it; undefined for what cannot be one. Everything that is stored or priced passes here. */
export const readTokenCount = (value: unknown): number | undefined =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= maxTokenCount ? Number(value) : undefined

/** More than any server makes for one answer. */
const maxSearchCount = 1_000

/**
 * The searches of the web that a server names in its usage; undefined if it names none that can be.
 * Anthropic and OpenRouter: server_tool_use; LiteLLM: prompt_tokens_details; Perplexity: num_search_queries; xAI: calls of its tools or, for
 * its live search, pages that were read (num_sources_used), which it bills.
 */
export function readSearches(usage: Fields): number | undefined {
  const tools = toFields(usage['server_side_tool_usage_details'])
  const counts = [
    toFields(usage['server_tool_use'])['web_search_requests'],
    toFields(usage['prompt_tokens_details'])['web_search_requests'],
    usage['num_search_queries'],
    usage['num_sources_used'],
    tools['web_search_calls'],
    tools['x_search_calls'],
  ].flatMap((count) => readTokenCount(count) ?? [])
  const most = Math.max(...counts)
  return counts.length > 0 && most <= maxSearchCount ? most : undefined
}

/**
 * Where servers write each number, the most specific name first; a dot leads into an object. Any family of names may come over any API.
 * OpenAI, xAI, Groq, Gemini and OpenRouter: `…_tokens_details`; DeepSeek: `prompt_cache_hit_tokens`; Moonshot: `cached_tokens`; Mistral:
 * `num_cached_tokens`; Anthropic and LiteLLM: `cache_…_input_tokens`; DashScope: those within the details; Perplexity: `reasoning_tokens`.
 */
const names = {
  input: ['prompt_tokens', 'input_tokens'],
  output: ['completion_tokens', 'output_tokens'],
  total: ['total_tokens'],
  cached: [
    'prompt_tokens_details.cached_tokens',
    'input_tokens_details.cached_tokens',
    'prompt_cache_hit_tokens',
    'cache_read_input_tokens',
    'cached_tokens',
    'num_cached_tokens',
  ],
  written: [
    'prompt_tokens_details.cache_write_tokens',
    'input_tokens_details.cache_write_tokens',
    'cache_creation_input_tokens',
    'prompt_tokens_details.cache_creation_tokens',
    'prompt_tokens_details.cache_creation_input_tokens',
  ],
  reasoning: [
    'completion_tokens_details.reasoning_tokens',
    'output_tokens_details.reasoning_tokens',
    'output_tokens_details.thinking_tokens',
    'reasoning_tokens',
  ],
} as const

/**
 * What a server says about the tokens of one answer, in one or many parts. A later number replaces an earlier one; zero and what is no
 * number replace nothing. Servers differ in what a number includes, so the numbers are compared with each other and with the total.
 */
export class TokenCounts {
  readonly #counts = new Map<string, number>()

  add(usage: unknown, path = ''): void {
    if (!isRecord(usage)) return
    for (const [name, value] of Object.entries(usage)) {
      const count = readTokenCount(value)
      if (count !== undefined && count > 0) this.#counts.set(path + name, count)
      else if (path === '' && name.endsWith('_details')) this.add(value, `${name}.`)
    }
  }

  #find(kind: keyof typeof names): number {
    const name = names[kind].find((one) => this.#counts.has(one))
    return (name !== undefined && this.#counts.get(name)) || 0
  }

  get usage(): TokenUsage {
    const [cached, written, reasoning, output, total] = (
      ['cached', 'written', 'reasoning', 'output', 'total'] as const
    ).map((kind) => this.#find(kind)) as [number, number, number, number, number]
    const input = this.#countInput(cached, written)
    const rest = total - input - output
    // gateways that add to the total alone what was in the cache
    const fromCache = [cached + written, cached, written].find(
      (count) => count > 0 && (rest === count || rest === count + reasoning),
    )
    const allInput = input + (fromCache ?? 0)
    // xAI counts reasoning beside the output, Gemini in the total alone
    const all = total > 0 ? total - allInput : reasoning > output ? output + reasoning : output
    return {
      inputTokens: allInput,
      outputTokens: Math.max(output, all),
      ...(cached > 0 && { cachedInputTokens: cached }),
      ...(written > 0 && { cacheWriteTokens: written }),
      ...(reasoning > 0 && { reasoningTokens: reasoning }),
    }
  }

  /** All of the prompt. Anthropic counts beside it what its cache had, or got. */
  #countInput(cached: number, written: number): number {
    const input = this.#find('input')
    const total = this.#find('total')
    const isBeside =
      ['cache_read_input_tokens', 'cache_creation_input_tokens'].some((name) => this.#counts.has(name)) &&
      !this.#counts.has('prompt_tokens') &&
      (total === 0 || total >= input + cached + written + this.#find('output'))
    if (isBeside) return input + cached + written
    // no part is larger than the whole
    const withCached = cached > input ? input + cached : input
    return cached + written > withCached ? withCached + written : withCached
  }
}
