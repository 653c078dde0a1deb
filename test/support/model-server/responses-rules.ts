import { isRecord } from '../../../infra/local/doubles/model/model-request.ts'
import { isWebSearch } from '../../../infra/local/doubles/model/responses-api.ts'
import {
  checkKeys,
  checkReasoningLimits,
  checkResponsesEffort,
  checkResponsesParameters,
  quoteList,
} from './parameter-rules.ts'
import { isSealedFor } from './responses-reasoning.ts'
import { type DemoModelCard, findDemoModel, InvalidRequest, parseImage } from './strict-request.ts'

type Item = Record<string, unknown>

/**
 * Source: the parameter types of these items in openai 7.55, resources/responses/responses.d.ts. The server rejects the status of
 * reasoning anyway: https://github.com/1jehuang/jcode/issues/1028.
 */
const itemKeys: Readonly<Record<string, readonly string[]>> = {
  message: ['type', 'role', 'content', 'id', 'status', 'phase'],
  function_call: ['type', 'id', 'call_id', 'name', 'arguments', 'status', 'async', 'caller', 'namespace'],
  function_call_output: ['type', 'id', 'call_id', 'output', 'status', 'caller'],
  reasoning: ['type', 'id', 'summary', 'content', 'encrypted_content'],
}

const invalidValue = (value: unknown, supported: readonly string[], path: string) =>
  new InvalidRequest(
    `Invalid value: '${String(value)}'. Supported values are: ${quoteList(supported)}.`,
    path,
    { code: 'invalid_value' },
  )

function requireText(item: Item, names: readonly string[], path: string): void {
  for (const name of names) {
    if (item[name] === undefined)
      throw new InvalidRequest(`Missing required parameter: '${path}.${name}'.`, `${path}.${name}`, {
        code: 'missing_required_parameter',
      })
    if (typeof item[name] !== 'string')
      throw new InvalidRequest(`Invalid type for '${path}.${name}': expected a string.`, `${path}.${name}`, {
        code: 'invalid_type',
      })
  }
}

/** The id of a call's item tells which reasoning it came from; the real server looks that up. */
const toReasoningId = (callItemId: unknown) => {
  const [, hex] = /^fc_([0-9a-f]+)_\d+$/.exec(String(callItemId)) ?? []
  return hex && `rs_${hex}`
}

/**
 * Sources: https://github.com/maximhq/bifrost/issues/5410 (without its content the server looks for a stored item),
 * https://github.com/openai/codex/issues/8128 and https://github.com/caozhiyuan/copilot-api/issues/363 (changed, or of another model),
 * https://github.com/continuedev/continue/issues/8933 (nothing after it).
 */
function checkReasoning(item: Item, path: string, next: unknown, { id: model }: DemoModelCard): void {
  requireText(item, ['id'], path)
  const id = String(item['id'])
  if (!Array.isArray(item['summary']))
    throw new InvalidRequest(`Missing required parameter: '${path}.summary'.`, `${path}.summary`, {
      code: 'missing_required_parameter',
    })
  const sealed = item['encrypted_content']
  if (typeof sealed !== 'string')
    throw new InvalidRequest(
      `Item with id '${id}' not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input.`,
      'input',
      { status: 404 },
    )
  if (!isSealedFor(sealed, model, id))
    throw new InvalidRequest(
      `The encrypted content ${sealed.slice(0, 7)}... could not be verified. Reason: Encrypted content could not be decrypted or parsed.`,
      null,
      { code: 'invalid_encrypted_content' },
    )
  const isOutput =
    isRecord(next) &&
    (['reasoning', 'function_call'].includes(String(next['type'])) || next['role'] === 'assistant')
  if (!isOutput)
    throw new InvalidRequest(
      `Item '${id}' of type 'reasoning' was provided without its required following item.`,
      'input',
    )
}

/**
 * Each call has its reasoning, each call its output, each output its call.
 * Sources: https://github.com/continuedev/continue/issues/10018, https://github.com/router-for-me/CLIProxyAPI/issues/2368,
 * https://github.com/microsoft/vscode/issues/320060.
 */
function checkPairs(items: readonly Item[]): void {
  const called = new Set<unknown>()
  const answered = new Set<unknown>()
  const reasoned = new Set<unknown>()
  for (const item of items) {
    if (item['type'] === 'reasoning') reasoned.add(item['id'])
    if (item['type'] === 'function_call') {
      called.add(item['call_id'])
      const needed = toReasoningId(item['id'])
      if (needed !== undefined && !reasoned.has(needed))
        throw new InvalidRequest(
          `Item '${String(item['id'])}' of type 'function_call' was provided without its required 'reasoning' item: '${needed}'.`,
          'input',
        )
    }
    if (item['type'] !== 'function_call_output') continue
    if (!called.has(item['call_id']))
      throw new InvalidRequest(
        `No tool call found for function call output with call_id ${String(item['call_id'])}.`,
        'input',
      )
    answered.add(item['call_id'])
  }
  for (const id of called)
    if (!answered.has(id))
      throw new InvalidRequest(`No tool output found for function call ${String(id)}.`, 'input')
}

