import type { ReplyNotice, ToolCall } from '#shared/contracts/chat.ts'
import type { Attachment } from '#shared/contracts/files.ts'
import type { ModelMessage } from './model.ts'

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

/** What a reply goes on from: an incomplete one, or nothing. */
export function progressFrom(
  partial: { content: string; tool_calls?: ToolCall[]; attachments?: Attachment[] } | undefined,
): { progress: Progress; continues: boolean } {
  if (!partial) return { progress: emptyProgress(), continues: false }
  const { content, tool_calls = [], attachments = [] } = partial
  const rounds: ModelMessage[] = [
    { role: 'assistant', content },
    { role: 'user', content: goOnRequest },
  ]
  const begun = { content, toolCalls: [...tool_calls], attachments: [...attachments], rounds }
  return { progress: { ...emptyProgress(), ...begun }, continues: true }
}
