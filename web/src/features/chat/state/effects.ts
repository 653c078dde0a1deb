/* Performs the effects of conversation-machine.ts: the requests of a conversation. Loaded shortly before the first message is sent. */
import { t } from '@lingui/core/macro'
import { stopPatienceMs } from '#shared/limits.ts'
import { ApiError, isRetryable, NetworkError } from '../../../lib/api-errors.ts'
import type { ReplyCall } from '#shared/reply/reply-state.ts'
import { showToast } from '../../../components/ui/toast.ts'
import { createFrameBatch } from '../stream/frame-batch.ts'
import { streamReply } from '../stream/stream-reply.ts'
import { buildChatRequest } from './chat-request.ts'
import type { ConversationParts, ShownError } from './conversation-parts.ts'
import type { ConversationState } from './conversation-state.ts'
import type { ConversationOptions } from './conversation.ts'
import type { ConversationEvent, Effect, Transition } from './conversation-machine.ts'
import { applyReport, type RequestReport } from './request-reports.ts'

interface EffectContext extends Pick<
  ConversationOptions,
  'id' | 'api' | 'onUnreadableDocument' | 'onToolsUsed' | 'onConversationChange' | 'readConnections'
> {
  getState: () => ConversationState
  /** changes the conversation, and performs the effect of the transition */
  apply: (change: (chat: ConversationParts) => Transition) => unknown
  /** loads the stored part */
  load: () => Promise<unknown>
  toShownError: (cause: unknown) => ShownError
}

