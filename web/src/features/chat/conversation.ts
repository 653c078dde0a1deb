import type { ChatEvent } from '#shared/chat-events.ts'
import type { Attachment } from '#shared/contracts/files.ts'
import type { Session } from '#shared/contracts/sessions.ts'
import { stopPatienceMs } from '#shared/limits.ts'
import { ApiError, isRetryable, NetworkError } from '../../lib/api-errors.ts'
import type { KnownConnections } from '../../lib/known-connections.ts'
import { createReadFirst } from './attachments/read-first.ts'
import type { ChatApi, RunAnswer } from './chat-api.ts'
import { failureFromStream, failureOf, notTaken, type ChatFailure } from './chat-failure.ts'
import type { ChatMessage } from './chat-message.ts'
import { newMessage, requestOf } from './chat-request.ts'
import { isWaiting, retryableMessage, type ChatState } from './chat-state.ts'
import { createChatStore } from './chat-store.ts'
import { frameBatch } from './frame-batch.ts'
import type { ShownTool } from './tools/running-tools.ts'

/** One conversation of the page: its state, and what can be done to it. Replies belong to it wherever the user looks. */
export interface Conversation {
  readonly id: string
  getState: () => ChatState
  /** @returns ends the subscription */
  subscribe: (listener: () => void) => () => void
  /** Reads what is stored and goes on with a reply that is running; nothing while one is followed already. */
  open: () => void
  /** Lets go of everything; the server goes on alone. `open` takes it up again. */
  close: () => void
  /**
   * CHAT-39, CHAT-41: ignored when blank and without files, or while a reply is awaited.
   * @param attachments stored files of the user
   * @param kept whether a chat that begins with this is to be written to the history
   * @returns whether it was sent
   */
  send: (text: string, attachments?: readonly Attachment[], kept?: boolean) => boolean
  /** Sends one of the user's messages anew, with another text or for another reply; what follows it goes when the reply is there. */
  resend: (messageId: string, text: string) => boolean
  /** Sends the last unanswered message once more, under its own id; looks again for a reply that was not stored. */
  retry: () => void
  /** Has the incomplete reply at the end go on where it stopped. */
  goOn: () => void
  /**
   * Answers a question of the waiting reply, which goes on when it was the last one.
   * @returns the sentence to show when the answer was not taken
   */
  answer: (answer: Omit<RunAnswer, 'runId'>) => Promise<string | undefined>
  /** @returns false when the request to stop did not get through; the reply goes on then */
  stop: () => Promise<boolean>
  /** Reads the messages before the first one. */
  loadEarlier: () => Promise<void>
}

export interface ConversationOptions {
  id: string
  /** nothing of it is stored yet */
  fresh: boolean
  /** a message of an earlier page that the service has not acknowledged */
  unsent?: ChatMessage | undefined
  api: ChatApi
  /** the conversation as stored after a turn, for the list */
  onSession: (session: Session) => void
  /** ERR-09: a document could not be read; the message goes on with it attached */
  onUnreadDocument?: (sentence: string) => void
  /** ERR-12, ERR-13: the calls of a reply that this page has followed to its end */
  onToolsUsed?: (tools: readonly ShownTool[]) => void
  /** what the page knows of the user's connections when a message is sent */
  connections?: () => KnownConnections | undefined
}

/** Reading replies: not needed before the first message, or for a conversation that nothing is written in. */
export const loadFollowing = () => import('./follow-reply.ts')

