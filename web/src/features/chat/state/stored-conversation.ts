import type { Rating, RunView, SessionRead } from '#shared/contracts/sessions.ts'
import { shown, withoutKnown, type ChatMessage } from './chat-message.ts'

/** A conversation as the server has stored it, as far as it was read: what the query cache holds. */
export interface StoredConversation {
  /** oldest first */
  messages: readonly ChatMessage[]
  /** names the messages before the first one; null when there are none */
  earlier: string | null
  title: string | null
  /** the newest reply, as it stood when it was read; null when it is known to be over */
  run: RunView | null
}

/** What is stored of a conversation that begins now. */
export const emptyConversation: StoredConversation = { messages: [], earlier: null, title: null, run: null }

/** The run is not over: it is written, or waits for the user. */
export const isOpen = ({ status }: RunView): boolean => status === 'running' || status === 'waiting'

/** The newest messages as they were just read; earlier ones that were read before stay, where the two join. */
export function withNewest(
  known: StoredConversation | undefined,
  { session, messages, earlier, run }: SessionRead,
): StoredConversation {
  const joint = known?.messages.findIndex(({ id }) => id === messages[0]?.id) ?? -1
  const before = joint > 0 ? (known?.messages.slice(0, joint) ?? []) : []
  return {
    messages: [...before, ...messages.map((message) => withReplaced(shown(message), run))],
    earlier: known && joint > 0 ? known.earlier : earlier,
    title: session.title,
    run,
  }
}

/** The message of a run that takes the place of another one says so. */
function withReplaced(message: ChatMessage, run: RunView | null): ChatMessage {
  return run?.replaces !== undefined && message.id === run.message_id
    ? { ...message, replaces: run.replaces }
    : message
}

/** With the messages before the first one. */
export function withEarlier(
  known: StoredConversation,
  { messages, earlier }: Pick<SessionRead, 'messages' | 'earlier'>,
): StoredConversation {
  const before = withoutKnown(messages, known.messages).map(shown)
  return { ...known, messages: [...before, ...known.messages], earlier }
}

/** With what the user thinks of a reply; undefined takes it back. */
export function withRating(
  known: StoredConversation,
  messageId: string,
  rating: Rating | undefined,
): StoredConversation {
  const rate = (message: ChatMessage): ChatMessage => {
    const { rating: before, ...rest } = message
    return before === rating ? message : { ...rest, ...(rating && { rating }) }
  }
  return {
    ...known,
    messages: known.messages.map((message) => (message.id === messageId ? rate(message) : message)),
  }
}

/** With one message in its place, or at the end. */
export function withMessage(known: StoredConversation, message: ChatMessage): StoredConversation {
  const { messages } = known
  const isKnown = messages.some(({ id }) => id === message.id)
  return {
    ...known,
    messages: isKnown
      ? messages.map((each) => (each.id === message.id ? message : each))
      : [...messages, message],
  }
}