/** Performs the effects of a conversation, and dispatches what becomes of them as events. A new request aborts the one before. */
export function createEffects({
  id,
  api,
  apply,
  getState,
  load,
  toShownError,
  onUnreadableDocument = notifyUnreadableDocument,
  onToolsUsed = notifyToolsUsed,
  ...options
}: EffectContext) {
  const dispatch = (event: ConversationEvent | RequestReport) => apply((chat) => applyReport(chat, event))
  let current: { request: number; controller: AbortController } | undefined
  let stopTimer: ReturnType<typeof setTimeout> | undefined
  let flush = () => {}
  /** by attachment id; a temporary chat has its extracted texts only here */
  const extractedTexts = new Map<string, string>()

  const beginRequest = (request: number): AbortSignal => {
    const controller = new AbortController()
    current?.controller.abort()
    current = { request, controller }
    return controller.signal
  }

  const analyse = async ({ request, message }: Extract<Effect, { type: 'analyse' }>) => {
    const signal = beginRequest(request)
    try {
      if (message.attachments.length > 0) {
        const { analyzeDocuments } = await import('../attachments/analyze-documents.ts')
        await analyzeDocuments({
          files: message.attachments,
          analyze: (file) => api.analyze(file, signal),
          onProgress: (progress) => dispatch({ type: 'document-progressed', request, ...progress }),
          onAnalyzed: (file, { reading, text }) => {
            if (signal.aborted) return
            if (text !== undefined) extractedTexts.set(file.id, text)
            dispatch({ type: 'document-analysed', request, attachmentId: file.id, reading })
            if (reading.state === 'unreadable') onUnreadableDocument(reading.note ?? '')
          },
        })
      }
      dispatch({ type: 'documents-analysed', request })
    } catch (error) {
      // ends the analysis of the other documents
      abort(request)
      dispatch({ type: 'request-ended', request, reason: 'failed', error: toShownError(error) })
    }
  }

  /** Follows the stream of a reply to its end. @param send starts or continues the reply; absent to follow one that is running */
  const openStream = async (
    request: number,
    send?: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>,
  ) => {
    const signal = beginRequest(request)
    const batch = createFrameBatch((delta) =>
      dispatch({
        type: 'received',
        request,
        event: { type: 'text-delta', id: '', delta },
        timestamp: Date.now(),
      }),
    )
    ;({ flush } = batch)
    const end = (reason: 'ended' | 'gone' | 'failed', error: unknown) => {
      batch.flush()
      dispatch({ type: 'request-ended', request, reason, error: toShownError(error) })
    }
    try {
      await streamReply({
        ...(send && { send }),
        reattach: (position, streamSignal) => api.reattach(id, position, streamSignal),
        onEvent(event) {
          if (event.type === 'text-delta') return batch.add(event.delta)
          batch.flush()
          dispatch({ type: 'received', request, event, timestamp: Date.now() })
        },
        onConnectionChange: (connection) => dispatch({ type: 'connection-changed', request, connection }),
        signal,
      })
      end('ended', new NetworkError(false))
    } catch (error) {
      end(error instanceof ApiError && error.status === 404 ? 'gone' : 'failed', error)
    }
  }

  const open = ({ request, message, partial }: Extract<Effect, { type: 'open' }>) =>
    openStream(
      request,
      message &&
        ((signal) =>
          api.send(
            buildChatRequest(id, message, getState(), {
              texts: extractedTexts,
              partial,
              connections: options.readConnections?.(),
            }),
            signal,
          )),
    )

  const decide = ({ request, decision }: Extract<Effect, { type: 'decide' }>) =>
    openStream(request, async (signal) => {
      try {
        const body = await api.decide(id, decision, signal)
        dispatch({ type: 'decided', request })
        return body
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) dispatch({ type: 'decision-refused', request })
        throw error
      }
    })

  /** @returns false when the server did not accept it */
  const stop = async ({
    messageId,
    runId,
    isRepeated,
  }: Extract<Effect, { type: 'stop' }>): Promise<boolean> => {
    // the timer of an earlier stop would end a retried reply, which has the same message
    if (!isRepeated) clearTimeout(stopTimer)
    let isAccepted = true
    try {
      await api.stop(id, runId)
    } catch (error) {
      // if the service refuses, the run has not started or has ended, which the stream will report
      isAccepted = error instanceof ApiError && !isRetryable(error)
    }
    if (isRepeated) return true
    if (!isAccepted) dispatch({ type: 'stop-refused', messageId })
    else {
      dispatch({ type: 'stop-accepted', messageId, timestamp: Date.now() })
      stopTimer = setTimeout(
        () => dispatch({ type: 'stop-overdue', messageId, timestamp: Date.now() }),
        stopPatienceMs,
      )
    }
    return isAccepted
  }

  const recover = ({ request, error }: Extract<Effect, { type: 'recover' }>) =>
    load().then(
      () => dispatch({ type: 'recovered', request, error }),
      (cause: unknown) =>
        dispatch({ type: 'request-ended', request, reason: 'failed', error: toShownError(cause) }),
    )

  const abort = (request: number | undefined) => {
    if (current?.request === request) current?.controller.abort()
  }

  return {
    /** Applies the text that has arrived and waits for the next frame. */
    flush: () => flush(),

    /** Ends all requests. */
    close: () => current?.controller.abort(),

    /** Starts an effect; only the end of a stop is awaited. @returns false when the server did not accept a stop */
    async perform(effect: Effect): Promise<boolean> {
      switch (effect.type) {
        case 'analyse':
          void analyse(effect)
          break
        case 'open':
          void open(effect)
          break
        case 'decide':
          void decide(effect)
          break
        case 'stop':
          return stop(effect)
        case 'recover':
          void recover(effect)
          break
        case 'load':
          load().catch(() => undefined)
          break
        case 'abort':
          abort(effect.request)
          break
        case 'report-late-decision':
          showToast('info', t`Your answer came too late`, {
            description: t`The reply was no longer waiting for it.`,
          })
          break
        case 'report-session':
          options.onConversationChange(effect.session)
          break
        case 'report-tools':
          onToolsUsed(effect.calls)
      }
      return true
    },
  }
}

function notifyUnreadableDocument(note: string): void {
  showToast('error', t`Document Analysis Error`, { description: note })
}

function notifyToolsUsed(calls: readonly ReplyCall[]): void {
  void import('../calls/notify-tool-results.ts').then(({ notifyToolResults }) => notifyToolResults(calls))
}
