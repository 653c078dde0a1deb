/* Performs the effects of conversation-machine.ts: the requests of a conversation. Loaded shortly before the first message is sent. */
import { t } from '@lingui/core/macro'
import { ApiError } from '../../../lib/api-errors.ts'
import type { ReplyCall } from '#shared/reply/reply-state.ts'
import { showToast } from '../../../components/ui/toast.ts'
import { analyseMessage } from './analyse-message.ts'
import { buildChatRequest } from './chat-request.ts'
import type { ConversationParts, ShownError } from './conversation-parts.ts'
import type { ConversationState } from './conversation-state.ts'
import type { ConversationOptions } from './conversation.ts'
import type { ConversationEvent, Effect, Transition } from './conversation-machine.ts'
import { openReplyStream } from './open-reply-stream.ts'
import { applyReport, type RequestReport } from './request-reports.ts'
import { createStop } from './stop-reply.ts'

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
  const requests = createRequestSlot()
  const stop = createStop({ id, api, dispatch })
  let flush = () => {}
  /** by attachment id; a temporary chat has its extracted texts only here */
  const extractedTexts = new Map<string, string>()

  const analyse = (effect: Extract<Effect, { type: 'analyse' }>) => {
    const { request } = effect
    const context = {
      api,
      signal: requests.begin(request),
      dispatch,
      onText: (attachmentId: string, text: string) => void extractedTexts.set(attachmentId, text),
      onUnreadableDocument,
    }
    return analyseMessage(effect, context).catch((error: unknown) => {
      // ends the analysis of the other documents
      requests.abort(request)
      dispatch({ type: 'request-ended', request, reason: 'failed', error: toShownError(error) })
    })
  }

  /** @param send starts or continues the reply; absent to follow one that is running */
  const followStream = (
    request: number,
    send?: (signal: AbortSignal) => Promise<ReadableStream<Uint8Array>>,
  ): void => {
    const stream = openReplyStream({
      request,
      ...(send && { send }),
      reattach: (position, signal) => api.reattach(id, position, signal),
      signal: requests.begin(request),
      dispatch,
      toShownError,
    })
    flush = stream.flush
  }

  const open = ({ request, message, partial }: Extract<Effect, { type: 'open' }>) =>
    followStream(
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
    followStream(request, async (signal) => {
      try {
        const body = await api.decide(id, decision, signal)
        dispatch({ type: 'decided', request })
        return body
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) dispatch({ type: 'decision-refused', request })
        throw error
      }
    })

  const recover = ({ request, error }: Extract<Effect, { type: 'recover' }>) =>
    load().then(
      () => dispatch({ type: 'recovered', request, error }),
      (cause: unknown) =>
        dispatch({ type: 'request-ended', request, reason: 'failed', error: toShownError(cause) }),
    )

  return {
    /** Applies the text that has arrived and waits for the next frame. */
    flush: () => flush(),

    /** Ends all requests. */
    close: requests.close,

    /** Starts an effect; only the end of a stop is awaited. @returns false when the server did not accept a stop */
    async perform(effect: Effect): Promise<boolean> {
      switch (effect.type) {
        case 'analyse':
          void analyse(effect)
          break
        case 'open':
          open(effect)
          break
        case 'decide':
          decide(effect)
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
          requests.abort(effect.request)
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

/** The request that works on the pending reply. There is one at a time: beginning the next one aborts it. */
function createRequestSlot() {
  let current: { request: number; controller: AbortController } | undefined
  const close = () => current?.controller.abort()
  return {
    begin(request: number): AbortSignal {
      const controller = new AbortController()
      close()
      current = { request, controller }
      return controller.signal
    },
    /** Aborts a request, unless another one has begun since. */
    abort(request: number | undefined): void {
      if (current?.request === request) close()
    },
    close,
  }
}

function notifyUnreadableDocument(note: string): void {
  showToast('error', t`Document Analysis Error`, { description: note })
}

function notifyToolsUsed(calls: readonly ReplyCall[]): void {
  void import('../calls/notify-tool-results.ts').then(({ notifyToolResults }) => notifyToolResults(calls))
}
