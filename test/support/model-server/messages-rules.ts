/**
 * What Anthropic's server rejects in a request of the Messages API, in its own words. Fields: `MessageCreateParamsBase` and the block
 * parameters in @anthropic-ai/sdk 1.12, resources/messages/messages.d.ts. Other sources stand at their rules.
 */

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const toList = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.filter(isFields) : [])

const parameters = new Set(
  (
    'model max_tokens messages cache_control container diagnostics inference_geo metadata output_config service_tier speed ' +
    'stop_sequences stream system temperature thinking tool_choice tools top_k top_p user_profile_id'
  ).split(' '),
)

/** The fields that a block of each type may have, those with `!` must have. */
const blockFields: Readonly<Record<string, string>> = {
  text: 'text! cache_control citations',
  image: 'source! cache_control',
  document: 'source! cache_control citations context title',
  tool_use: 'id! name! input! cache_control caller',
  tool_result: 'tool_use_id! content is_error cache_control',
  thinking: 'thinking! signature!',
  redacted_thinking: 'data!',
  server_tool_use: 'id! name! input! cache_control caller',
  web_search_tool_result: 'tool_use_id! content! cache_control caller',
}

const assistantBlocks = [
  'text',
  'tool_use',
  'thinking',
  'redacted_thinking',
  'server_tool_use',
  'web_search_tool_result',
]
const userBlocks = ['text', 'image', 'document', 'tool_result']

/** https://platform.claude.com/docs/en/about-claude/models/overview */
const maxOutputTokens = 64_000
/** https://platform.claude.com/docs/en/build-with-claude/prompt-caching */
const maxBreakpoints = 4
/** https://platform.claude.com/docs/en/build-with-claude/effort */
const efforts = ['low', 'medium', 'high', 'xhigh', 'max']
const extra = 'Extra inputs are not permitted'
const missing = 'Field required'

const toBlocks = (content: unknown): readonly Fields[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : toList(content)

function* findBlockFaults(block: Fields, path: string, allowed: readonly string[]): Generator<string> {
  const type = String(block['type'])
  const fields = allowed.includes(type) ? blockFields[type] : undefined
  if (fields === undefined) {
    yield `${path}: Input tag '${type}' found using 'type' does not match any of the expected tags`
    return
  }
  const names = fields.split(' ')
  for (const name of names)
    if (name.endsWith('!') && block[name.slice(0, -1)] === undefined)
      yield `${path}.${type}.${name.slice(0, -1)}: ${missing}`
  for (const name of Object.keys(block))
    if (name !== 'type' && !names.some((one) => one.replace('!', '') === name))
      yield `${path}.${type}.${name}: ${extra}`
  // https://github.com/BerriAI/litellm/issues/9812
  if (type === 'text' && String(block['text']).trim() === '')
    yield 'messages: text content blocks must contain non-whitespace text'
  if (type === 'tool_use' && !/^[a-zA-Z0-9_-]+$/.test(String(block['id'])))
    yield `${path}.tool_use.id: String should match pattern '^[a-zA-Z0-9_-]+$'`
  if (type === 'tool_use' && !isFields(block['input']))
    yield `${path}.tool_use.input: Input should be a valid dictionary`
  // `ToolResultBlockParam`; documents and search results are not sent
  if (type === 'tool_result')
    for (const [index, one] of toList(block['content']).entries())
      yield* findBlockFaults(one, `${path}.tool_result.content.${index}`, ['text', 'image'])
  if (type === 'document') {
    const { media_type: mediaType, data } = isFields(block['source']) ? block['source'] : {}
    if (mediaType !== 'application/pdf') yield `${path}.document.source: Input should be 'application/pdf'`
    if (typeof data !== 'string' || data.startsWith('data:'))
      yield `${path}.document.source.base64.data: invalid base64 data`
  }
  if (type === 'image') {
    const source = isFields(block['source']) ? block['source'] : {}
    if (source['type'] === 'base64' && !/^image\/(png|jpeg|gif|webp)$/.test(String(source['media_type'])))
      yield `${path}.image.source.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'`
  }
}

/**
 * Calls and their results are in neighbouring messages, results first.
 * https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls, https://github.com/anthropics/claude-code/issues/473
 */
function* findPairFaults(messages: readonly Fields[]): Generator<string> {
  for (const [index, message] of messages.entries()) {
    const blocks = toBlocks(message['content'])
    const next = toBlocks(messages[index + 1]?.['content'])
    const results = next.filter(({ type }) => type === 'tool_result').map((block) => block['tool_use_id'])
    const calls = blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => String(id))
    const unansweredIds = calls.filter((id) => !results.includes(id))
    if (unansweredIds.length > 0)
      yield `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${unansweredIds.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`
    if (new Set(calls).size < calls.length) yield 'messages: `tool_use` ids must be unique'
    const before = toBlocks(messages[index - 1]?.['content']).filter(({ type }) => type === 'tool_use')
    let hasOther = false
    for (const [at, block] of blocks.entries()) {
      if (block['type'] !== 'tool_result') {
        hasOther = true
        continue
      }
      if (!before.some(({ id }) => id === block['tool_use_id']))
        yield `messages.${index}.content.${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${String(block['tool_use_id'])}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`
      if (hasOther)
        yield `messages.${index}: \`tool_result\` blocks must come first in the content of the message after \`tool_use\``
    }
  }
}

