import type { ChatEvent } from '#shared/chat-events.ts'
import type { Message, RunView } from '#shared/contracts/sessions.ts'
import { stoppedLine } from '#shared/message-content.ts'
import { failureFromStream } from './chat-failure.ts'
import { shown, through, withoutKnown, type ChatMessage } from './chat-message.ts'
import type { ChatState, ShownError, Turn } from './chat-state.ts'
import { toolsAfter, toolsToShow } from './tools/running-tools.ts'

/* What happens to the state while a reply is waited for or written: from its beginning, event by event, to its end. */

/** CHAT-41: a turn that has begun holds the conversation until it settles. */
export function begin(state: ChatState, messageId: string): ChatState {
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
      questions: [],
      attachments: [],
      notices: [],
      reading: null,
      replaced: [],
    },
  }
}

/** The message at the end of the conversation, or in the place of the branch that it replaces. */
export function replacing(state: ChatState, message: ChatMessage): ChatState {
  const others = state.messages.filter(({ id }) => id !== message.id)
  const at = message.replaces === undefined ? -1 : others.findIndex(({ id }) => id === message.replaces)
  if (at < 0) return { ...state, messages: [...others, message] }
  const next = { ...state, messages: [...others.slice(0, at), message] }
  return withTurn(next, { replaced: others.slice(at) })
}

export function retried(state: ChatState, messageId: string): ChatState {
  const messages = through(state.messages, messageId)
  const message = messages.at(-1)
  const begun = { ...begin(state, messageId), messages }
  return message?.replaces === undefined ? begun : replacing(begun, message)
}

/** What was written stays on the page until the reply goes on from it; when it does not, it stands as before. */
export function continued(state: ChatState, messageId: string, partial: ChatMessage): ChatState {
  const begun = begin({ ...state, messages: state.messages.filter(({ id }) => id !== partial.id) }, messageId)
  return {
    ...withTurn(begun, {
      replyId: partial.id,
      text: partial.content,
      ended: 'incomplete',
      attachments: partial.attachments,
    }),
    streamingText: partial.content,
  }
}

/** @param at milliseconds since 1970 */
export function afterEvent(state: ChatState, event: ChatEvent, at: number): ChatState {
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
          ended: undefined,
          tools: [],
          attachments: [],
          notices: [],
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
    case 'data-notice':
      return withTurn(state, { notices: [...turn.notices, event.data] })
    case 'tool-input-available':
      return withTurn(state, { tools: toolsAfter(turn.tools, event) })
    case 'tool-output-available':
    case 'tool-output-error':
    case 'tool-output-denied':
      return withTurn(state, {
        tools: toolsAfter(turn.tools, event),
        // whoever answered it
        questions: turn.questions.filter(({ call_id }) => call_id !== event.toolCallId),
      })
    case 'data-run':
      return withTurn(state, {
        ended: endedOf(event.data),
        runId: event.data.run_id,
        questions: event.data.questions ?? [],
      })
    case 'abort':
      return stopped(state, at)
    case 'error':
      return failed(state, { ...failureFromStream(event.errorText), id: `${turn.messageId}-${at}`, at })
    case 'finish': {
      // only the stream has ended
      if (turn.questions.length > 0) return state
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
  return isOpen(run) ? next : settled(next, [], messages.length === 0)
}

/** The run is not over: it is written, or waits for the user. */
export const isOpen = ({ status }: RunView): boolean => status === 'running' || status === 'waiting'

/** With the last answer the reply goes on. */
export function answered(state: ChatState, callId: string, approved: boolean): ChatState {
  const decision = approved ? 'approved' : 'denied'
  const questions = (state.turn?.questions ?? []).map((question) =>
    question.call_id === callId ? ({ ...question, decision } as const) : question,
  )
  return withTurn(state, { questions: questions.every((question) => question.decision) ? [] : questions })
}

export function stopped(state: ChatState, at: number): ChatState {
  const { turn } = state
  if (!turn) return state
  const line = { ...reply(turn, stoppedLine, at, undefined), id: `${turn.replyId ?? turn.messageId}-stopped` }
  return settled(state, hasContent(turn) ? [reply(turn, turn.text, at, 'stopped'), line] : [line])
}

export function failed(state: ChatState, error: ShownError): ChatState {
  const { turn } = state
  if (error.kind === 'unsaved' && turn && hasContent(turn))
    return settled(state, [{ ...reply(turn, turn.text, error.at, turn.ended), unsaved: true }])
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
export function settled(state: ChatState, added: readonly ChatMessage[], unanswered = false): ChatState {
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

export function withTurn(state: ChatState, change: Partial<Turn>): ChatState {
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
    ...(turn.notices.length > 0 && { notices: [...turn.notices] }),
  }
}

function endedOf({ status }: RunView): Message['ended'] {
  return status === 'incomplete' || status === 'interrupted' || status === 'failed' || status === 'stopped'
    ? status
    : undefined
}
