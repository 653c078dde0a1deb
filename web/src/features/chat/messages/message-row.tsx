import clsx from 'clsx'
import { Pencil, RefreshCw, Info } from 'lucide-react'
import { memo, Suspense, type ReactNode } from 'react'
import { deferred } from '../../../components/lazy-component.tsx'
import type { Attachment } from '#shared/contracts/files.ts'
import { Button } from '../../../components/ui/button.tsx'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { MessageFiles, ToolCalls } from './message-parts.tsx'
import { BoldText, ReplyText } from '../markdown/reply-text.tsx'
import { isUnsaved, type ChatMessage } from '../state/chat-message.ts'
import { CopyButton } from '../markdown/copy-button.tsx'
import { MessageTime } from './message-time.tsx'
import { ReplyTurn, UserTurn } from './message-layout.tsx'
import { VersionSwitcher } from './version-switcher.tsx'
import type { ReplyNotice } from '#shared/contracts/chat.ts'

const { Deferred: MessageEditor } = deferred(() =>
  import('./message-editor.tsx').then((module) => module.MessageEditor),
)

export interface MessageRowProps {
  message: ChatMessage
  assistantName: string
  /** so far from the end that it need not be laid out yet */
  far: boolean
  /** its time and actions stand visibly; otherwise on hover, on focus, and wherever nothing hovers */
  latest: boolean
  /** it is being written anew in its place */
  editing?: boolean
  /** begins or ends editing; absent while nothing can be sent */
  onEdit?: ((messageId: string | undefined) => void) | undefined
  onResend?: (messageId: string, text: string) => boolean
  onOpenImage?: (image: Attachment) => void
  /** present on the last reply: the message that another reply can be asked for */
  regenerates?: ChatMessage | undefined
  /** present on the message that can be sent again, or whose reply broke off */
  onRetry?: (() => void) | undefined
  /** present on a reply that can go on */
  onContinue?: (() => void) | undefined
  /** further actions of a reply */
  actions?: ReactNode
}

/** One message with its actions. A message that was acted upon shows nothing (CHAT-20). */
export const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  if (props.message.actionResult !== undefined) return null
  return props.message.role === 'user' ? <UserMessage {...props} /> : renderReply(props)
})

const actionsLook =
  'flex h-7 shrink-0 items-center gap-0.5 text-xs text-ink-faint select-none print:hidden max-sm:h-9 [&_button]:text-ink-faint'
const idleLook =
  'opacity-0 group-focus-within/turn:opacity-100 group-hover/turn:opacity-100 max-sm:opacity-100 pointer-coarse:opacity-100'

function UserMessage({
  message,
  far,
  latest,
  editing = false,
  onRetry,
  onEdit,
  onResend,
  onOpenImage = ignore,
}: MessageRowProps) {
  return (
    <UserTurn far={far} messageId={message.id}>
      {message.attachments.length > 0 && (
        <MessageFiles files={message.attachments} onOpenImage={onOpenImage} end />
      )}
      {editing && onEdit && onResend ? (
        <Suspense fallback={<Bubble text={message.content} />}>
          <MessageEditor
            text={message.content}
            mayBeEmpty={message.attachments.length > 0}
            onCancel={() => onEdit(undefined)}
            onSend={(text) => onResend(message.id, text)}
          />
        </Suspense>
      ) : (
        <div className="flex w-full items-center justify-end gap-1 max-sm:flex-col-reverse max-sm:items-end">
          <div className={clsx(actionsLook, !latest && idleLook, 'max-sm:-mr-2.5')}>
            <MessageTime at={message.timestamp} className="px-1.5" />
            {onEdit && (
              <IconButton
                size="sm"
                label="Edit message"
                icon={<Pencil size={16} />}
                onClick={() => onEdit(message.id)}
              />
            )}
            {message.content !== '' && <CopyButton label="Copy message" text={message.content} />}
          </div>
          {message.content !== '' && <Bubble text={message.content} />}
        </div>
      )}
      {message.versions && !editing && <VersionSwitcher message={message} replying={!onEdit} />}
      {onRetry && (
        <Note text={isUnsaved(message) ? 'Not saved.' : 'Not answered.'} action="Retry" onAction={onRetry} />
      )}
    </UserTurn>
  )
}

function Bubble({ text }: { text: string }) {
  return (
    <div
      dir="auto"
      className="max-w-[min(36rem,85%)] rounded-lg rounded-br-xs bg-accent-soft px-4 py-[11px] text-base [overflow-wrap:anywhere] max-sm:max-w-[88%]"
    >
      <BoldText text={text} />
    </div>
  )
}

/**
 * A finished reply. A function and no component: what is written of a reply stands in the same place of the same parent
 * (`ReplyRow`), so that React keeps its nodes when it ends.
 */
export function renderReply({
  message,
  assistantName,
  far,
  latest,
  onRetry,
  onContinue,
  onResend,
  onOpenImage = ignore,
  regenerates,
  actions,
}: MessageRowProps) {
  return (
    <ReplyTurn assistantName={assistantName} far={far} messageId={message.id}>
      {message.notices && <ReplyNotices notices={message.notices} />}
      {message.tool_calls.length > 0 && <ToolCalls calls={message.tool_calls} />}
      {message.content !== '' && <ReplyText text={message.content} />}
      {message.attachments.length > 0 && (
        <MessageFiles files={message.attachments} onOpenImage={onOpenImage} />
      )}
      <Ending message={message} onRetry={onRetry} onContinue={onContinue} />
      <div className={clsx(actionsLook, !latest && idleLook, '-mt-2 -ml-1.5 max-sm:-mt-1.5 max-sm:-ml-2.5')}>
        {message.content !== '' && <CopyButton label="Copy reply" text={message.content} />}
        {regenerates && onResend && (
          <IconButton
            size="sm"
            label="Regenerate"
            icon={<RefreshCw size={16} />}
            onClick={() => onResend(regenerates.id, regenerates.content)}
          />
        )}
        {actions}
        <MessageTime at={message.timestamp} className="px-1.5" />
      </div>
    </ReplyTurn>
  )
}

const ignore = () => undefined

/** How a reply ended that did not end by itself, and what can be done about it. */
function Ending({
  message,
  onRetry,
  onContinue,
}: Pick<MessageRowProps, 'message' | 'onRetry' | 'onContinue'>): ReactNode {
  if (isUnsaved(message)) return <Note text="Not saved." action="Retry" onAction={onRetry} />
  switch (message.ended) {
    case 'incomplete':
      return (
        <div className="flex flex-wrap items-center gap-3 text-sm text-ink-muted">
          This reply is not complete.
          {onContinue && (
            <Button tone="soft" size="sm" onClick={onContinue} className="print:hidden">
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
        <button type="button" onClick={onAction} className="link font-medium print:hidden">
          {action}
        </button>
      )}
    </p>
  )
}

/** What a reply went without, above its text, so that nobody takes the reply for more than it is. */
export function ReplyNotices({ notices }: { notices: readonly ReplyNotice[] }) {
  return notices.map(({ code, text }) => (
    <p
      key={code}
      role="note"
      className="flex gap-2 rounded-sm bg-surface-hover px-3 py-2.5 text-sm text-ink-muted"
    >
      <Info aria-hidden size={16} className="mt-0.5 shrink-0 text-ink-faint" />
      {text}
    </p>
  ))
}
