import type { ChatEvent } from '#shared/chat-events.ts'
import type { Attachment, Reading } from '#shared/contracts/files.ts'
import type { Message, RunView, SessionRead } from '#shared/contracts/sessions.ts'
import { isInternal, stoppedLine } from '#shared/message-content.ts'
import { failureFromStream, type ChatFailure } from './chat-failure.ts'
import { toolsAfter, toolsToShow, type ShownTool } from './tools/running-tools.ts'

/** DATA-04, DEC-013: a message as the page holds it. */
export interface ChatMessage extends Message {
  /** milliseconds since 1970 */
  timestamp: number
  /** id of the user's message that this one takes the place of once it is answered */
  replaces?: string
  /** sent by this page, and nothing has been heard of it yet: the server may not know it */
  local?: true
  /** set by the page for a message that was acted upon; it shows nothing then and is never stored */
  actionResult?: unknown
}

/** The reply that is being waited for or written. */
interface Turn {
  /** the user's message that it answers */
  messageId: string
  runId: string | undefined
  replyId: string | undefined
  /** the user asked to stop; what still arrives is not shown any more */
  stopping: boolean
  /** everything received, what arrived after the stop included: that is what is stored */
  text: string
  ended: Message['ended']
  /** the calls of this reply so far */
  tools: readonly ShownTool[]
  /** what was made for this reply */
  attachments: readonly Attachment[]
  /** the documents that are read before the message is sent; null once it is */
  reading: { name: string; done: number; total: number } | null
  /** the branch that this turn takes the place of; it comes back when no reply comes */
  replaced: readonly ChatMessage[]
}

export interface ShownError extends ChatFailure {
  id: string
  at: number
}

/** CHAT-43, and what the page needs beside it to come back to a conversation. */
export interface ChatState {
  messages: readonly ChatMessage[]
  isLoading: boolean
  streamingText: string
  error: ShownError | null
  hasUserSentMessage: boolean
  turn: Turn | null
  /** how far the stored conversation is known */
  stored: 'unread' | 'reading' | 'read' | 'missing' | 'unreadable'
  /** false: the chat is in no history, this page is all that has it (DEC-033) */
  kept: boolean
  /** names the messages before the first one; null when there are none */
  earlier: string | null
  title: string | null
  /** false while a lost connection to the reply is looked for */
  connected: boolean
}

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
  | { type: 'event'; event: ChatEvent; at: number }
  | { type: 'connection'; open: boolean }
  | { type: 'stop-asked' }
  | { type: 'stop-refused' }
  | { type: 'stopped'; at: number }
  | { type: 'failed'; failure: ChatFailure; errorId: string; at: number }
  | { type: 'error-cleared'; errorId: string }

/** @param fresh nothing of it is stored yet */
export function emptyChat(fresh: boolean): ChatState {
  return {
    messages: [],
    isLoading: false,
    streamingText: '',
    error: null,
    hasUserSentMessage: false,
    turn: null,
    stored: fresh ? 'read' : 'unread',
    kept: true,
    earlier: null,
    title: null,
    connected: true,
  }
}

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
      return event(state, action.event, action.at)
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

/** CHAT-41: a turn that has begun holds the conversation until it settles. */
function begin(state: ChatState, messageId: string): ChatState {
  return {
    ...state,
    isLoading: true,
    streamingText: '',
    error: null,
    connected: true,
    stored: 'read',
    turn: {
      messageId,
      runId: undefined,
      replyId: undefined,
      stopping: false,
      text: '',
      ended: undefined,
      tools: [],
      attachments: [],
      reading: null,
      replaced: [],
    },
  }
}

/** The message at the end of the conversation, or in the place of the branch that it replaces. */
function replacing(state: ChatState, message: ChatMessage): ChatState {
  const others = state.messages.filter(({ id }) => id !== message.id)
  const at = message.replaces === undefined ? -1 : others.findIndex(({ id }) => id === message.replaces)
  if (at < 0) return { ...state, messages: [...others, message] }
  const next = { ...state, messages: [...others.slice(0, at), message] }
  return withTurn(next, { replaced: others.slice(at) })
}

