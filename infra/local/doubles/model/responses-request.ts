import {
  type JsonSchema,
  type ModelRequest,
  type OfferedTool,
  isRecord,
  parsePositive,
} from './chat-request.ts'
import { findDemoModel } from './demo-models.ts'
import { InvalidRequest } from './invalid-request.ts'
import {
  checkKeys,
  checkReasoningLimits,
  checkResponsesParameters,
  parseResponsesEffort,
} from './parameter-rules.ts'
import { parseInput } from './response-items.ts'

/** A request to the Responses API. */
export interface ResponsesRequest extends ModelRequest {
  /** whether reasoning items carry their encrypted content */
  encrypts: boolean
  /** whether reasoning is summarised in words */
  summarises: boolean
}

/** Source: `FunctionTool` in openai 7.55, resources/responses/responses.d.ts. */
const toolKeys =
  'type name parameters strict description allowed_callers async defer_loading output_schema'.split(' ')

/** Source: `WebSearchTool` in openai 7.55, and https://developers.openai.com/api/docs/guides/tools-web-search (`return_token_budget`). */
const webSearchKeys =
  'type external_web_access filters search_context_size user_location return_token_budget'.split(' ')
const isWebSearch = (tool: unknown) =>
  isRecord(tool) && (tool['type'] === 'web_search' || tool['type'] === 'web_search_2025_08_26')

function parseTool(tool: unknown, index: number): OfferedTool[] {
  const path = `tools[${index}]`
  if (!isRecord(tool)) throw new InvalidRequest(`Invalid type for '${path}'.`, path, { code: 'invalid_type' })
  if (isWebSearch(tool)) {
    checkKeys(tool, webSearchKeys, path)
    return []
  }
  if (tool['type'] !== 'function')
    throw new InvalidRequest(`Invalid value: '${String(tool['type'])}'.`, `${path}.type`, {
      code: 'invalid_value',
    })
  const { name, description, parameters } = tool
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
  return [
    {
      name,
      description: typeof description === 'string' ? description : '',
      parameters: isRecord(parameters) ? (parameters as JsonSchema) : {},
    },
  ]
}

/** @throws InvalidRequest naming the parameter that is wrong */
export function parseResponsesRequest(value: unknown): ResponsesRequest {
  if (!isRecord(value)) throw new InvalidRequest('The body must be a JSON object.', 'body')
  checkResponsesParameters(value)
  const card = findDemoModel(value['model'])
  checkReasoningLimits(card, value)
  const reasoning = isRecord(value['reasoning']) ? value['reasoning'] : {}
  checkKeys(reasoning, ['effort', 'summary', 'generate_summary', 'context', 'mode'], 'reasoning')
  const include: unknown[] = Array.isArray(value['include']) ? value['include'] : []
  const effort = parseResponsesEffort(card, { effort: reasoning['effort'], include })
  if (value['store'] !== false)
    throw new InvalidRequest('This server stores no responses: set store to false.', 'store')
  const { instructions, tools } = value
  const system = typeof instructions === 'string' ? instructions : ''
  return {
    model: card.id,
    effort,
    messages: [
      ...(system === ''
        ? []
        : [{ role: 'system' as const, text: system, images: [], calls: [], toolCallId: undefined }]),
      ...parseInput(value['input'], card),
    ],
    tools: Array.isArray(tools) ? tools.flatMap(parseTool) : [],
    toolChoice: parseToolChoice(value['tool_choice']),
    searchesWeb: Array.isArray(tools) && tools.some(isWebSearch),
    stream: value['stream'] === true,
    includeUsage: true,
    maxTokens: parsePositive(value['max_output_tokens']),
    encrypts: include.includes('reasoning.encrypted_content'),
    summarises: typeof reasoning['summary'] === 'string',
  }
}

function parseToolChoice(value: unknown): ModelRequest['toolChoice'] {
  if (value === 'none' || value === 'required') return value
  return isRecord(value) && typeof value['name'] === 'string' ? { name: value['name'] } : 'auto'
}
