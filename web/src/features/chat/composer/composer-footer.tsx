import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import { lazyComponent } from '../../../components/lazy-component.tsx'
import { composerNote } from '../../../lib/input/composer-text.ts'
import { useStore } from '../../../lib/browser/create-store.ts'
import { useOnline } from '../../../lib/browser/online.ts'
import type { findSendBlocker } from '../attachments/send-blocker.ts'
import { useConversationState, type Conversation } from '../state/conversation.ts'
import { useHints } from './sent-messages.ts'
import { isWaitingForUser } from '../state/conversation-state.ts'

const ConversationGauge = lazyComponent(() => import('./context-gauge.tsx'), 'ConversationGauge', null, {
  silent: true,
})

interface ComposerFooterProps {
  assistantName: string
  conversation: Conversation
  /** whether the service can be reached */
  isReachable: boolean
  isTouch: boolean
  /** what keeps the message from being sent */
  blocker: ReturnType<typeof findSendBlocker>
  /** Send was pressed, and the message is sent when its uploads are finished */
  awaitsUploads: boolean
  onCancelSending: () => void
}

/** The line below the composer: what keeps a message from being sent, and until a person needs no hints, which keys do what and the state of the assistant. Without any of it it takes no room. */
export function ComposerFooter({
  assistantName,
  conversation,
  isReachable,
  isTouch,
  blocker,
  awaitsUploads,
  onCancelSending,
}: ComposerFooterProps) {
  const isReplying = useConversationState(conversation, (state) => state.isReplying)
  const isOnline = useOnline()
  const hasHints = useHints()
  const isEmpty = useConversationState(conversation, ({ messages }) => messages.length === 0)
  const waitsForUser = useConversationState(conversation, isWaitingForUser)
  const note = useStore(composerNote)
  const shownBlocker = awaitsUploads || !blocker?.isUploading ? blocker : undefined
  const status =
    shownBlocker?.reason ||
    note ||
    (!isReachable && t`You are offline. Messages can be sent when the connection is back.`)
  const getHint = () => {
    if (waitsForUser) return t`Respond above to continue, or press Esc to stop`
    return isReplying
      ? t`${assistantName} is replying. Your next message waits for the end; Esc stops the reply`
      : t`Press Enter to send • Shift + Enter for new line`
  }
  return (
    <div className="flex items-center justify-between gap-4 px-1 text-xs *:pt-2 text-ink-faint max-sm:justify-center">
      {/* there from the beginning, so that screen readers hear of its text */}
      <span
        role="status"
        className={clsx('empty:absolute', shownBlocker?.isUploading === false && 'text-danger-ink')}
      >
        {status}
        {shownBlocker && awaitsUploads && (
          <button type="button" className="link ms-1.5" onClick={onCancelSending}>
            {t`Cancel`}
          </button>
        )}
      </span>
      {!status && (hasHints || waitsForUser) && (
        <span
          className={clsx('max-sm:hidden short:hidden', isTouch && !waitsForUser && !isReplying && 'hidden')}
        >
          {getHint()}
        </span>
      )}
      <span className="inline-flex shrink-0 items-center gap-4 empty:hidden">
        {!isEmpty && <ConversationGauge conversation={conversation} />}
        {isOnline && hasHints && (
          <span className="inline-flex short:hidden items-center gap-1.5">
            <span aria-hidden className="size-2 rounded-full bg-success" />
            {t`${assistantName} Online`}
          </span>
        )}
      </span>
    </div>
  )
}
