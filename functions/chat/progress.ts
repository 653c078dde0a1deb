import type { ReplyNotice, ToolCall, Usage } from '#shared/contracts/chat.ts'
import type { Message } from '#shared/contracts/messages.ts'
import type { Cut } from '../conversations/store/message-row.ts'
import type { ModelMessage } from '../models/model.ts'
import { buildToolMessages } from '../models/tool-messages.ts'
import type { Given, Transcript } from './prompt/transcript.ts'
import { toEarlierEvents } from '../conversations/replies/ended-events.ts'
import type { ReplyLog } from '../conversations/store/reply-log.ts'

/** What the events of a reply do not tell. The caller owns it, so that it survives a stop or an error. */
export interface Progress {
  /** messages of the rounds so far: the model's, and the results of its tools */
  roundMessages: ModelMessage[]
  /** what the model was given the user's message with; undefined until the prompt is loaded */
  given?: Given | undefined
  /** where the prompt is cut */
  cut?: Cut | undefined
  /** the part of the usage from earlier runs; only for a continued reply */
  earlierUsage?: Usage | undefined
  /** of this invocation, for its metrics */
  inputTokens: number
  outputTokens: number
  /** the turn that the conversation of the prompt begins with */
  firstTurn?: number | undefined
  /** time of the model's first text or tool call */
  firstTokenAtMs?: number
}

/** Tells the user how the reply differs from the request; the same notice once. */
export function addNotice({ events }: { events: ReplyLog }, notice: ReplyNotice): void {
  if (events.reply.notices.some(({ code }) => code === notice.code)) return
  events.push({ type: 'data-notice', data: notice })
}

/** Asks for the rest of a reply whose beginning the model is shown as its own last message. */
const continueInstruction =
  'Your last message was cut off. Go on exactly where it ended, in the middle of a word if need be: repeat nothing, introduce nothing.'

/** Limit for the earlier calls of this reply. */
const maxHistoryCharacters = 24_000

/** An attempt at the same message. */
interface EarlierReply {
  tool_calls?: ToolCall[]
  transcript?: Transcript
  cut?: Cut
}

export type PartialReply = EarlierReply &
  Pick<Message, 'content'> &
  Partial<Pick<Message, 'attachments' | 'notices' | 'reasoning' | 'sources' | 'usage'>>

/** The round that is written next, from 0. */
export const countRounds = (messages: readonly ModelMessage[]): number =>
  messages.filter(({ role }) => role === 'assistant').length

/** The id of a round's text in the event stream. */
export const toTextId = (round: number): string => `text-${round}`

type ToolMessage = Extract<ModelMessage, { role: 'tool' }>

/** Adds a result for the model, in the order in which the model made the calls of its answer, whichever of them ends first. */
export function addResult({ roundMessages }: Pick<Progress, 'roundMessages'>, message: ToolMessage): void {
  const assistantIndex = roundMessages.findLastIndex(({ role }) => role === 'assistant')
  const assistantMessage = roundMessages[assistantIndex]
  const order =
    assistantMessage?.role === 'assistant' ? (assistantMessage.tool_calls ?? []).map((call) => call.id) : []
  const isLater = (one: ModelMessage) =>
    one.role === 'tool' && order.indexOf(one.tool_call_id) > order.indexOf(message.tool_call_id)
  const laterCount = roundMessages.slice(assistantIndex + 1).filter(isLater).length
  roundMessages.splice(roundMessages.length - laterCount, 0, message)
}

/**
 * Begins a reply, or goes on with an incomplete one. Readers get the whole reply, the earlier part included: its text stays open.
 * @param earlierReply a failed attempt at the same message, whose calls must not be made again
 */
export function beginReply(
  events: ReplyLog,
  partialReply?: PartialReply,
  earlierReply?: EarlierReply,
): { progress: Progress; continues: boolean } {
  const { tool_calls: toolCalls = [], transcript, cut } = partialReply ?? earlierReply ?? {}
  const roundMessages = transcript
    ? [...transcript.messages]
    : buildToolMessages(toolCalls, { key: 'before', maxCharacters: maxHistoryCharacters }).messages
  // the text of an attempt that failed is no part of the new one
  while (!partialReply && roundMessages.length > 0 && roundMessages.at(-1)?.role !== 'tool')
    roundMessages.pop()
  for (const event of toEarlierEvents({ ...partialReply, toolCalls })) events.push(event)
  const progress: Progress = {
    roundMessages,
    ...(transcript && { given: transcript.given, cut }),
    earlierUsage: partialReply?.usage,
    inputTokens: 0,
    outputTokens: 0,
  }
  if (!partialReply) return { progress, continues: false }
  const { content } = partialReply
  // a reply without text continues after the results of its tools
  if (content !== '' && !transcript) roundMessages.push({ role: 'assistant', content })
  if (roundMessages.length === 0) roundMessages.push({ role: 'assistant', content })
  if (roundMessages.at(-1)?.role === 'assistant')
    roundMessages.push({ role: 'user', content: continueInstruction })
  const id = toTextId(countRounds(roundMessages))
  events.push({ type: 'start-step' })
  events.push({ type: 'text-start', id })
  events.push({ type: 'text-delta', id, delta: content })
  return { progress, continues: true }
}
