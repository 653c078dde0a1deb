/* Performs the effects of conversation-machine.ts: the requests of a conversation. Loaded shortly before the first message is sent. */
import { t } from '@lingui/core/macro'
import type { ChatEvent } from '#shared/chat-events.ts'
import type { ChatRequest } from '#shared/contracts/chat.ts'
import type { DocumentReading } from '#shared/contracts/files.ts'
import { maxDocumentCharacters, maxMessagesPerRequest, stopPatienceMs } from '#shared/limits.ts'
import type { ReplyCall } from '#shared/reply/reply-state.ts'
import { describeReading } from '../../../components/describe-reading.ts'
import { showToast } from '../../../components/ui/toast.ts'
import { createActions } from '../../../lib/actions/actions.ts'
import { ApiError, isRetryable } from '../../../lib/api/api-errors.ts'
import type { KnownConnections } from '../../../lib/conversations/known-connections.ts'
import { findReadersZone } from '../../../lib/text/time-zone.ts'
import { decisionKey } from '../../../lib/actions/running-actions.ts'
import { getUserResource } from '../../../lib/actions/user-resources.ts'
import { followReply } from '../stream/stream-reply.ts'
import { changeConversationCache } from './conversation-lists.ts'
import type { ChatMessage } from './chat-message.ts'
import type { ConversationEvent, Effect } from './conversation-machine.ts'
import { toShownError } from './conversation-parts.ts'
import type { ConversationState } from './conversation-state.ts'
import type { ConversationOptions } from './conversation.ts'
import { describeDecision, isTooLate } from './decision.ts'
import { getActiveReply } from './pending-reply.ts'

interface RunnerContext extends Pick<
  ConversationOptions,
  'id' | 'api' | 'readConnections' | 'queryClient' | 'onConversationChange'
> {
  getState: () => ConversationState
  /** applies an event, and performs the effect of the transition */
  dispatch: (event: ConversationEvent) => unknown
  /** loads the stored part; rejects if that fails */
  load: () => Promise<unknown>
}

type EffectOf<Type extends Effect['type']> = Extract<Effect, { type: Type }>

/** Creates the runner of a conversation's effects, which dispatches what becomes of them as events. */
export function createRunner(context: RunnerContext) {
  const { id, api, queryClient, getState, dispatch, load, readConnections, onConversationChange } = context
  const actions = getUserResource(queryClient, createActions)
  const refetchLists = () => changeConversationCache(queryClient, (cache) => void cache.refetch())
  /** by attachment id; a temporary chat has its extracted texts only here */
  const extractedTexts = new Map<string, string>()
  /** the request that works on the reply: a new one aborts the one before */
  let current: { request: number; controller: AbortController; flush: () => void } | undefined
  const close = () => current?.controller.abort()

  const receive = (request: number, event: ChatEvent) => {
    if (event.type === 'data-reading') {
      const { id: fileId, text } = event.data
      if (text !== undefined) extractedTexts.set(fileId, text)
      notifyIfUnreadable(event.data, getState())
    }
    dispatch({ type: 'received', request, event, timestamp: Date.now() })
    if (isEndWithoutSession(event)) refetchLists()
  }

  /** @param send starts or continues the reply; absent to follow one that is running */
  const follow = (request: number, send?: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>) => {
    close()
    const controller = new AbortController()
    const { flush } = followReply({
      ...(send && { send }),
      reattach: (position, signal) => api.reattach(id, position, signal),
      signal: controller.signal,
      onEvent: (event) => receive(request, event),
      onConnectionChange: (connection) => dispatch({ type: 'connection-changed', request, connection }),
      onEnd: (reason, error) =>
        dispatch({ type: 'request-ended', request, reason, error: toShownError(error) }),
    })
    current = { request, controller, flush }
  }

  /** Sends a message and follows its reply, or follows a reply that is running. */
  const open = ({ request, message, partial }: EffectOf<'open'>) => {
    if (!message) return follow(request)
    follow(request, async (signal) => {
      const connections = readConnections()
      const body = buildChatRequest(id, message, getState(), { texts: extractedTexts, partial, connections })
      // its field is empty, and the service answers when it has stored it
      addEventListener('beforeunload', warn)
      try {
        return await api.send(body, signal)
      } finally {
        removeEventListener('beforeunload', warn)
      }
    })
  }

  /** Sends a decision and follows the reply that continues. */
  const decide = ({ request, decision }: EffectOf<'decide'>) =>
    follow(request, async (signal) => {
      const key = decisionKey(decision.runId, decision.callId)
      const send = () => api.decide(id, decision, signal)
      try {
        const body = await actions.enqueue(key, send, describeDecision(decision))
        dispatch({ type: 'decided', request })
        return body
      } catch (error) {
        if (isTooLate(error)) dispatch({ type: 'decision-refused', request })
        throw error
      }
    })

  const recover = ({ request, error }: EffectOf<'recover'>) =>
    void load().then(
      () => {
        dispatch({ type: 'recovered', request, error })
        refetchLists()
      },
      (cause: unknown) =>
        dispatch({ type: 'request-ended', request, reason: 'failed', error: toShownError(cause) }),
    )

  let overdueTimer: ReturnType<typeof setTimeout> | undefined
  /** If the end of the reply does not arrive soon after, the page ends it. @throws if the server could not be asked */
  const stop = async ({ messageId, runId, isRepeated }: EffectOf<'stop'>): Promise<void> => {
    // the timer of an earlier stop would end a retried reply, which has the same message
    if (!isRepeated) clearTimeout(overdueTimer)
    try {
      await api.stop(id, runId)
    } catch (error) {
      // that the service refuses says that the run has not started or has ended, which the stream reports
      const isAsked = error instanceof ApiError && !isRetryable(error)
      if (!isAsked && !isRepeated) throw error
    }
    if (isRepeated) return
    dispatch({ type: 'stop-accepted', messageId, timestamp: Date.now() })
    overdueTimer = setTimeout(
      () => dispatch({ type: 'stop-overdue', messageId, timestamp: Date.now() }),
      stopPatienceMs,
    )
  }

  return {
    /** Applies the text that has arrived and waits for the next frame. */
    flush: () => current?.flush(),
    /** Aborts the current request. */
    close,

    /** Starts an effect; only the answer to a stop is awaited. */
    async perform(effect: Effect): Promise<void> {
      switch (effect.type) {
        case 'open':
          open(effect)
          break
        case 'decide':
          decide(effect)
          break
        case 'stop':
          return stop(effect)
        case 'recover':
          recover(effect)
          break
        case 'load':
          load().catch(() => undefined)
          break
        case 'abort':
          if (current?.request === effect.request) close()
          break
        case 'report-late-decision':
          showToast('info', t`Your answer came too late`, {
            description: t`The reply was no longer waiting for it.`,
          })
          break
        case 'report-session':
          onConversationChange(effect.session)
          break
        case 'report-tools':
          notifyOfTools(effect.calls)
      }
    },
  }
}