export function createConversation({
  id,
  fresh,
  unsent,
  api,
  onSession,
  onUnreadDocument,
  onToolsUsed,
  connections,
}: ConversationOptions): Conversation {
  const { getState, dispatch, subscribe, letGo } = createChatStore(fresh, unsent)
  let following: AbortController | undefined
  let reading: AbortController | undefined
  const readFirst = createReadFirst({
    analyze: api.analyze,
    onProgress: (progress) => dispatch({ type: 'reading-document', ...progress }),
    onRead: (messageId, attachmentId, read) => {
      dispatch({ type: 'document-read', messageId, attachmentId, reading: read })
      if (read.status === 'failed') onUnreadDocument?.(read.note)
    },
  })

  const deltas = frameBatch((text: string) => apply({ type: 'text-delta', id: '', delta: text }))
  const apply = (event: ChatEvent) => dispatch({ type: 'event', event, at: Date.now() })

  const take = (event: ChatEvent) => {
    if (event.type === 'text-delta') return deltas.add(event.delta)
    deltas.flush()
    const tools = event.type === 'finish' && !isWaiting(getState()) ? (getState().turn?.tools ?? []) : []
    apply(event)
    if (tools.length > 0) onToolsUsed?.(tools)
    if (event.type === 'data-session') onSession(event.data)
    if (event.type === 'start' && getState().turn?.stopping) void askToStop()
  }

  const sendWithDocuments = async (message: ChatMessage) => {
    try {
      if (!(await readFirst.read(message))) return
      dispatch({ type: 'documents-read' })
      sendAndFollow(message)
    } catch (error) {
      fail(error)
    }
  }

  /** DEC-049: a last message that never arrived goes along with the next one, as one message. */
  const withUnsent = (message: ChatMessage): ChatMessage => {
    const last = getState().messages.at(-1)
    if (!last?.local) return message
    dispatch({ type: 'forgotten', messageId: last.id })
    return {
      ...message,
      content: [last.content, message.content].filter((text) => text !== '').join('\n\n'),
      attachments: [...last.attachments, ...message.attachments],
      ...(last.replaces !== undefined && { replaces: last.replaces }),
    }
  }

  const begin = (message: ChatMessage, kept: boolean) => {
    reading?.abort()
    dispatch({ type: 'sent', message, kept })
    void sendWithDocuments(message)
  }

  const follow = (send?: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>) => {
    const own = new AbortController()
    following?.abort()
    following = own
    void loadFollowing()
      .then(({ followReply }) => {
        own.signal.throwIfAborted()
        return followReply({
          ...(send && { send }),
          reattach: (position, signal) => api.reattach(id, position, signal),
          onEvent: take,
          onConnection: (open) => dispatch({ type: 'connection', open }),
          signal: own.signal,
        })
      })
      .then(
        () => ended(own),
        (error: unknown) => broke(own, error),
      )
  }

  const sendAndFollow = (message: ChatMessage, partial?: ChatMessage) =>
    follow((signal) =>
      api.send(
        requestOf(id, message, getState(), { texts: readFirst.texts, partial, connections: connections?.() }),
        signal,
      ),
    )

  const ended = (own: AbortController) => {
    deltas.flush()
    if (own !== following) return
    following = undefined
    if (getState().turn && !isWaiting(getState())) settleFromStore(new NetworkError(false))
  }

  const broke = (own: AbortController, error: unknown) => {
    deltas.flush()
    if (own !== following || own.signal.aborted) return
    following = undefined
    // the question stands, unless it was answered elsewhere
    if (isWaiting(getState()) && getState().kept) return readStored()
    if (error instanceof ApiError && error.status === 404 && getState().turn?.runId !== undefined)
      settleFromStore(error)
    else fail(error)
  }

  const fail = (error: unknown, failure: ChatFailure = failureOf(error)) =>
    dispatch({ type: 'failed', failure, errorId: crypto.randomUUID(), at: Date.now() })

  /** The stream said nothing about the end of the reply: what is stored does. */
  const settleFromStore = (cause: unknown) => {
    if (!getState().kept) return fail(cause)
    const own = new AbortController()
    reading = own
    api.read(id, undefined, own.signal).then(
      (stored) => {
        if (own.signal.aborted) return
        if (stored.run?.status === 'running') return fail(cause)
        dispatch({ type: 'read', stored })
        if (getState().turn) return follow()
        if (!retryableMessage(getState())) return
        // the reply says so itself, and offers Retry
        if (getState().messages.at(-1)?.ended === 'interrupted') return
        const sentence = stored.run?.error
        fail(cause, sentence === undefined ? undefined : failureFromStream(sentence))
      },
      (error: unknown) => {
        if (!own.signal.aborted) fail(error)
      },
    )
  }

  const readStored = () => {
    reading?.abort()
    const own = new AbortController()
    reading = own
    dispatch({ type: 'reading' })
    api.read(id, undefined, own.signal).then(
      (stored) => {
        if (own.signal.aborted || following) return
        const known = isWaiting(getState())
        dispatch({ type: 'read', stored })
        if (getState().turn && !(known && isWaiting(getState()))) follow()
      },
      (error: unknown) => {
        if (own.signal.aborted) return
        const missing = error instanceof ApiError && (error.status === 404 || error.status === 400)
        // a message of this page that never arrived is no reason to say that nothing is there
        if (missing && getState().messages.length > 0 && retryableMessage(getState())) return
        dispatch({ type: 'unreadable', missing })
        if (!missing && getState().stored === 'unreadable') fail(error)
      },
    )
  }

  const askToStop = async () => {
    try {
      await api.stop(id, getState().turn?.runId)
      return true
    } catch (error) {
      // a run that has not begun, or has ended: the start or the end of the stream settles it
      return error instanceof ApiError && !isRetryable(error)
    }
  }

  return {
    id,
    getState,
    subscribe,

    open() {
      if (
        following ||
        (getState().turn && !isWaiting(getState())) ||
        !getState().kept ||
        (fresh && getState().messages.length === 0)
      )
        return
      readStored()
    },

    close() {
      deltas.flush()
      reading?.abort()
      following?.abort()
      readFirst.stop()
      following = undefined
      reading = undefined
      letGo()
    },

    send(text, attachments = [], kept = true) {
      const content = text.trim()
      if ((content === '' && attachments.length === 0) || getState().isLoading) return false
      begin(withUnsent(newMessage(id, content, attachments)), kept)
      return true
    },

    resend(messageId, text) {
      const content = text.trim()
      const { messages, kept } = getState()
      const before = messages.find((message) => message.id === messageId)
      if (!before || getState().isLoading || (content === '' && before.attachments.length === 0)) return false
      const { local, replaces } = before
      // what the server never saw cannot be replaced there, but what it was to replace can
      const target = local ? replaces : before.id
      if (local) dispatch({ type: 'forgotten', messageId })
      begin(
        {
          ...newMessage(id, content, before.attachments),
          ...(target !== undefined && { replaces: target }),
        },
        kept,
      )
      return true
    },

    retry() {
      // DEC-049: written to its end, and not stored: whoever looks for it has the server store what it still has of it
      if (getState().messages.at(-1)?.unsaved) return readStored()
      const message = retryableMessage(getState())
      if (!message) return
      reading?.abort()
      dispatch({ type: 'retried', messageId: message.id })
      void sendWithDocuments(message)
    },

    goOn() {
      const partial = getState().messages.at(-1)
      const message = getState().messages.findLast(({ role }) => role === 'user')
      if (getState().isLoading || partial?.ended !== 'incomplete' || !message) return
      reading?.abort()
      dispatch({ type: 'continued', messageId: message.id, partial })
      sendAndFollow(message, partial)
    },

    answer(given) {
      const { promise: taken, resolve } = Promise.withResolvers<string | undefined>()
      const runId = getState().turn?.runId
      if (!isWaiting(getState()) || runId === undefined) return Promise.resolve(undefined)
      reading?.abort()
      follow(async (signal) => {
        try {
          const body = await api.answer(id, { ...given, runId }, signal)
          dispatch({ type: 'answered', callId: given.callId, approved: given.approved })
          resolve(undefined)
          return body
        } catch (error) {
          resolve(notTaken(error))
          throw error
        }
      })
      return taken
    },

    async stop() {
      const { turn } = getState()
      if (!turn || turn.stopping) return true
      if (readFirst.isRunning()) {
        // nothing was sent yet: the message stands, and can be sent again
        readFirst.stop()
        dispatch({ type: 'left-unanswered' })
        return true
      }
      deltas.flush()
      dispatch({ type: 'stop-asked' })
      const asked = await askToStop()
      const still = () => getState().turn?.messageId === turn.messageId
      if (!asked) {
        if (still()) dispatch({ type: 'stop-refused' })
        return false
      }
      // nobody writes it: nothing will tell of its end
      if (still() && isWaiting(getState())) {
        if (getState().kept) readStored()
        else dispatch({ type: 'stopped', at: Date.now() })
      }
      setTimeout(() => {
        if (!still() || !getState().turn?.stopping) return
        following?.abort()
        following = undefined
        dispatch({ type: 'stopped', at: Date.now() })
      }, stopPatienceMs)
      return true
    },

    async loadEarlier() {
      const { earlier } = getState()
      if (earlier === null) return
      const stored = await api.read(id, earlier, AbortSignal.timeout(stopPatienceMs))
      if (getState().earlier === earlier) dispatch({ type: 'read-earlier', stored })
    },
  }
}
