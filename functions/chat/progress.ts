import type { ReplyNotice, ToolCall } from '#shared/contracts/chat.ts'
import type { Attachment } from '#shared/contracts/files.ts'
import type { ModelMessage } from './model/model.ts'
import { toolHistory } from './model/tool-messages.ts'

/** What a reply consists of so far; kept by the caller, so that it survives a stop or a fault. */
export interface Progress {
  content: string
  toolCalls: ToolCall[]
  /** images made for this reply */
  attachments: Attachment[]
  /** what the reply goes without, as the user is told */
  notices: ReplyNotice[]
  /** the model's own record of its rounds: its messages, and what the tools answered */
  rounds: ModelMessage[]
  inputTokens: number
  outputTokens: number
  /** when the model first said something, or called a tool */
  firstTokenAtMs?: number
}

export const emptyProgress = (): Progress => ({
  content: '',
  toolCalls: [],
  attachments: [],
  notices: [],
  rounds: [],
  inputTokens: 0,
  outputTokens: 0,
})

/** Asks for the rest of a reply whose beginning the model is shown as its own last message. */
const goOnRequest =
  'Your last message was cut off. Go on exactly where it ended, in the middle of a word if need be: repeat nothing, introduce nothing.'

/** Of what the reply has done so far: the model has to know it, or does it again. */
const maxHistoryCharacters = 24_000

/**
 * What a reply goes on from: an incomplete one, or nothing.
 * @param done the calls of an earlier try at the same message that came to nothing: they were made, and are not to be made again
 */
export function progressFrom(
  partial: { content: string; tool_calls?: ToolCall[]; attachments?: Attachment[] } | undefined,
  done: readonly ToolCall[] = [],
): { progress: Progress; continues: boolean } {
  const { content = '', tool_calls: toolCalls = [...done], attachments = [] } = partial ?? {}
  const { messages: rounds } = toolHistory(toolCalls, { key: 'before', most: maxHistoryCharacters })
  // a reply without text goes on after the results of its tools
  if (partial && (content !== '' || rounds.length === 0))
    rounds.push({ role: 'assistant', content }, { role: 'user', content: goOnRequest })
  const begun = { content, toolCalls: [...toolCalls], attachments: [...attachments], rounds }
  return { progress: { ...emptyProgress(), ...begun }, continues: partial !== undefined }
}