function* findMessageFaults(messages: readonly Fields[]): Generator<string> {
  if (messages.length === 0) yield 'messages: at least one message is required'
  if (messages[0]?.['role'] !== 'user') yield 'messages: first message must use the "user" role'
  // https://platform.claude.com/docs/en/api/errors#prefill-not-supported, but for a turn that the server has paused:
  // https://platform.claude.com/docs/en/agents-and-tools/tool-use/server-tools
  const { role: lastRole, content: last } = messages.at(-1) ?? {}
  if (lastRole === 'assistant' && !toBlocks(last).some(({ type }) => type === 'server_tool_use'))
    yield 'This model does not support assistant message prefill. The conversation must end with a user message.'
  for (const [index, message] of messages.entries()) {
    const path = `messages.${index}`
    const { role, content, ...others } = message
    if (role !== 'user' && role !== 'assistant') yield `${path}.role: Input should be 'user' or 'assistant'`
    for (const name of Object.keys(others)) yield `${path}.${name}: ${extra}`
    // the server would put them together; clients should not count on it
    if (role === messages[index - 1]?.['role'])
      yield `messages: roles must alternate between "user" and "assistant", but found multiple "${String(role)}" roles in a row`
    const blocks = toBlocks(content)
    if (blocks.length === 0) yield `${path}: all messages must have non-empty content`
    for (const [at, block] of blocks.entries())
      yield* findBlockFaults(
        block,
        `${path}.content.${at}`,
        role === 'assistant' ? assistantBlocks : userBlocks,
      )
    // https://platform.claude.com/docs/en/build-with-claude/extended-thinking#preserving-thinking-blocks
    const types = blocks.map(({ type }) => type)
    const lastThinking = types.lastIndexOf('thinking')
    const firstCall = types.indexOf('tool_use')
    if (firstCall >= 0 && lastThinking > firstCall)
      yield `${path}.content.${lastThinking}: \`thinking\` blocks must come before \`tool_use\` blocks`
  }
  yield* findPairFaults(messages)
}

export const searchType = 'web_search_20250305'
const searchFields =
  'type name allowed_callers allowed_domains blocked_domains cache_control defer_loading max_uses strict user_location'.split(
    ' ',
  )

