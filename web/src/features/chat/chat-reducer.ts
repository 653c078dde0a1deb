import type { ChatEvent } from '#shared/chat-events.ts'
import type { Attachment, Reading } from '#shared/contracts/files.ts'
import type { RunView, SessionRead } from '#shared/contracts/sessions.ts'
import { isInternal } from '#shared/message-content.ts'
import type { ChatFailure } from './chat-failure.ts'
import { isUnsaved, shown, withoutKnown, type ChatMessage } from './chat-message.ts'
import { isWaiting, type ChatState } from './chat-state.ts'
import {
  afterEvent,
  answered,
  begin,
  continued,
  failed,
  isOpen,
  replacing,
  retried,
  settled,
  stopped,
  withTurn,
} from './chat-turn.ts'

/** What can happen to a conversation of the page. */
export type ChatAction =
  | { type: 'reading' }
  | { type: 'read'; stored: SessionRead }
  | { type: 'read-earlier'; stored: Pick<SessionRead, 'messages' | 'earlier'> }
  | { type: 'unreadable'; missing: boolean }
  /** `kept` counts for the first message */
  | { type: 'sent'; message: ChatMessage; kept: boolean }
  | { type: 'reading-document'; name: string; done: number; total: number }
  | { type: 'document-read'; messageId: string; attachmentId: string; reading: Reading }
  | { type: 'documents-read' }
  | { type: 'left-unanswered' }
  | { type: 'forgotten'; messageId: string }
  | { type: 'retried'; messageId: string }
  /** the incomplete reply at the end goes on */
  | { type: 'continued'; messageId: string; partial: ChatMessage }
  | { type: 'event'; event: ChatEvent; at: number }
  /** the server has taken the user's answer to a question */
  | { type: 'answered'; callId: string; approved: boolean }
  | { type: 'connection'; open: boolean }
  | { type: 'stop-asked' }
  | { type: 'stop-refused' }
  | { type: 'stopped'; at: number }
  | { type: 'failed'; failure: ChatFailure; errorId: string; at: number }
  | { type: 'error-cleared'; errorId: string }

/** What follows from it. */
export function chatReducer(state: ChatState, action: ChatAction): ChatState {
  switch (action.type) {
    case 'reading':
      return state.stored === 'read' ? state : { ...state, stored: 'reading' }
    case 'read':
      return read(state, action.stored)
    case 'read-earlier':
      return {
        ...state,
        messages: [...withoutKnown(action.stored.messages, state.messages).map(shown), ...state.messages],
        earlier: action.stored.earlier,
      }
    case 'unreadable':
      if (state.stored === 'read' && !action.missing) return state
      return { ...state, stored: action.missing ? 'missing' : 'unreadable' }
    case 'sent':
      return {
        ...replacing(begin(state, action.message.id), action.message),
        kept: isFresh(state) ? action.kept : state.kept,
        hasUserSentMessage: state.hasUserSentMessage || !isInternal(action.message.content),
      }
    case 'retried':
      return retried(state, action.messageId)
    case 'continued':
      return continued(state, action.messageId, action.partial)
    case 'reading-document':
      return withTurn(state, { reading: { name: action.name, done: action.done, total: action.total } })
    case 'documents-read':
      return withTurn(state, { reading: null })
    case 'document-read':
      return {
        ...state,
        messages: state.messages.map((message) =>
          message.id === action.messageId
            ? { ...message, attachments: withReading(message.attachments, action) }
            : message,
        ),
      }
    case 'forgotten':
      return { ...state, messages: state.messages.filter(({ id }) => id !== action.messageId) }
    case 'left-unanswered':
      return settled(state, [], true)
    case 'event':
      return afterEvent(state, action.event, action.at)
    case 'answered':
      return answered(state, action.callId, action.approved)
    case 'connection':
      return state.connected === action.open ? state : { ...state, connected: action.open }
    case 'stop-asked':
      return withTurn(state, { stopping: true })
    case 'stop-refused':
      return state.turn ? { ...withTurn(state, { stopping: false }), streamingText: state.turn.text } : state
    case 'stopped':
      return stopped(state, action.at)
    case 'failed':
      return failed(state, { ...action.failure, id: action.errorId, at: action.at })
    case 'error-cleared':
      return state.error?.id === action.errorId ? { ...state, error: null } : state
  }
}

/** Nothing was said yet, and nothing is stored. */
const isFresh = ({ stored, messages, title }: ChatState) =>
  stored === 'read' && messages.length === 0 && title === null

function withReading(
  attachments: readonly Attachment[],
  { attachmentId, reading }: { attachmentId: string; reading: Reading },
): Attachment[] {
  return attachments.map((each) => (each.id === attachmentId ? { ...each, reading } : each))
}

/**
 * What is stored, over what the page had: earlier pages that were loaded stay, and so does a last message that never arrived
 * there.
 */
function read(state: ChatState, { session, messages, earlier, run }: SessionRead): ChatState {
  const running = run && isOpen(run) ? run : null
  // what is being filled in on the page stays as it is
  if (running?.questions && isWaiting(state) && state.turn?.runId === running.run_id)
    return withTurn(state, { questions: running.questions })
  const current = messages
    .filter(({ id }) => id !== running?.reply_id)
    .map((message) => takingPlace(shown(message), run))
  const firstKnown = state.messages.findIndex(({ id }) => id === current[0]?.id)
  const before = firstKnown > 0 ? state.messages.slice(0, firstKnown) : []
  const last = state.messages.at(-1)
  const unsent =
    last && !running && isUnsaved(last) && !current.some(({ id }) => id === last.id) ? [last] : []
  const next: ChatState = {
    ...settled(state, []),
    messages: [...before, ...current, ...unsent],
    earlier: firstKnown > 0 ? state.earlier : earlier,
    hasUserSentMessage: [...current, ...unsent].some((m) => m.role === 'user' && !isInternal(m.content)),
    title: session.title,
    stored: 'read',
  }
  if (!running) return next
  const begun = withTurn(begin(next, running.message_id), {
    runId: running.run_id,
    replyId: running.reply_id,
    questions: running.questions ?? [],
  })
  const asked = next.messages.find(({ id }) => id === running.message_id)
  return asked?.replaces === undefined ? begun : replacing(begun, asked)
}

/** The message of a run that replaces another one says so, as long as both are stored. */
function takingPlace(message: ChatMessage, run: RunView | null): ChatMessage {
  return run?.replaces !== undefined && message.id === run.message_id
    ? { ...message, replaces: run.replaces }
    : message
}
