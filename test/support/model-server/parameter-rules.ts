import { type DemoModelCard, InvalidRequest } from './strict-request.ts'

/** 'a', 'b', and 'c' */
export const quoteList = (values: readonly string[]): string =>
  values
    .map((value, index) => `${index === values.length - 1 && index > 0 ? 'and ' : ''}'${value}'`)
    .join(', ')

/** Source: `ChatCompletionCreateParamsBase` in openai 7.55, resources/chat/completions/completions.d.ts. */
const chatParameters = new Set(
  (
    'messages model audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens metadata ' +
    'modalities moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key prompt_cache_options ' +
    'prompt_cache_retention reasoning_effort response_format safety_identifier seed service_tier stop store stream stream_options ' +
    'temperature tool_choice tools top_logprobs top_p user verbosity web_search_options'
  ).split(' '),
)

/** Source: `ResponseCreateParamsBase` in openai 7.55, resources/responses/responses.d.ts. */
const responsesParameters = new Set(
  (
    'access_programs background context_management conversation image include input instructions max_output_tokens max_tool_calls ' +
    'metadata model moderation parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_options ' +
    'prompt_cache_retention reasoning safety_identifier service_tier store stream stream_options temperature text tool_choice tools ' +
    'top_logprobs top_p truncation user'
  ).split(' '),
)

/** Source: `ReasoningEffort` in openai 7.55, resources/shared.d.ts. */
const allEfforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']

/** Names of Chat Completions that Responses has elsewhere. Source: https://github.com/lobehub/lobehub/issues/8116. */
const movedParameters: Readonly<Record<string, string>> = {
  reasoning_effort: 'reasoning.effort',
  messages: 'input',
  max_tokens: 'max_output_tokens',
  max_completion_tokens: 'max_output_tokens',
  response_format: 'text.format',
}

/** @throws InvalidRequest for a name that the API does not have. Source: https://github.com/davidmigloz/langchain_dart/issues/712 */
export function checkChatParameters(body: Record<string, unknown>): void {
  for (const name of Object.keys(body))
    if (!chatParameters.has(name))
      throw new InvalidRequest(`Unrecognized request argument supplied: ${name}`, null)
}

/** @throws InvalidRequest for a name that the API does not have. Source: https://github.com/pydantic/pydantic-ai/issues/3653 */
export function checkResponsesParameters(body: Record<string, unknown>): void {
  for (const name of Object.keys(body)) {
    const moved = movedParameters[name]
    if (moved !== undefined)
      throw new InvalidRequest(
        `Unsupported parameter: '${name}'. In the Responses API, this parameter has moved to '${moved}'. Try again with the new parameter. See the API documentation for more information: https://platform.openai.com/docs/api-reference/responses/create.`,
        null,
        { code: 'unsupported_parameter' },
      )
    if (!responsesParameters.has(name))
      throw new InvalidRequest(`Unknown parameter: '${name}'.`, name, { code: 'unknown_parameter' })
  }
}

/** @throws InvalidRequest for keys of an object of the request that it may not have */
export function checkKeys(value: Record<string, unknown>, allowed: readonly string[], path: string): void {
  for (const name of Object.keys(value))
    if (!allowed.includes(name))
      throw new InvalidRequest(`Unknown parameter: '${path}.${name}'.`, `${path}.${name}`, {
        code: 'unknown_parameter',
      })
}

/**
 * The effort that a request over Chat Completions gets; undefined for a model that does not reason.
 * Sources: https://github.com/davidmigloz/langchain_dart/issues/712 (a model without reasoning),
 * https://github.com/egoist/chatwise-releases/issues/1257 (a value that the model does not take),
 * https://github.com/GoogleChromeLabs/webmcp-tools/issues/417 (tools with reasoning).
 * @throws InvalidRequest
 */
export function parseChatEffort(
  { id, efforts, defaultEffort }: DemoModelCard,
  body: Record<string, unknown>,
): string | undefined {
  const effort = body['reasoning_effort'] ?? undefined
  if (!efforts) {
    if (effort === undefined) return undefined
    throw new InvalidRequest('Unrecognized request argument supplied: reasoning_effort', null)
  }
  if (effort !== undefined) {
    if (!allEfforts.includes(effort as string))
      throw new InvalidRequest(
        `Invalid value: '${String(effort as string)}'. Supported values are: ${quoteList(allEfforts)}.`,
        'reasoning_effort',
        { code: 'invalid_value' },
      )
    if (!efforts.includes(effort as string))
      throw new InvalidRequest(
        `Unsupported value: 'reasoning_effort' does not support '${effort as string}' with this model. Supported values are: ${quoteList(efforts)}.`,
        'reasoning_effort',
        { code: 'unsupported_value' },
      )
  }
  const effective = (effort as string | undefined) ?? defaultEffort
  if (effective !== 'none' && Array.isArray(body['tools']) && body['tools'].length > 0)
    throw new InvalidRequest(
      `Function tools with reasoning_effort are not supported for ${id} in /v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to 'none'.`,
      'reasoning_effort',
    )
  return effective
}

/**
 * Checks the effort of a request over Responses.
 * Sources: https://github.com/BoundaryML/baml/pull/2708 (a model without reasoning; a summary alone is accepted:
 * https://github.com/BerriAI/litellm/pull/38842), https://github.com/openai/codex/issues/6647 (a value that the model does not take),
 * https://github.com/NousResearch/hermes-agent/pull/24234 (encrypted content).
 * @throws InvalidRequest
 */
export function checkResponsesEffort(
  { id, efforts }: DemoModelCard,
  { effort = null, include }: { effort?: unknown; include: readonly unknown[] },
): void {
  if (!efforts) {
    if (effort !== null)
      throw new InvalidRequest(
        "Unsupported parameter: 'reasoning.effort' is not supported with this model.",
        'reasoning.effort',
        { code: 'unsupported_parameter' },
      )
    if (include.includes('reasoning.encrypted_content'))
      throw new InvalidRequest('Encrypted content is not supported with this model.', 'include')
    return
  }
  if (effort === null) return
  if (!allEfforts.includes(effort as string))
    throw new InvalidRequest(
      `Invalid value: '${String(effort as string)}'. Supported values are: ${quoteList(allEfforts)}.`,
      'reasoning.effort',
      { code: 'invalid_value' },
    )
  if (!efforts.includes(effort as string))
    throw new InvalidRequest(
      `Unsupported value: '${effort as string}' is not supported with the '${id}' model. Supported values are: ${quoteList(efforts)}.`,
      'reasoning.effort',
      { code: 'unsupported_value' },
    )
}

/**
 * Parameters that models that reason do not take. Source: https://github.com/continuedev/continue/issues/7052
 * @throws InvalidRequest
 */
export function checkReasoningLimits({ efforts }: DemoModelCard, body: Record<string, unknown>): void {
  if (!efforts) return
  if (body['max_tokens'] !== undefined)
    throw new InvalidRequest(
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      'max_tokens',
      { code: 'unsupported_parameter' },
    )
  for (const name of ['temperature', 'top_p'])
    if (body[name] !== undefined && body[name] !== null && body[name] !== 1)
      throw new InvalidRequest(
        `Unsupported value: '${name}' does not support ${JSON.stringify(body[name])} with this model. Only the default (1) value is supported.`,
        name,
        { code: 'unsupported_value' },
      )
}