const warn = (event: BeforeUnloadEvent) => event.preventDefault()

/** Whether the reply ends here, or waits, without the conversation as it is stored now: that is only in the stream of the request that writes it. */
const isEndWithoutSession = (event: ChatEvent) =>
  event.type === 'data-reply' || (event.type === 'data-run' && event.data.status === 'waiting')

/** Says that a document could not be read, unless the page shows that already: the reply comes all the same. */
function notifyIfUnreadable({ id, reading }: DocumentReading, { pending }: ConversationState): void {
  const file = getActiveReply(pending)?.userMessage?.attachments.find((one) => one.id === id)
  if (file && file.reading?.state !== 'unreadable' && reading.state === 'unreadable')
    showToast('warning', t`Document Analysis Error`, { description: describeReading({ reading }) ?? '' })
}

/** The toast is not shown if its code cannot be loaded: the reply shows the calls as well. */
function notifyOfTools(calls: readonly ReplyCall[]): void {
  import('../calls/notify-tool-results.ts').then(
    ({ notifyToolResults }) => notifyToolResults(calls),
    () => undefined,
  )
}

/** A message in a request. Files are sent by id; those of temporary chats with their extracted text. */
function toRequestMessage(
  { role, content, attachments }: ChatMessage,
  takeText?: (id: string) => string | undefined,
) {
  const files = attachments.map(({ id, name, type, size }) => {
    const extractedText = takeText?.(id)
    return { id, name, type, size, ...(extractedText !== undefined && { extractedText }) }
  })
  return { role, content, ...(files.length > 0 && { attachments: files }) }
}

/** More than the server passes to the model: the server chooses what to leave out, in groups, which keeps prompt caches valid. */
const maxTextCharacters = 2 * maxDocumentCharacters

/** Messages of a request that are not history: the new one, and the reply that it continues. */
const newestCount = 2

/** Converts a history. Extracted texts of documents are included, those of the newest messages first, until one exceeds the limit. */
function toRequestMessages(history: readonly ChatMessage[], texts: ReadonlyMap<string, string>) {
  let remaining = maxTextCharacters
  /** @returns the text of a file; undefined once the limit is reached */
  const takeText = (attachmentId: string) => {
    const text = texts.get(attachmentId)
    remaining -= text?.length ?? 0
    return remaining < 0 ? undefined : text
  }
  const newestFirst = history.toReversed().map((message) => toRequestMessage(message, takeText))
  return newestFirst.toReversed()
}

/**
 * Builds a request. The server loads the history of saved chats; that of a temporary chat is included.
 * @param message the last of the state's user messages
 * @param texts extracted texts by attachment id, used in a temporary chat only
 * @param partial the incomplete reply to continue
 * @param connections the user's connections, as hints
 */
export function buildChatRequest(
  sessionId: string,
  message: ChatMessage,
  {
    isTemporary,
    messages,
    assistant,
    chosen: { model, effort, disabledTools, projectId },
  }: ConversationState,
  {
    texts,
    partial,
    connections,
  }: {
    texts: ReadonlyMap<string, string>
    partial?: ChatMessage | undefined
    connections?: KnownConnections | undefined
  },
): ChatRequest {
  const { id, replaces } = message
  const continuation = partial && { continues: true }
  const request = {
    sessionId,
    messageId: id,
    // the server keeps what was chosen before
    ...(model !== undefined && { model }),
    ...(effort !== undefined && { effort }),
    ...(disabledTools && { disabledTools: [...disabledTools] }),
    // Only what was chosen for a chat that began on this page. Once it is stored, the server ignores it: the chat may have been moved meanwhile.
    ...(projectId && { project_id: projectId }),
    // the server has the assistant stored, too, but would have to load the conversation first
    ...(assistant?.id !== undefined && !assistant.gone && { assistant_id: assistant.id }),
    connectedTools: connections?.connectedTools ?? [],
    ...(connections && { integrationContext: connections.integrationContext }),
    // for schedules that the reply creates
    time_zone: findReadersZone(),
    ...continuation,
  }
  if (!isTemporary)
    return { ...request, messages: [toRequestMessage(message)], ...(replaces !== undefined && { replaces }) }
  const index = messages.findLastIndex((message) => message.id === id)
  // without messages that the server has refused
  const sent = messages.slice(0, index).filter(({ unacknowledged }) => !unacknowledged)
  const earlier = sent.slice(newestCount - maxMessagesPerRequest)
  const history = [...earlier, message, ...(partial ? [partial] : [])]
  return { ...request, messages: toRequestMessages(history, texts), keep: false }
}
