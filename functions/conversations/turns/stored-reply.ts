import type { Reasoning, ReplyNotice, Source, ToolCall, Usage } from '#shared/contracts/chat.ts'
import type { Attachment } from '#shared/contracts/files.ts'
import { toToolCall, isCallEnded, type ReplyCall, type ReplyState } from '#shared/reply/reply-state.ts'
import { toStorableFields } from '../../platform/dynamodb/storable.ts'

/** The parts of a reply as messages store them; those that it does not have are absent. */
export interface ReplyParts {
  content: string
  toolCalls: ToolCall[]
  /** files made for the reply */
  attachments: Attachment[]
  /** how the reply differs from the request */
  notices?: ReplyNotice[]
  reasoning?: Reasoning
  sources?: Source[]
  usage?: Usage
}

/** Stored size of one argument or result, and of all calls of a reply: they share a row with the reply's text. */
export const maxStoredCharacters = 20_000
const maxCallsBytes = 90_000

const countBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

/** How much of each part of another call can be stored beside these. A UTF-16 code unit takes at most three bytes in UTF-8. */
export function getRemainingCharacters(calls: readonly ReplyCall[], parts: number): number {
  const bytesLeft = maxCallsBytes - countBytes(toStoredCalls(calls))
  return Math.max(0, Math.min(maxStoredCharacters, Math.floor(bytesLeft / (3 * parts))))
}

/**
 * The calls that have ended, in the model's order; results were cut to fit when they came, arguments are cut here.
 * @param unfinishedError of calls that may have been made and have no outcome; without it they are left out
 */
function toStoredCalls(calls: readonly ReplyCall[], unfinishedError?: string): ToolCall[] {
  const stored = calls
    .filter((call) => isCallEnded(call) || (unfinishedError !== undefined && call.status === 'running'))
    .map((call) => toToolCall(call, unfinishedError))
  let bytesLeft = maxCallsBytes - countBytes(stored.map((call) => ({ ...call, parameters: {} })))
  return stored.map((call) => {
    const maxCharacters = Math.max(0, Math.min(maxStoredCharacters, Math.floor(bytesLeft / 3)))
    const parameters = toStorableFields(call.parameters, maxCharacters)
    bytesLeft -= countBytes(parameters)
    return { ...call, parameters }
  })
}

/** What a reply has used, its files included; undefined if it has used nothing. */
export function toUsage({ usage = noUsage(), attachments }: Pick<ReplyState, 'usage' | 'attachments'>) {
  const images = attachments.length
  return usage.inputTokens + usage.outputTokens > 0 || images > 0 ? { ...usage, images } : undefined
}

/** The usage of a reply before its first request. */
export const noUsage = (): Usage => ({
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  reasoningTokens: 0,
  images: 0,
})

/** Files of a temporary chat are inside its events, and stored nowhere. */
const isStoredFile = ({ url }: Attachment) => url?.startsWith('data:') !== true

/** The parts of a reply to store or to send whole. @param unfinishedError see `toStoredCalls` */
export function toReplyParts(reply: ReplyState, unfinishedError?: string): ReplyParts {
  const { text, reasoning, notices, sources } = reply
  const attachments = reply.attachments.filter(isStoredFile)
  const usage = toUsage({ ...reply, attachments })
  return {
    content: text,
    toolCalls: toStoredCalls(reply.toolCalls, unfinishedError),
    attachments,
    ...(notices.length > 0 && { notices: [...notices] }),
    ...(reasoning &&
      reasoning.text !== '' && { reasoning: { text: reasoning.text, durationMs: reasoning.durationMs } }),
    ...(sources.length > 0 && { sources: [...sources] }),
    ...(usage && { usage }),
  }
}
