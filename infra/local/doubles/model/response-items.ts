import { type RequestMessage, isRecord, parseImage } from './chat-request.ts'
import type { DemoModelCard } from './demo-models.ts'
import { InvalidRequest, quoteList } from './invalid-request.ts'
import { checkKeys } from './parameter-rules.ts'
import { isSealedFor } from './sealed-reasoning.ts'

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
export const toCallItemId = (reasoningId: string, index: number): string =>
  `${reasoningId.replace(/^rs_/, 'fc_')}_${index}`

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

function parseContent(
  item: Item,
  path: string,
  { seesImages }: DemoModelCard,
): Pick<RequestMessage, 'text' | 'images'> {
  const { content, role } = item
  if (typeof content === 'string') return { text: content, images: [] }
  if (!Array.isArray(content))
    throw new InvalidRequest(`Missing required parameter: '${path}.content'.`, `${path}.content`, {
      code: 'missing_required_parameter',
    })
  const supported =
    role === 'assistant' ? ['output_text', 'refusal'] : ['input_text', 'input_image', 'input_file']
  const images: RequestMessage['images'] = []
  const texts = content.flatMap((part: unknown, index) => {
    const type = isRecord(part) ? part['type'] : undefined
    const at = `${path}.content[${index}]`
    if (!isRecord(part) || !supported.includes(String(type))) throw invalidValue(type, supported, at)
    if (type === 'input_image') {
      checkKeys(part, ['type', 'image_url', 'file_id', 'detail', 'prompt_cache_breakpoint'], at)
      // the words of other servers; OpenAI's newer models all see: https://github.com/ollama/ollama/issues/17301
      if (!seesImages) throw new InvalidRequest('This model does not support image input.', at)
      images.push(parseImage(String(part['image_url']), `${at}.image_url`))
    }
    return typeof part['text'] === 'string' ? [part['text']] : []
  })
  return { text: texts.join('\n'), images }
}

const roles: Readonly<Record<string, RequestMessage['role']>> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
}

/**
 * The input items of a Responses request as messages, with OpenAI's rules for their order.
 * @throws InvalidRequest
 */
export function parseInput(input: unknown, card: DemoModelCard): RequestMessage[] {
  if (typeof input === 'string')
    return [{ role: 'user', text: input, images: [], calls: [], toolCallId: undefined }]
  if (!Array.isArray(input) || input.length === 0)
    throw new InvalidRequest("Missing required parameter: 'input'.", 'input', {
      code: 'missing_required_parameter',
    })
  const messages = input.flatMap((item: unknown, index): RequestMessage[] => {
    const path = `input[${index}]`
    if (!isRecord(item))
      throw new InvalidRequest(`Invalid type for '${path}'.`, path, { code: 'invalid_type' })
    const type = typeof item['type'] === 'string' ? item['type'] : 'message'
    const keys = itemKeys[type]
    if (!keys) throw invalidValue(type, Object.keys(itemKeys), path)
    checkKeys(item, keys, path)
    if (type === 'reasoning') {
      checkReasoning(item, path, input[index + 1], card)
      return []
    }
    const base = { text: '', images: [], calls: [], toolCallId: undefined }
    if (type === 'function_call') {
      requireText(item, ['call_id', 'name', 'arguments'], path)
      return [
        { ...base, role: 'assistant', calls: [{ id: String(item['call_id']), name: String(item['name']) }] },
      ]
    }
    if (type === 'function_call_output') {
      requireText(item, typeof item['output'] === 'string' ? ['call_id', 'output'] : ['call_id'], path)
      // `ResponseFunctionCallOutputItemList` in openai 7.55, resources/responses/responses.d.ts
      const output = parseContent({ content: item['output'] }, path, card)
      return [{ ...base, role: 'tool', ...output, toolCallId: String(item['call_id']) }]
    }
    const role = roles[String(item['role'])]
    if (!role) throw invalidValue(item['role'], Object.keys(roles), path)
    return [{ ...base, role, ...parseContent(item, path, card) }]
  })
  checkPairs(input.filter(isRecord))
  return messages
}
