import type { DisabledTool } from '#shared/contracts/chat.ts'
import type { ConversationAssistant } from '#shared/contracts/messages.ts'
import type { RunView } from '#shared/contracts/runs.ts'
import type { SessionRead } from '#shared/contracts/sessions.ts'
import { isLasting, toStreamFailure } from './chat-failure.ts'
import { toChatMessage, withoutKnown, type ChatMessage } from './chat-message.ts'

/** The loaded part of a stored conversation: the value of the query. */
export interface StoredConversation {
  /** oldest first */
  messages: readonly ChatMessage[]
  /** the cursor of earlier messages; null when there are none */
  previousCursor: string | null
  title: string | null
  /** id of the model that replied last, and the effort that was chosen with it */
  model?: string | undefined
  effort?: string | undefined
  /** tools that its replies may not use */
  disabledTools?: readonly DisabledTool[] | undefined
  /** null without a project; undefined until the server has told */
  projectId?: string | null
  assistant?: ConversationAssistant | undefined
  /** the newest run when it was loaded; null when it has ended */
  run: RunView | null
  /** the newest message, if it was to replace another one and its reply ended without a word; it is none of the messages */
  attempt?: ChatMessage | undefined
}

/** A conversation that has not begun. */
export const emptyConversation: StoredConversation = {
  messages: [],
  previousCursor: null,
  title: null,
  run: null,
}

/** Whether a run still produces its reply, or waits to go on. */
export const isActiveRun = ({ status }: RunView): boolean => status === 'running' || status === 'waiting'

/** Replaces the newest messages by those of a read. Earlier ones stay loaded unless messages between the two are missing. */
export function mergeNewest(
  conversation: StoredConversation | undefined,
  { session, messages, earlier: previousCursor, run, attempt }: SessionRead,
): StoredConversation {
  // none are before the oldest: what stands there was replaced or deleted
  const mayPrecede = previousCursor === null ? undefined : conversation
  const overlapIndex = mayPrecede?.messages.findIndex(({ id }) => id === messages[0]?.id) ?? -1
  const before = overlapIndex > 0 ? (conversation?.messages.slice(0, overlapIndex) ?? []) : []
  return {
    messages: [...before, ...messages.map((message) => withReplaced(toChatMessage(message), run))],
    previousCursor: conversation && overlapIndex > 0 ? conversation.previousCursor : previousCursor,
    title: session.title,
    model: session.model,
    effort: session.effort,
    disabledTools: session.disabled_tools,
    projectId: session.project_id ?? null,
    assistant: session.assistant,
    run,
    attempt: attempt && run ? toAttempt(toChatMessage(attempt), run) : undefined,
  }
}

function toAttempt(message: ChatMessage, run: RunView): ChatMessage {
  const { replaces, error, status } = run
  const failure = error === undefined ? undefined : toStreamFailure({ ...run, error })
  return {
    ...message,
    ...(replaces !== undefined && { replaces }),
    ...(failure && isLasting(failure) && { refusal: failure.message }),
    ...((status === 'stopped' || status === 'interrupted') && { ended: status }),
  }
}

/** Adds to the user message of a running reply which message it replaces. */
function withReplaced(message: ChatMessage, run: RunView | null): ChatMessage {
  return run?.replaces !== undefined && message.id === run.message_id
    ? { ...message, replaces: run.replaces }
    : message
}

/** Adds a page of earlier messages. */
export function prependEarlier(
  conversation: StoredConversation,
  { messages, earlier: previousCursor }: Pick<SessionRead, 'messages' | 'earlier'>,
): StoredConversation {
  const before = withoutKnown(messages, conversation.messages).map(toChatMessage)
  return { ...conversation, messages: [...before, ...conversation.messages], previousCursor }
}

/** Replaces a message by id, or appends it. A continued reply keeps its rating. */
export function withMessage(conversation: StoredConversation, message: ChatMessage): StoredConversation {
  const { messages } = conversation
  const isKnown = messages.some(({ id }) => id === message.id)
  return {
    ...conversation,
    messages: isKnown
      ? messages.map((each) => (each.id === message.id ? withRating(message, each) : each))
      : [...messages, message],
  }
}

const withRating = (message: ChatMessage, { feedback }: ChatMessage): ChatMessage =>
  feedback ? { feedback, ...message } : message