function* findToolFaults(tools: readonly Fields[]): Generator<string> {
  const names = new Set<unknown>()
  for (const [index, tool] of tools.entries()) {
    if (tool['type'] === searchType) {
      // `WebSearchTool20250305`
      for (const key of Object.keys(tool))
        if (!searchFields.includes(key)) yield `tools.${index}.${searchType}.${key}: ${extra}`
      if (tool['name'] !== 'web_search')
        yield `tools.${index}.${searchType}.name: Input should be 'web_search'`
      if (!(Number.isInteger(tool['max_uses'] ?? 1) && Number(tool['max_uses'] ?? 1) > 0))
        yield `tools.${index}.${searchType}.max_uses: Input should be greater than 0`
      if (names.has(tool['name'])) yield 'tools: Tool names must be unique.'
      names.add(tool['name'])
      continue
    }
    const path = `tools.${index}.custom`
    const { name, input_schema: schema } = tool
    if (!/^[a-zA-Z0-9_-]{1,128}$/.test(typeof name === 'string' ? name : ''))
      yield `${path}.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`
    if (names.has(name)) yield 'tools: Tool names must be unique.'
    names.add(name)
    if (!isFields(schema)) yield `${path}.input_schema: ${missing}`
    else if (schema['type'] !== 'object') yield `${path}.input_schema.type: Input should be 'object'`
    // https://github.com/anthropics/claude-code/issues/10606
    else if (['oneOf', 'allOf', 'anyOf'].some((key) => key in schema))
      yield `${path}.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`
    for (const key of Object.keys(tool))
      if (!['name', 'description', 'input_schema', 'cache_control', 'type', 'strict'].includes(key))
        yield `${path}.${key}: ${extra}`
  }
}

/** https://docs.aws.amazon.com/bedrock/latest/userguide/claude-messages-adaptive-thinking.html: newer models think adaptively only */
function* findThinkingFaults({ thinking, output_config: output }: Fields): Generator<string> {
  if (isFields(thinking) && !['adaptive', 'disabled', 'between_tools'].includes(String(thinking['type'])))
    yield `"thinking.type.${String(thinking['type'])}" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.`
  const effort = isFields(output) ? (output['effort'] ?? undefined) : undefined
  if (effort !== undefined && !(typeof effort === 'string' && efforts.includes(effort)))
    yield `output_config.effort: Input should be 'low', 'medium', 'high', 'xhigh' or 'max'`
}

function countBreakpoints(body: Fields): number {
  const messages = toList(body['messages']).flatMap(({ content }) => toList(content))
  return [...toList(body['system']), ...toList(body['tools']), ...messages].filter((block) =>
    isFields(block['cache_control']),
  ).length
}

/** @returns what is wrong with the request, as the message of an `invalid_request_error`; undefined if nothing is */
export function findMessagesFault(body: unknown): string | undefined {
  if (!isFields(body)) return 'The request body is not valid JSON.'
  return listFaults(body).next().value ?? undefined
}

function* listFaults(body: Fields): Generator<string, undefined> {
  const { model, max_tokens: limit, messages, system } = body
  for (const name of ['model', 'max_tokens', 'messages'])
    if (body[name] === undefined) yield `${name}: ${missing}`
  for (const name of Object.keys(body)) if (!parameters.has(name)) yield `${name}: ${extra}`
  if (!Number.isInteger(limit) || Number(limit) < 1)
    yield 'max_tokens: Input should be greater than or equal to 1'
  if (Number(limit) > maxOutputTokens)
    yield `max_tokens: ${Number(limit)} > ${maxOutputTokens}, which is the maximum allowed number of output tokens for ${String(model)}`
  for (const block of toBlocks(system ?? []))
    if (String(block['text']).trim() === '') yield 'system: text content blocks must be non-empty'
  yield* findMessageFaults(toList(messages))
  yield* findToolFaults(toList(body['tools']))
  yield* findThinkingFaults(body)
  const count = countBreakpoints(body)
  if (count > maxBreakpoints)
    yield `A maximum of ${maxBreakpoints} blocks with cache_control may be provided. Found ${count}.`
}
