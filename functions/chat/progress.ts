import type { Reasoning, ReplyNotice, Source, ToolCall, Usage } from '#shared/contracts/chat.ts'
import type { Attachment } from '#shared/contracts/files.ts'
import type { ModelMessage, ReasoningItem } from './model/model.ts'
import { buildToolMessages } from './model/tool-messages.ts'
import type { ReplyLog } from '../conversations/store/reply-log.ts'
import { noUsage } from './usage.ts'

/** The reply so far. The caller owns it, so that it survives a stop or an error. */
export interface Progress {
  content: string
  toolCalls: ToolCall[]
  /** images made for this reply */
  attachments: Attachment[]
  /** how the reply differs from the request */
  notices: ReplyNotice[]
  reasoning: Reasoning
  sources: Source[]
  /** usage of the whole reply, whichever invocations wrote it */
  usage: Usage
  /** the part of `usage` from earlier runs; only for a continued reply */
  earlierUsage?: Usage | undefined
  /** messages of the rounds so far: the model's, and the results of its tools */
  roundMessages: ModelMessage[]
  /** what the model's server wants back with the answer that ended the reply */
  lastReasoning?: ReasoningItem[] | undefined
  /** of this invocation, for its metrics */
  inputTokens: number
  outputTokens: number
  /** time of the model's first text or tool call */
  firstTokenAtMs?: number
}

type Extras = Pick<Progress, 'notices' | 'reasoning' | 'sources' | 'usage'>
type StoredExtras = { [Name in keyof Extras]?: Extras[Name] | undefined }

/** What the stored beginning of a reply had besides its text, for the progress of its continuation. */
export const restoreExtras = ({ notices, reasoning, sources, usage }: StoredExtras = {}): Extras => ({
  notices: [...(notices ?? [])],
  reasoning: { ...(reasoning ?? { text: '', durationMs: 0 }) },
  sources: [...(sources ?? [])],
  usage: usage ?? noUsage(),
})

/** The extras that a reply has, to be stored or sent. */
export function toExtras({ notices, reasoning, sources, usage, attachments }: Progress): Partial<Extras> {
  const images = attachments.length
  return {
    ...(notices.length > 0 && { notices }),
    ...(reasoning.text !== '' && { reasoning }),
    ...(sources.length > 0 && { sources }),
    ...((usage.inputTokens + usage.outputTokens > 0 || images > 0) && { usage: { ...usage, images } }),
  }
}

/** Tells the user how the reply differs from the request; the same notice once. */
export function addNotice(
  { progress, events }: { progress: Pick<Progress, 'notices'>; events: Pick<ReplyLog, 'push'> },
  notice: ReplyNotice,
): void {
  if (progress.notices.some(({ code }) => code === notice.code)) return
  progress.notices.push(notice)
  events.push({ type: 'data-notice', data: notice })
}

/** Asks for the rest of a reply whose beginning the model is shown as its own last message. */
const continueInstruction =
  'Your last message was cut off. Go on exactly where it ended, in the middle of a word if need be: repeat nothing, introduce nothing.'

/** Limit for the earlier calls of this reply. */
const maxHistoryCharacters = 24_000

/** Calls of an attempt at the same message, with what its model's server wants back. */
interface EarlierReply {
  tool_calls?: readonly ToolCall[]
  kept_rounds?: string
}

/**
 * The initial progress: of an incomplete reply, or empty.
 * @param earlierReply a failed attempt at the same message, whose calls must not be made again
 */
export function createProgress(
  partialReply: (StoredExtras & EarlierReply & { content: string; attachments?: Attachment[] }) | undefined,
  earlierReply?: EarlierReply,
): { progress: Progress; continues: boolean } {
  const { content = '', attachments = [] } = partialReply ?? {}
  const { tool_calls: toolCalls = [], kept_rounds: kept } = partialReply ?? earlierReply ?? {}
  const { messages: roundMessages } = buildToolMessages(toolCalls, {
    key: 'before',
    maxCharacters: maxHistoryCharacters,
    kept,
  })
  // a reply without text continues after the results of its tools
  if (partialReply && (content !== '' || roundMessages.length === 0))
    roundMessages.push({ role: 'assistant', content }, { role: 'user', content: continueInstruction })
  const progress: Progress = {
    content,
    toolCalls: [...toolCalls],
    attachments: [...attachments],
    roundMessages,
    ...restoreExtras(partialReply),
    earlierUsage: partialReply?.usage,
    inputTokens: 0,
    outputTokens: 0,
  }
  return { progress, continues: partialReply !== undefined }
}
