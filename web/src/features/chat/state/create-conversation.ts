import type { DisabledTool } from '#shared/contracts/chat.ts'
import type { ChatEvent } from '#shared/chat-events.ts'
import { defaultTimeoutMs, stopPatienceMs } from '#shared/limits.ts'
import { createStore } from '../../../lib/create-store.ts'
import { ApiError, NetworkError } from '../../../lib/api-errors.ts'
import { createDocumentAnalyzer } from '../attachments/analyze-before-send.ts'
import { parseStreamFailure, toChatFailure, type ChatFailure } from './chat-failure.ts'
import { isContinuable, withoutDeletedFiles, type ChatMessage } from './chat-message.ts'
import { joinMessages, newMessage, newVersion, buildChatRequest, requestStop } from './chat-request.ts'
import { isReplyWaiting, findRetryableMessage } from './chat-state.ts'
import { chatReducer } from './chat-reducer.ts'
import { createChatStore } from './chat-store.ts'
import type { Conversation, ConversationOptions, ModelChoice } from './conversation.ts'
import { createFrameBatch } from '../stream/frame-batch.ts'
import { getActiveReply } from './pending-reply.ts'

/** Loads the code of streaming replies, which is not needed before the first message or a running reply. */
export const loadReplyStream = () => import('./reply-stream.ts')

