import { createHmac, randomBytes } from 'node:crypto'
import { isRecord } from '../../../infra/local/doubles/model/model-request.ts'
import {
  type FormattedReply,
  formatResponsesReply,
  type OutputItem,
  parseResponsesRequest,
} from '../../../infra/local/doubles/model/responses-api.ts'
import { findDemoModel, parsePositive, type StrictParts, type StrictRequest } from './strict-request.ts'

/** Not secret: it tells reasoning of this server from other text, also after a restart. */
const key = 'juno-demo-reasoning'

/** Stands for encrypted reasoning: only this server can have made it, for this model and item. */
export function sealReasoning(model: string, id: string, text: string): string {
  const payload = Buffer.from(JSON.stringify({ model, id, text })).toString('base64url')
  return `gAAAAAB${payload}.${createHmac('sha256', key).update(payload).digest().toString('base64url')}`
}

/** @returns whether a sealed text was made for this model and item */
export function isSealedFor(sealed: string, model: string, id: string): boolean {
  const [, payload = ''] = /^gAAAAAB([^.]*)\./.exec(sealed) ?? []
  try {
    const { text } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { text: string }
    return sealReasoning(model, id, text) === sealed
  } catch {
    return false // not made by this server
  }
}

/** A request to the Responses API, for a model that may reason. */
export interface ResponsesRequest extends StrictRequest {
  /** whether reasoning items carry their encrypted content */
  encrypts: boolean
  /** whether reasoning is summarised in words */
  summarises: boolean
}

/** @throws InvalidRequest for a model that there is not */
export function parseReasoningRequest(body: Record<string, unknown>): ResponsesRequest {
  const { efforts, defaultEffort } = findDemoModel(body['model'])
  const reasoning = isRecord(body['reasoning']) ? body['reasoning'] : {}
  const { effort, summary } = reasoning
  const { include } = body
  return {
    ...parseResponsesRequest(body),
    effort: efforts && (typeof effort === 'string' && efforts.includes(effort) ? effort : defaultEffort),
    includeUsage: true,
    maxTokens: parsePositive(body['max_output_tokens']),
    encrypts: Array.isArray(include) && include.includes('reasoning.encrypted_content'),
    summarises: typeof summary === 'string',
  }
}

function reasoningItem(id: string, request: ResponsesRequest, tokens: readonly string[]): OutputItem {
  const text = tokens.join('')
  const seal = request.encrypts ? { encrypted_content: sealReasoning(request.model, id, text) } : {}
  const summary = request.summarises ? [{ type: 'summary_text', text }] : []
  const event = (type: string, more: object) => ({
    type: `response.reasoning_summary_${type}`,
    item_id: id,
    summary_index: 0,
    ...more,
  })
  return {
    begun: { id, type: 'reasoning', summary: [], status: 'in_progress' },
    done: { id, type: 'reasoning', summary, ...seal, status: 'completed' },
    before: request.summarises ? [event('part.added', { part: { type: 'summary_text', text: '' } })] : [],
    // without a summary nothing is heard while it reasons
    tokens: request.summarises ? tokens.map((delta) => [event('text.delta', { delta })]) : [],
    after: request.summarises
      ? [event('text.done', { text }), event('part.done', { part: { type: 'summary_text', text } })]
      : [],
  }
}

/** The reply as the Responses API has it, with its reasoning. */
export function formatReasonedReply(request: ResponsesRequest, parts: StrictParts): FormattedReply {
  const { reasoning } = parts
  if (reasoning.length === 0) return formatResponsesReply(request.model, parts)
  const hex = randomBytes(24).toString('hex')
  return formatResponsesReply(request.model, parts, {
    items: [reasoningItem(`rs_${hex}`, request, reasoning)],
    tokens: reasoning.length,
    // the id of a call's item tells which reasoning it came from
    newCallId: (index) => `fc_${hex}_${index}`,
  })
}
