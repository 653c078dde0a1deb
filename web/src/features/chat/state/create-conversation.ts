import type { ChatEvent } from '#shared/chat-events.ts'
import { stopPatienceMs } from '#shared/limits.ts'
import { ApiError, NetworkError } from '../../../lib/api-errors.ts'
import { createDocumentAnalyzer } from '../attachments/analyze-before-send.ts'
import { failureFromStream, failureOf, notTaken, type ChatFailure } from './chat-failure.ts'
import type { ChatMessage } from './chat-message.ts'
import { joinMessages, newMessage, newVersion, requestOf, requestStop } from './chat-request.ts'
import { isWaiting, retryableMessage } from './chat-state.ts'
import { chatReducer } from './chat-reducer.ts'
import { createChatStore } from './chat-store.ts'
import type { Conversation, ConversationOptions } from './conversation.ts'
import { createFrameBatch } from '../stream/frame-batch.ts'
import { activeReply } from './pending-reply.ts'

/** Reading replies: not needed before the first message, or for a conversation that nothing is written in. */
export const loadFollowing = () => import('./reply-stream.ts')

export function createConversation({
  id,
  queryClient,
  fresh,
  unsent,
  api,
  onSession,
  onUnreadDocument,
  onToolsUsed,
  connections,
}: ConversationOptions): Conversation {
  let following: AbortController | undefined
  const store = createChatStore({
    id,
    queryClient,
    fresh,
    unsent,
    read: (signal) => api.read(id, undefined, signal),
    canRead: () => canRefresh(),
    onRead: () => adopt(),
    onReadFailure: (error) => {
      if (getState().load === 'unreadable') fail(error)
    },
  })
  const { getState, dispatch } = store
  const readFirst = createDocumentAnalyzer({
    analyze: api.analyze,
    onProgress: (progress) => dispatch({ type: 'reading-document', ...progress }),
    onAnalyzed: (attachmentId, read) => {
      dispatch({ type: 'document-read', attachmentId, reading: read })
      if (read.status === 'failed') onUnreadDocument?.(read.note)
    },
  })

  /** Nothing is stored, or the page knows more than the store as long as a reply is written. */
  const canRefresh = () => {
    const { pending, messages, isSaved } = getState()
    const isBusy = following !== undefined || (pending.status !== 'idle' && !isWaiting(getState()))
    return isSaved && !isBusy && !(fresh && messages.length === 0)
  }

  /** What was just read tells of a reply that goes on, or has ended, elsewhere. */
  const adopt = () => {
    if (following || (getState().isLoading && !isWaiting(getState()))) return
    const wasWaiting = isWaiting(getState())
    dispatch({ type: 'adopted' })
    if (getState().isLoading && !(wasWaiting && isWaiting(getState()))) follow()
  }

  const deltas = createFrameBatch((text: string) => apply({ type: 'text-delta', id: '', delta: text }))
  let stream: Awaited<ReturnType<typeof loadFollowing>> | undefined
  const apply = (event: ChatEvent) =>
    store.update((chat) => stream?.afterEvent(chat, event, Date.now()) ?? chat)

  const handleEvent = (event: ChatEvent) => {
    if (event.type === 'text-delta') return deltas.add(event.delta)
    deltas.flush()
    const isLast = event.type === 'finish' && !isWaiting(getState())
    const tools = isLast ? (activeReply(getState().pending)?.tools ?? []) : []
    apply(event)
    if (tools.length > 0) onToolsUsed?.(tools)
    if (event.type === 'data-session') onSession(event.data)
    if (event.type === 'start' && getState().pending.status === 'stopping') void askToStop()
  }

  const letGo = () => {
    following?.abort()
    following = undefined
  }

  const sendWithDocuments = async (message: ChatMessage) => {
    try {
      if (!(await readFirst.analyze(message))) return
      dispatch({ type: 'documents-read' })
      sendAndFollow(message)
    } catch (error) {
      fail(error)
    }
  }

  /** @param unsent a message that never arrived, which this one takes the place of */
  const begin = (message: ChatMessage, isSaved: boolean, unsent?: ChatMessage) => {
    // what still comes of the reply before is not about this one
    letGo()
    if (unsent) dispatch({ type: 'forgotten', messageId: unsent.id })
    dispatch({ type: 'sent', message, isSaved })
    void sendWithDocuments(message)
  }

  /** @param onFailure told what ended the stream too soon */
  const follow = (
    send?: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>,
    onFailure?: (error: unknown) => void,
  ) => {
    const controller = new AbortController()
    following?.abort()
    following = controller
    void loadFollowing()
      .then((loaded) => {
        stream = loaded
        controller.signal.throwIfAborted()
        return loaded.followReply({
          ...(send && { send }),
          reattach: (position, signal) => api.reattach(id, position, signal),
          onEvent: (event) => controller === following && handleEvent(event),
          onConnectionChange: (open) => dispatch({ type: 'connection', open }),
          signal: controller.signal,
        })
      })
      .then(
        () => ended(controller),
        (error: unknown) => {
          onFailure?.(error)
          broke(controller, error)
        },
      )
  }

  const sendAndFollow = (message: ChatMessage, partial?: ChatMessage) =>
    follow((signal) =>
      api.send(
        requestOf(id, message, getState(), { texts: readFirst.texts, partial, connections: connections?.() }),
        signal,
      ),
    )

  const ended = (controller: AbortController) => {
    deltas.flush()
    if (controller !== following) return
    following = undefined
    if (getState().isLoading && !isWaiting(getState())) settleFromStore(new NetworkError(false))
  }

  const broke = (controller: AbortController, error: unknown) => {
    deltas.flush()
    if (controller !== following || controller.signal.aborted) return
    following = undefined
    // the question stands, unless it was answered elsewhere
    if (isWaiting(getState()) && getState().isSaved) return refresh()
    const hasBegun = activeReply(getState().pending)?.runId !== undefined
    if (error instanceof ApiError && error.status === 404 && hasBegun) settleFromStore(error)
    else fail(error)
  }

  const fail = (cause: unknown, failure: ChatFailure = failureOf(cause)) => {
    const error = { ...failure, id: crypto.randomUUID(), at: Date.now() }
    store.update((chat) => stream?.failReply(chat, error) ?? chatReducer(chat, { type: 'failed', error }))
  }

  /** Before anything could be read, nothing came of it. */
  const endStopped = () =>
    store.update(
      (chat) => stream?.stopReply(chat, Date.now()) ?? chatReducer(chat, { type: 'left-unanswered' }),
    )

  /** The stream said nothing about the end of the reply: what is stored does. */
  const settleFromStore = (cause: unknown) => {
    if (!getState().isSaved) return fail(cause)
    const reply = activeReply(getState().pending)
    store.read().then(
      ({ run }) => {
        if (following || activeReply(getState().pending)?.messageId !== reply?.messageId) return
        if (run?.status === 'running') return fail(cause)
        dispatch({ type: 'adopted' })
        if (getState().isLoading) return follow()
        if (!retryableMessage(getState())) return
        // the reply says so itself, and offers Retry
        if (getState().messages.at(-1)?.ended === 'interrupted') return
        fail(cause, run?.error === undefined ? undefined : failureFromStream(run.error))
      },
      (error: unknown) => {
        if (!following && activeReply(getState().pending) === reply) fail(error)
      },
    )
  }

  const refresh = () => void store.read().catch(() => undefined)

  const askToStop = () => requestStop(api, id, activeReply(getState().pending)?.runId)

  return {
    id,
    getState,
    subscribe: store.subscribe,
    query: store.query,
    dispose: store.dispose,

    refresh() {
      if (canRefresh()) refresh()
    },

    close() {
      deltas.flush()
      letGo()
      readFirst.stop()
      store.close()
    },

    send(text, attachments = [], isSaved = true, messageId?: string) {
      const content = text.trim()
      if ((content === '' && attachments.length === 0) || getState().isLoading) return false
      const message = newMessage(id, content, attachments, messageId)
      const last = getState().messages.at(-1)
      if (last?.local) begin(joinMessages(last, message), isSaved, last)
      else begin(message, isSaved)
      return true
    },

    resend(messageId, text) {
      const content = text.trim()
      const { messages, isSaved, isLoading } = getState()
      const before = messages.find((message) => message.id === messageId)
      if (!before || isLoading || (content === '' && before.attachments.length === 0)) return false
      begin(newVersion(before, content), isSaved, before.local && before)
      return true
    },

    retry() {
      // DEC-049: written to its end, and not stored: whoever looks for it has the server store what it still has of it
      if (getState().messages.at(-1)?.unsaved) return refresh()
      const message = retryableMessage(getState())
      if (message) begin(message, getState().isSaved)
    },

    goOn() {
      const { messages, isLoading } = getState()
      const partial = messages.at(-1)
      const message = messages.findLast(({ role }) => role === 'user')
      if (isLoading || partial?.ended !== 'incomplete' || !message) return
      dispatch({ type: 'continued', message, partial })
      sendAndFollow(message, partial)
    },

    answer(given) {
      const { promise: taken, resolve } = Promise.withResolvers<string | undefined>()
      const runId = activeReply(getState().pending)?.runId
      if (!isWaiting(getState()) || runId === undefined) return Promise.resolve(undefined)
      follow(
        async (signal) => {
          const body = await api.decide(id, { ...given, runId }, signal)
          dispatch({ type: 'answered', callId: given.callId, approved: given.approved })
          resolve(undefined)
          return body
        },
        (error) => resolve(notTaken(error)),
      )
      return taken
    },

    async stop() {
      const reply = activeReply(getState().pending)
      if (!reply || reply.status === 'stopping') return true
      if (readFirst.isRunning()) {
        // nothing was sent yet: the message stands, and can be sent again
        readFirst.stop()
        dispatch({ type: 'left-unanswered' })
        return true
      }
      deltas.flush()
      dispatch({ type: 'stop-asked' })
      const asked = await askToStop()
      const still = () => activeReply(getState().pending)?.messageId === reply.messageId
      if (!asked) {
        if (still()) dispatch({ type: 'stop-refused' })
        return false
      }
      // nobody writes it: nothing will tell of its end
      if (still() && isWaiting(getState())) {
        if (getState().isSaved) refresh()
        else endStopped()
      }
      setTimeout(() => {
        if (!still() || getState().pending.status !== 'stopping') return
        letGo()
        endStopped()
      }, stopPatienceMs)
      return true
    },

    async loadEarlier() {
      const { earlier } = getState()
      if (earlier === null) return
      const read = await api.read(id, earlier, AbortSignal.timeout(stopPatienceMs))
      if (getState().earlier === earlier) dispatch({ type: 'read-earlier', read })
    },
  }
}