/** Creates a conversation. Its stored part is loaded when its query is observed. */
export function createConversation({
  id,
  queryClient,
  isNew,
  isTemporary = false,
  unacknowledgedMessage,
  api,
  onConversationChange,
  onUnreadableDocument,
  onToolsUsed,
  readConnections,
}: ConversationOptions): Conversation {
  let streamController: AbortController | undefined
  let stopTimer: ReturnType<typeof setTimeout> | undefined
  const store = createChatStore({
    id,
    queryClient,
    isNew,
    isTemporary,
    unacknowledgedMessage,
    load: (signal) => api.read(id, undefined, signal),
    canLoad: () => canRefresh(),
    onLoaded: () => applyStored(),
    onLoadFailure: (error) => {
      if (getState().loadStatus === 'failed') fail(error)
    },
  })
  const { getState, dispatch } = store
  const modelChoice = createStore<ModelChoice | undefined>(undefined)
  const disabledTools = createStore<readonly DisabledTool[] | undefined>(undefined)
  const documentAnalyzer = createDocumentAnalyzer({
    analyze: api.analyze,
    onProgress: (progress) => dispatch({ type: 'document-progress', ...progress }),
    onAnalyzed: (attachmentId, reading) => {
      dispatch({ type: 'document-analyzed', attachmentId, reading })
      if (reading.status === 'failed') onUnreadableDocument?.(reading.note)
    },
  })

  /** Whether the stored part can be loaded: not while a reply streams, because the page is ahead of the server, and not in temporary chats. */
  const canRefresh = () => {
    const { pending, messages, isTemporary } = getState()
    const isBusy =
      streamController !== undefined || (pending.status !== 'idle' && !isReplyWaiting(getState()))
    return !isTemporary && !isBusy && !(isNew && messages.length === 0)
  }

  /** Applies the loaded state: a reply may run, or have ended, elsewhere. */
  const applyStored = () => {
    if (streamController || (getState().isReplying && !isReplyWaiting(getState()))) return
    const wasWaiting = isReplyWaiting(getState())
    dispatch({ type: 'stored-conversation-loaded' })
    if (getState().isReplying && !(wasWaiting && isReplyWaiting(getState()))) openStream()
  }

  const deltas = createFrameBatch((text: string) => applyEvent({ type: 'text-delta', id: '', delta: text }))
  let streamModule: Awaited<ReturnType<typeof loadReplyStream>> | undefined
  const applyEvent = (event: ChatEvent) =>
    store.update((chat) => streamModule?.applyEvent(chat, event, Date.now()) ?? chat)

  const handleEvent = (event: ChatEvent) => {
    if (event.type === 'text-delta') return deltas.add(event.delta)
    deltas.flush()
    const isLast = event.type === 'finish' && !isReplyWaiting(getState())
    const toolCalls = isLast ? (getActiveReply(getState().pending)?.toolCalls ?? []) : []
    applyEvent(event)
    if (toolCalls.length > 0) onToolsUsed?.(toolCalls)
    if (event.type === 'data-session') onConversationChange(event.data)
    if (event.type === 'start' && getState().pending.status === 'stopping') void sendStop()
  }

  const abortStream = () => {
    streamController?.abort()
    streamController = undefined
  }

  const sendWithDocuments = async (message: ChatMessage) => {
    try {
      if (!(await documentAnalyzer.analyze(message))) return
      dispatch({ type: 'documents-analyzed' })
      sendAndStream(message)
    } catch (error) {
      fail(error)
    }
  }

  /**
   * @param original is sent without those of its files that were deleted
   * @param previous an unacknowledged message that this one replaces
   */
  const sendMessage = (original: ChatMessage, previous?: ChatMessage) => {
    const message = withoutDeletedFiles(original)
    // late events belong to the previous reply
    abortStream()
    if (previous) dispatch({ type: 'unacknowledged-message-removed', messageId: previous.id })
    dispatch({ type: 'message-submitted', message })
    void sendWithDocuments(message)
  }

  /** @param onEnd called when the stream has ended, with the error if one ended it */
  const openStream = (
    send?: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>,
    onEnd?: (error?: unknown) => void,
  ) => {
    const controller = new AbortController()
    streamController?.abort()
    streamController = controller
    void loadReplyStream()
      .then((module) => {
        streamModule = module
        controller.signal.throwIfAborted()
        return module.streamReply({
          ...(send && { send }),
          reattach: (position, signal) => api.reattach(id, position, signal),
          onEvent: (event) => controller === streamController && handleEvent(event),
          onConnectionChange: (isConnected) => dispatch({ type: 'stream-connection-changed', isConnected }),
          signal: controller.signal,
        })
      })
      .then(
        () => {
          onEnd?.()
          handleStreamEnd(controller)
        },
        (error: unknown) => {
          onEnd?.(error)
          handleStreamError(controller, error)
        },
      )
  }

  const sendAndStream = (message: ChatMessage, partial?: ChatMessage) =>
    openStream((signal) =>
      api.send(
        buildChatRequest(id, message, getState(), {
          texts: documentAnalyzer.extractedTexts,
          partial,
          connections: readConnections?.(),
          modelChoice: modelChoice.getState(),
          disabledTools: disabledTools.getState(),
        }),
        signal,
      ),
    )

  const handleStreamEnd = (controller: AbortController) => {
    deltas.flush()
    if (controller !== streamController) return
    streamController = undefined
    if (getState().isReplying && !isReplyWaiting(getState())) recoverFromStored(new NetworkError(false))
  }

  const handleStreamError = (controller: AbortController, error: unknown) => {
    deltas.flush()
    if (controller !== streamController || controller.signal.aborted) return
    streamController = undefined
    // the approval request may have been decided elsewhere
    if (isReplyWaiting(getState()) && !getState().isTemporary) return refresh()
    const hasStarted = getActiveReply(getState().pending)?.runId !== undefined
    if (error instanceof ApiError && error.status === 404 && hasStarted) recoverFromStored(error)
    else fail(error)
  }

  const fail = (cause: unknown, failure: ChatFailure = toChatFailure(cause)) => {
    const error = { ...failure, id: crypto.randomUUID(), timestamp: Date.now() }
    store.update(
      (chat) => streamModule?.failReply(chat, error) ?? chatReducer(chat, { type: 'reply-failed', error }),
    )
  }

  const finishStopped = () =>
    store.update(
      (chat) => streamModule?.stopReply(chat, Date.now()) ?? chatReducer(chat, { type: 'reply-dropped' }),
    )

  /** The stream ended without a final event: the stored state decides. */
  const recoverFromStored = (cause: unknown) => {
    if (getState().isTemporary) return fail(cause)
    const reply = getActiveReply(getState().pending)
    store.load().then(
      ({ run }) => {
        if (streamController || getActiveReply(getState().pending)?.messageId !== reply?.messageId) return
        if (run?.status === 'running') return fail(cause)
        dispatch({ type: 'stored-conversation-loaded' })
        if (getState().isReplying) return openStream()
        if (!findRetryableMessage(getState())) return
        // the message shows this, with Retry
        if (getState().messages.at(-1)?.ended === 'interrupted') return
        fail(cause, run?.error === undefined ? undefined : parseStreamFailure(run.error))
      },
      (error: unknown) => {
        if (!streamController && getActiveReply(getState().pending) === reply) fail(error)
      },
    )
  }

  const refresh = () => void store.load().catch(() => undefined)

  const sendStop = () => requestStop(api, id, getActiveReply(getState().pending)?.runId)

  return {
    id,
    getState,
    subscribe: store.subscribe,
    query: store.query,
    dispose: store.dispose,
    modelChoice,
    disabledTools,

    refresh() {
      if (canRefresh()) refresh()
    },

    close() {
      deltas.flush()
      abortStream()
      documentAnalyzer.stop()
      store.close()
    },

    chooseTemporary: (isTemporary) => dispatch({ type: 'temporary-chosen', isTemporary }),

    send(text, attachments = [], messageId) {
      const content = text.trim()
      if ((content === '' && attachments.length === 0) || getState().isReplying) return false
      const message = newMessage(id, content, attachments, messageId)
      const last = getState().messages.at(-1)
      if (last?.unacknowledged) sendMessage(joinMessages(last, message), last)
      else sendMessage(message)
      return true
    },

    resend(messageId, text) {
      const content = text.trim()
      const { messages, isReplying } = getState()
      const original = messages.find((message) => message.id === messageId)
      if (!original || isReplying || (content === '' && original.attachments.length === 0)) return false
      sendMessage(newVersion(original, content), original.unacknowledged && original)
      return true
    },

    retry() {
      // complete but not stored: loading makes the server store it
      if (getState().messages.at(-1)?.notStored) return refresh()
      const message = findRetryableMessage(getState())
      if (message) sendMessage(message)
    },

    continueReply() {
      const { messages, isReplying } = getState()
      const partial = messages.at(-1)
      const message = messages.findLast(({ role }) => role === 'user')
      if (isReplying || !partial || !isContinuable(partial) || !message) return
      dispatch({ type: 'reply-continued', message, partial })
      sendAndStream(message, partial)
    },

    decide(decision) {
      const { promise: result, resolve } = Promise.withResolvers<string | undefined>()
      const runId = getActiveReply(getState().pending)?.runId
      if (!isReplyWaiting(getState()) || runId === undefined) return Promise.resolve(undefined)
      const isUndecided = () =>
        getActiveReply(getState().pending)?.approvals.some(
          (approval) => approval.call_id === decision.callId && approval.decision === null,
        )
      openStream(
        async (signal) => {
          const body = await api.decide(id, { ...decision, runId }, signal)
          dispatch({ type: 'decided', callId: decision.callId, approved: decision.approved })
          resolve(undefined)
          return body
        },
        (streamError) => {
          // without a response the stream is opened again; whether the server has the decision is seen there
          const error = streamError ?? (isUndecided() ? new NetworkError(true) : undefined)
          if (error === undefined) resolve(undefined)
          else resolve(streamModule ? streamModule.decisionErrorMessage(error) : toChatFailure(error).message)
        },
      )
      return result
    },

    async stop() {
      const reply = getActiveReply(getState().pending)
      if (!reply || reply.status === 'stopping') return true
      if (documentAnalyzer.isRunning()) {
        // not sent yet: the message stays and can be retried
        documentAnalyzer.stop()
        dispatch({ type: 'reply-dropped' })
        return true
      }
      deltas.flush()
      // of an earlier stop: a retried reply has the same message
      clearTimeout(stopTimer)
      dispatch({ type: 'stop-requested' })
      const isAccepted = await sendStop()
      const isSameReply = () => getActiveReply(getState().pending)?.messageId === reply.messageId
      if (!isAccepted) {
        if (isSameReply()) dispatch({ type: 'stop-failed' })
        return false
      }
      // no stream is open that could report the end
      if (isSameReply() && isReplyWaiting(getState())) {
        if (getState().isTemporary) finishStopped()
        else refresh()
      }
      stopTimer = setTimeout(() => {
        if (!isSameReply() || getState().pending.status !== 'stopping') return
        abortStream()
        finishStopped()
      }, stopPatienceMs)
      return true
    },

    async loadEarlier() {
      const { previousCursor: cursor } = getState()
      if (cursor === null) return
      const page = await api.read(id, cursor, AbortSignal.timeout(defaultTimeoutMs))
      if (getState().previousCursor === cursor) dispatch({ type: 'earlier-loaded', page })
    },
  }
}