function checkContent(item: Item, path: string, { seesImages }: DemoModelCard): void {
  const { content, role } = item
  if (typeof content === 'string') return
  if (!Array.isArray(content))
    throw new InvalidRequest(`Missing required parameter: '${path}.content'.`, `${path}.content`, {
      code: 'missing_required_parameter',
    })
  const supported =
    role === 'assistant' ? ['output_text', 'refusal'] : ['input_text', 'input_image', 'input_file']
  for (const [index, part] of (content as unknown[]).entries()) {
    const type = isRecord(part) ? part['type'] : undefined
    const at = `${path}.content[${index}]`
    if (!isRecord(part) || !supported.includes(String(type))) throw invalidValue(type, supported, at)
    if (type === 'input_file') checkFile(part, at)
    if (type !== 'input_image') continue
    checkKeys(part, ['type', 'image_url', 'file_id', 'detail', 'prompt_cache_breakpoint'], at)
    // the words of other servers; OpenAI's newer models all see: https://github.com/ollama/ollama/issues/17301
    if (!seesImages) throw new InvalidRequest('This model does not support image input.', at)
    parseImage(String(part['image_url']), `${at}.image_url`)
  }
}

/** https://developers.openai.com/api/docs/guides/file-inputs */
function checkFile(part: Item, path: string): void {
  checkKeys(part, ['type', 'filename', 'file_data', 'file_id', 'file_url', 'detail'], path)
  const { filename, file_data: data } = part
  if (typeof filename !== 'string' || !/^data:application\/pdf;base64,.+/.test(String(data)))
    throw new InvalidRequest(`Invalid value for '${path}.file_data'.`, `${path}.file_data`)
}

const roles = ['system', 'developer', 'user', 'assistant']

/** OpenAI's rules for input items and their order. */
function checkInput(input: unknown, card: DemoModelCard): void {
  if (typeof input === 'string') return
  if (!Array.isArray(input) || input.length === 0)
    throw new InvalidRequest("Missing required parameter: 'input'.", 'input', {
      code: 'missing_required_parameter',
    })
  for (const [index, item] of (input as unknown[]).entries()) {
    const path = `input[${index}]`
    if (!isRecord(item))
      throw new InvalidRequest(`Invalid type for '${path}'.`, path, { code: 'invalid_type' })
    const type = typeof item['type'] === 'string' ? item['type'] : 'message'
    const keys = itemKeys[type]
    if (!keys) throw invalidValue(type, Object.keys(itemKeys), path)
    checkKeys(item, keys, path)
    if (type === 'reasoning') checkReasoning(item, path, input[index + 1], card)
    else if (type === 'function_call') requireText(item, ['call_id', 'name', 'arguments'], path)
    else if (type === 'function_call_output') {
      requireText(item, typeof item['output'] === 'string' ? ['call_id', 'output'] : ['call_id'], path)
      // `ResponseFunctionCallOutputItemList` in openai 7.55, resources/responses/responses.d.ts
      checkContent({ content: item['output'] }, path, card)
    } else {
      if (!roles.includes(String(item['role']))) throw invalidValue(item['role'], roles, path)
      checkContent(item, path, card)
    }
  }
  checkPairs(input.filter(isRecord))
}

/** Source: `FunctionTool` in openai 7.55, resources/responses/responses.d.ts. */
const toolKeys =
  'type name parameters strict description allowed_callers async defer_loading output_schema'.split(' ')

/** Source: `WebSearchTool` in openai 7.55, and https://developers.openai.com/api/docs/guides/tools-web-search (`return_token_budget`). */
const webSearchKeys =
  'type external_web_access filters search_context_size user_location return_token_budget'.split(' ')

function checkTool(tool: unknown, index: number): void {
  const path = `tools[${index}]`
  if (!isRecord(tool)) throw new InvalidRequest(`Invalid type for '${path}'.`, path, { code: 'invalid_type' })
  if (isWebSearch(tool)) return checkKeys(tool, webSearchKeys, path)
  if (tool['type'] !== 'function')
    throw new InvalidRequest(`Invalid value: '${String(tool['type'])}'.`, `${path}.type`, {
      code: 'invalid_value',
    })
  const { name } = tool
  // the form of Chat Completions, with everything under `function`
  if (name === undefined)
    throw new InvalidRequest(`Missing required parameter: '${path}.name'.`, `${path}.name`, {
      code: 'missing_required_parameter',
    })
  checkKeys(tool, toolKeys, path)
  if (typeof name !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(name))
    throw new InvalidRequest(
      `Invalid '${path}.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.`,
      `${path}.name`,
      { code: 'invalid_value' },
    )
}

/**
 * What OpenAI's server rejects in a request to the Responses API.
 * @throws InvalidRequest naming the parameter that is wrong
 */
export function checkResponsesRequest(value: unknown): void {
  if (!isRecord(value)) throw new InvalidRequest('The body must be a JSON object.', 'body')
  checkResponsesParameters(value)
  const card = findDemoModel(value['model'])
  checkReasoningLimits(card, value)
  const reasoning = isRecord(value['reasoning']) ? value['reasoning'] : {}
  checkKeys(reasoning, ['effort', 'summary', 'generate_summary', 'context', 'mode'], 'reasoning')
  const include: unknown[] = Array.isArray(value['include']) ? value['include'] : []
  checkResponsesEffort(card, { effort: reasoning['effort'], include })
  if (value['store'] !== false)
    throw new InvalidRequest('This server stores no responses: set store to false.', 'store')
  checkInput(value['input'], card)
  if (Array.isArray(value['tools']))
    for (const [index, tool] of (value['tools'] as unknown[]).entries()) checkTool(tool, index)
}
