import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import { lazyComponent } from '../../../components/lazy-component.tsx'
import { useStore } from '../../../lib/browser/create-store.ts'
import { useOnline } from '../../../lib/browser/online.ts'
import { composerNote } from '../../../lib/input/composer-text.ts'
import type { findSendBlocker } from '../attachments/send-blocker.ts'
import { isWaitingForUser } from '../state/conversation-state.ts'
import { type Conversation, useConversationState } from '../state/conversation.ts'

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

/** The line below the composer: what keeps a message from being sent, or which keys do what, and the state of the assistant. */
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
    <div className="flex min-h-4 items-center justify-between gap-4 px-1 pt-2 text-xs text-ink-faint max-sm:justify-center">
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
      {!status && (
        <span className={clsx('max-sm:hidden', isTouch && !waitsForUser && !isReplying && 'hidden')}>
          {getHint()}
        </span>
      )}
      <span className="inline-flex shrink-0 items-center gap-4">
        {!isEmpty && <ConversationGauge conversation={conversation} />}
        {isOnline && (
          <span className="inline-flex items-center gap-1.5">
            <span aria-hidden className="size-2 rounded-full bg-success" />
            {t`${assistantName} Online`}
          </span>
        )}
      </span>
    </div>
  )
}