function retried(state: ChatState, messageId: string): ChatState {
  const messages = through(state.messages, messageId)
  const message = messages.at(-1)
  const begun = { ...begin(state, messageId), messages }
  return message?.replaces === undefined ? begun : replacing(begun, message)
}

function withReading(
  attachments: readonly Attachment[],
  { attachmentId, reading }: { attachmentId: string; reading: Reading },
): Attachment[] {
  return attachments.map((each) => (each.id === attachmentId ? { ...each, reading } : each))
}

function event(state: ChatState, event: ChatEvent, at: number): ChatState {
  if (event.type === 'data-session') return { ...state, title: event.data.title }
  if (event.type === 'data-reply') return replaced(state, event.data)
  // DEC-009: whatever follows a settled turn is late, and ignored
  const { turn } = state
  if (!turn) return state
  switch (event.type) {
    case 'start': {
      const { runId, kept = true } = event.messageMetadata
      return {
        ...withTurn(state, {
          runId: runId ?? turn.runId,
          replyId: event.messageId,
          text: '',
          tools: [],
          attachments: [],
          reading: null,
        }),
        messages: state.messages.some(({ id, local }) => id === turn.messageId && local)
          ? state.messages.map((message) => (message.id === turn.messageId ? arrived(message) : message))
          : state.messages,
        streamingText: '',
        // the setting may have been changed elsewhere: the server decides
        kept,
      }
    }
    case 'text-delta':
      return {
        ...withTurn(state, { text: turn.text + event.delta }),
        streamingText: turn.stopping ? state.streamingText : state.streamingText + event.delta,
      }
    case 'data-attachment':
      return withTurn(state, { attachments: [...turn.attachments, event.data] })
    case 'tool-input-available':
    case 'tool-output-available':
    case 'tool-output-error':
    case 'tool-output-denied':
      return withTurn(state, { tools: toolsAfter(turn.tools, event) })
    case 'data-run':
      return withTurn(state, { ended: endedOf(event.data), runId: event.data.run_id })
    case 'abort':
      return stopped(state, at)
    case 'error':
      return failed(state, { ...failureFromStream(event.errorText), id: `${turn.messageId}-${at}`, at })
    case 'finish': {
      const { success, content, error, toolCalls, attachments } = event.messageMetadata
      if (!success && error !== null)
        return failed(state, { ...failureFromStream(error), id: `${turn.messageId}-${at}`, at })
      const text = content || turn.text
      const made = attachments && attachments.length > 0 ? attachments : turn.attachments
      if (text === '' && made.length === 0) return settled(state, [], true)
      return settled(state, [
        { ...reply(turn, text, at, turn.ended), tool_calls: toolCalls, attachments: [...made] },
      ])
    }
    default:
      return state
  }
}

/** The stored reply takes the place of everything after the message that it answers. */
function replaced(state: ChatState, { messages, run }: { messages: Message[]; run: RunView }): ChatState {
  const kept = through(withoutReplaced(state.messages, run), run.message_id)
  const next = { ...state, messages: [...kept, ...withoutKnown(messages, kept).map(shown)] }
  return run.status === 'running' ? next : settled(next, [], messages.length === 0)
}

function stopped(state: ChatState, at: number): ChatState {
  const { turn } = state
  if (!turn) return state
  const line = { ...reply(turn, stoppedLine, at, undefined), id: `${turn.replyId ?? turn.messageId}-stopped` }
  return settled(state, hasContent(turn) ? [reply(turn, turn.text, at, 'stopped'), line] : [line])
}

function failed(state: ChatState, error: ShownError): ChatState {
  const { turn } = state
  const kept = turn && hasContent(turn) ? [reply(turn, turn.text, error.at, turn.ended ?? 'failed')] : []
  return { ...settled(state, kept, kept.length === 0), error }
}

