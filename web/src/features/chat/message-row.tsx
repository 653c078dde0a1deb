import clsx from 'clsx'
import { memo, type ReactNode } from 'react'
import { Button } from '../../components/ui/button.tsx'
import { BoldText } from './bold-text.tsx'
import type { ChatMessage } from './chat-state.ts'
import { CopyButton } from './copy-button.tsx'
import { MessageTime } from './message-time.tsx'
import { ReplyText } from './reply-text.tsx'
import { ReplyTurn, UserTurn } from './turn.tsx'

interface MessageRowProps {
  message: ChatMessage
  assistantName: string
  /** so far from the end that it need not be laid out yet */
  far: boolean
  /** its time and actions stand visibly; otherwise on hover, on focus, and wherever nothing hovers */
  latest: boolean
  /** present on the message that can be sent again, or whose reply broke off */
  onRetry?: (() => void) | undefined
  /** present on a reply that can go on */
  onContinue?: (() => void) | undefined
}

/** One message with its actions. A message that was acted upon shows nothing (CHAT-20). */
export const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  if (props.message.actionResult !== undefined) return null
  return props.message.role === 'user' ? <UserMessage {...props} /> : <Reply {...props} />
})

const actionsLook =
  'flex h-7 shrink-0 items-center gap-0.5 text-xs text-ink-faint max-sm:h-9 [&_button]:text-ink-faint'
const idleLook =
  'opacity-0 group-focus-within/turn:opacity-100 group-hover/turn:opacity-100 max-sm:opacity-100 pointer-coarse:opacity-100'

function UserMessage({ message, far, latest, onRetry }: MessageRowProps) {
  return (
    <UserTurn far={far}>
      <div className="flex w-full items-center justify-end gap-1 max-sm:flex-col-reverse max-sm:items-end">
        <div className={clsx(actionsLook, !latest && idleLook, 'max-sm:-mr-2.5')}>
          <MessageTime at={message.timestamp} className="px-1.5" />
          <CopyButton label="Copy message" text={message.content} />
        </div>
        <div
          dir="auto"
          className="max-w-[min(36rem,85%)] rounded-lg rounded-br-xs bg-accent-soft px-4 py-[11px] text-base [overflow-wrap:anywhere] max-sm:max-w-[88%]"
        >
          <BoldText text={message.content} />
        </div>
      </div>
      {onRetry && <Note text="Not answered." action="Retry" onAction={onRetry} />}
    </UserTurn>
  )
}

function Reply({ message, assistantName, far, latest, onRetry, onContinue }: MessageRowProps) {
  return (
    <ReplyTurn assistantName={assistantName} far={far}>
      <ReplyText text={message.content} />
      <Ending message={message} onRetry={onRetry} onContinue={onContinue} />
      <div className={clsx(actionsLook, !latest && idleLook, '-mt-2 -ml-1.5 max-sm:-mt-1.5 max-sm:-ml-2.5')}>
        <CopyButton label="Copy reply" text={message.content} />
        <MessageTime at={message.timestamp} className="px-1.5" />
      </div>
    </ReplyTurn>
  )
}

/** How a reply ended that did not end by itself, and what can be done about it. */
function Ending({
  message,
  onRetry,
  onContinue,
}: Pick<MessageRowProps, 'message' | 'onRetry' | 'onContinue'>): ReactNode {
  switch (message.ended) {
    case 'incomplete':
      return (
        <div className="flex flex-wrap items-center gap-3 text-sm text-ink-muted">
          This reply is not complete: its time was over.
          {onContinue && (
            <Button tone="soft" size="sm" onClick={onContinue}>
              Continue
            </Button>
          )}
        </div>
      )
    case 'interrupted':
      return <Note text="This reply was interrupted." action="Retry" onAction={onRetry} />
    case 'failed':
      return <Note text="This reply broke off." action="Retry" onAction={onRetry} />
    default:
      return null
  }
}

function Note({
  text,
  action,
  onAction,
}: {
  text: string
  action: string
  onAction?: (() => void) | undefined
}) {
  return (
    <p className="flex items-center gap-1.5 text-sm text-ink-muted">
      {text}
      {onAction && (
        <button type="button" onClick={onAction} className="link font-medium">
          {action}
        </button>
      )}
    </p>
  )
}
