/* Performs the effects of conversation-machine.ts: the requests of a conversation. Loaded shortly before the first message is sent. */
import { t } from '@lingui/core/macro'
import type { ChatEvent } from '#shared/chat-events.ts'
import type { DocumentReading } from '#shared/contracts/files.ts'
import type { ReplyCall } from '#shared/reply/reply-state.ts'
import { describeReading } from '../../../components/describe-reading.ts'
import { showToast } from '../../../components/ui/toast.ts'
import { changeConversationCache } from './change-conversation-cache.ts'
import type { ConversationParts } from './conversation-parts.ts'
import type { ConversationState } from './conversation-state.ts'
import type { ConversationOptions } from './conversation.ts'
import { transition, type ConversationEvent, type Effect, type Transition } from './conversation-machine.ts'
import { getActiveReply } from './pending-reply.ts'
import { createReplyRequests, type RequestContext } from './reply-requests.ts'
import { createStop } from './stop-reply.ts'

interface EffectContext
  extends
    Omit<RequestContext, 'dispatch'>,
    Pick<ConversationOptions, 'onConversationChange' | 'queryClient'> {
  /** changes the conversation, and performs the effect of the transition */
  apply: (change: (chat: ConversationParts) => Transition) => unknown
  /** loads the stored part; rejects if that fails */
  load: () => Promise<unknown>
}

/** Performs the effects of a conversation, and dispatches what becomes of them as events. */
export function createEffects(context: EffectContext) {
  const { apply, load, queryClient, getState, toShownError, onConversationChange } = context
  const refetchLists = () => changeConversationCache(queryClient, (cache) => void cache.refetch())
  const dispatch = (event: ConversationEvent) => {
    const received = event.type === 'received' ? event.event : undefined
    if (received?.type === 'data-reading') notifyIfUnreadable(received.data, getState())
    apply((chat) => transition(chat, event))
    if (received && isEndWithoutSession(received)) refetchLists()
  }
  const requests = createReplyRequests({ ...context, dispatch })
  const stop = createStop({ ...context, dispatch })

  const recover = ({ request, error }: Extract<Effect, { type: 'recover' }>) =>
    load().then(
      () => {
        dispatch({ type: 'recovered', request, error })
        refetchLists()
      },
      (cause: unknown) =>
        dispatch({ type: 'request-ended', request, reason: 'failed', error: toShownError(cause) }),
    )

  return {
    flush: requests.flush,
    close: requests.close,

    /** Starts an effect; only the answer to a stop is awaited. @returns false when the server could not be asked to stop */
    async perform(effect: Effect): Promise<boolean> {
      switch (effect.type) {
        case 'open':
          requests.open(effect)
          break
        case 'decide':
          requests.decide(effect)
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
          notifyLateDecision()
          break
        case 'report-session':
          onConversationChange(effect.session)
          break
        case 'report-tools':
          notifyOfTools(effect.calls)
      }
      return true
    },
  }
}

/** Whether the reply ends here, or waits, without the conversation as it is stored now: that is only in the stream of the request that writes it. */
const isEndWithoutSession = (event: ChatEvent) =>
  event.type === 'data-reply' || (event.type === 'data-run' && event.data.status === 'waiting')

/** Says that a document could not be read, unless the page shows that already: the reply comes all the same. */
function notifyIfUnreadable({ id, reading }: DocumentReading, { pending }: ConversationState): void {
  const file = getActiveReply(pending)?.userMessage?.attachments.find((one) => one.id === id)
  if (file && file.reading?.state !== 'unreadable' && reading.state === 'unreadable')
    showToast('warning', t`Document Analysis Error`, { description: describeReading({ reading }) ?? '' })
}

const notifyLateDecision = () =>
  showToast('info', t`Your answer came too late`, {
    description: t`The reply was no longer waiting for it.`,
  })

/** The toast is not shown if its code cannot be loaded: the reply shows the calls as well. */
function notifyOfTools(calls: readonly ReplyCall[]): void {
  import('../calls/notify-tool-results.ts').then(
    ({ notifyToolResults }) => notifyToolResults(calls),
    () => undefined,
  )
}