const hasContent = (turn: Turn) => turn.text !== '' || turn.attachments.length > 0

function arrived(message: ChatMessage): ChatMessage {
  const known = { ...message }
  delete known.local
  return known
}

/** @param unanswered no reply came: the branch that was to be replaced stands again, before the message that was not answered */
function settled(state: ChatState, added: readonly ChatMessage[], unanswered = false): ChatState {
  const messages = unanswered ? withReplacedAgain(state) : state.messages
  return {
    ...state,
    messages: added.length === 0 ? messages : [...messages, ...added],
    isLoading: false,
    streamingText: '',
    turn: null,
    connected: true,
  }
}

function withReplacedAgain({ messages, turn }: ChatState): readonly ChatMessage[] {
  if (!turn || turn.replaced.length === 0) return messages
  const at = messages.findIndex(({ id }) => id === turn.messageId)
  return at < 0 ? messages : [...messages.slice(0, at), ...turn.replaced, ...messages.slice(at)]
}

/** Without the branch that a run takes the place of. */
function withoutReplaced(messages: readonly ChatMessage[], run: RunView): readonly ChatMessage[] {
  const from = messages.findIndex(({ id }) => id === run.replaces)
  const to = messages.findIndex(({ id }) => id === run.message_id)
  return from < 0 || to <= from ? messages : [...messages.slice(0, from), ...messages.slice(to)]
}

function withTurn(state: ChatState, change: Partial<Turn>): ChatState {
  return state.turn ? { ...state, turn: { ...state.turn, ...change } } : state
}

function reply(turn: Turn, content: string, at: number, ended: Message['ended']): ChatMessage {
  return {
    id: turn.replyId ?? `${turn.messageId}-reply`,
    session_id: '',
    role: 'assistant',
    content,
    attachments: [...turn.attachments],
    tool_calls: toolsToShow(turn.tools),
    created_at: new Date(at).toISOString(),
    timestamp: at,
    ...(ended && { ended }),
  }
}

function endedOf({ status }: RunView): Message['ended'] {
  return status === 'incomplete' || status === 'interrupted' || status === 'failed' || status === 'stopped'
    ? status
    : undefined
}

/**
 * What is stored, over what the page had: earlier pages that were loaded stay, and so does a last message of the user's that
 * never arrived there.
 */
function read(state: ChatState, { session, messages, earlier, run }: SessionRead): ChatState {
  const running = run?.status === 'running' ? run : null
  const current = messages
    .filter(({ id }) => id !== running?.reply_id)
    .map((message) => takingPlace(shown(message), run))
  const firstKnown = state.messages.findIndex(({ id }) => id === current[0]?.id)
  const before = firstKnown > 0 ? state.messages.slice(0, firstKnown) : []
  const last = state.messages.at(-1)
  const unsent = last?.local && !current.some(({ id }) => id === last.id) ? [last] : []
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

/** A stored message as the page holds it. */
export function shown(message: Message): ChatMessage {
  return { ...message, timestamp: Date.parse(message.created_at) }
}

function withoutKnown(messages: readonly Message[], known: readonly ChatMessage[]): Message[] {
  const ids = new Set(known.map(({ id }) => id))
  return messages.filter(({ id }) => !ids.has(id))
}

/** The messages up to and with the one named; all of them when it is not there. */
function through(messages: readonly ChatMessage[], messageId: string): readonly ChatMessage[] {
  const at = messages.findIndex(({ id }) => id === messageId)
  return at < 0 ? messages : messages.slice(0, at + 1)
}

/** The user's message that can be tried again: the last turn has no reply, or one that broke off. */
export function retryableMessage({ messages, isLoading }: ChatState): ChatMessage | undefined {
  const last = messages.at(-1)
  if (isLoading || !last) return undefined
  if (last.role === 'user') return last
  if (last.ended !== 'failed' && last.ended !== 'interrupted') return undefined
  return messages.findLast(({ role }) => role === 'user')
}
