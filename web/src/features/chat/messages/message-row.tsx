import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import { Pencil, RefreshCw, Info } from 'lucide-react'
import { memo, Suspense, useId, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { lazyComponent } from '../../../components/lazy-component.tsx'
import type { Attachment } from '#shared/contracts/files.ts'
import { closeMarkdown } from '#shared/close-markdown.ts'
import { Button } from '../../../components/ui/button.tsx'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { MessageFiles, PartFiles, ReasoningLine, SourceList, ToolCallList } from './message-parts.tsx'
import { RegenerateMenu, ReplyMenu } from './reply-menu.tsx'
import { ReplyFilesContext } from '../markdown/reply-files.ts'
import { ReplyText } from '../markdown/reply-text.tsx'
import { UserText } from '../markdown/user-text.tsx'
import { isUnsaved, type ChatMessage } from '../state/chat-message.ts'
import { describeEnding } from '../describe-ending.ts'
import type { Conversation } from '../state/conversation.ts'
import { CopyButton } from '../markdown/copy-button.tsx'
import { formatAsHtml } from '../markdown/serialize.ts'
import { MessageTime } from './message-time.tsx'
import { ReplyLayout, UserMessageLayout } from './message-layout.tsx'
import { ReplyRating } from '../rating/reply-rating.tsx'
import { ReadAloudButton } from '../reading/read-aloud-button.tsx'
import { VersionSwitcher } from './version-switcher.tsx'
import type { ReplyNotice } from '#shared/contracts/chat.ts'
import { useConfig } from '../../../lib/config.ts'
import { translateSentence } from '../../../lib/translate.ts'
import { openEditor } from './edit-message.ts'
import { useInput } from '../../../lib/use-input.ts'

const MessageEditor = lazyComponent(() => import('./message-editor.tsx'), 'MessageEditor')

export interface MessageRowProps {
  message: ChatMessage
  assistantName: string
  /** far from the end: laid out when it comes near the screen */
  deferLayout: boolean
  /** time and actions are always visible; otherwise on hover, on focus and on touch screens */
  isLast: boolean
  /** of a user message: where its text is kept while it is edited in place; absent where that is not possible */
  editInputKey?: string
  /** nothing can be sent, and no other version be shown, meanwhile */
  isReplying?: boolean | undefined
  onResend?: (messageId: string, text: string) => boolean
  onOpenImage?: (image: Attachment) => void
  /** present on the last reply: the user message to send again for another reply */
  messageToResend?: ChatMessage | undefined
  /** present where sending can be retried */
  onRetry?: (() => void) | undefined
  /** a user message that later ones follow without a reply */
  isUnanswered?: boolean
  /** why it has to be retried, translated, if that is known */
  failureReason?: string | undefined
  /** the error block and its toast tell how the reply ended: it does not tell it once more */
  isEndingTold?: boolean | undefined
  /** present on a reply that can be continued */
  onContinue?: (() => void) | undefined
  /** a user message that has a reply, which shows its versions */
  hasReply?: boolean
  /** the user message of a reply, if it has versions */
  versionsOf?: ChatMessage | undefined
}

/** One message with its actions. */
export const MessageRow = memo(function MessageRow(props: MessageRowProps) {
  return props.message.role === 'user' ? (
    <UserMessage {...props} editInputKey={props.editInputKey ?? ''} />
  ) : (
    renderReply(props)
  )
})

const actionsClass =
  'flex h-7 shrink-0 items-center gap-0.5 text-xs text-ink-faint select-none print:hidden max-sm:h-9 [&_button]:text-ink-faint'
const hiddenUntilHoverClass =
  'opacity-0 group-has-data-[state=open]/turn:opacity-100 group-focus-within/turn:opacity-100 group-hover/turn:opacity-100 max-sm:opacity-100 pointer-coarse:opacity-100'

function UserMessage({
  message,
  deferLayout,
  isLast,
  editInputKey,
  isReplying = false,
  isUnanswered = false,
  hasReply = false,
  onRetry,
  failureReason,
  onResend,
  onOpenImage = noop,
}: MessageRowProps & { editInputKey: string }) {
  const input = useInput(editInputKey, { stored: message.content, onLeave: 'keep' })
  const editing = input.isOpen && onResend !== undefined
  return (
    <UserMessageLayout deferLayout={deferLayout} messageId={message.id}>
      {message.attachments.length > 0 && (
        <MessageFiles files={message.attachments} onOpenImage={onOpenImage} isEndAligned />
      )}
      {editing ? (
        <Suspense fallback={<Bubble text={message.content} />}>
          <MessageEditor
            input={input}
            inputKey={editInputKey}
            mayBeEmpty={message.attachments.some(({ isDeleted }) => !isDeleted)}
            isReplying={isReplying}
            onSend={(text) => onResend(message.id, text)}
          />
        </Suspense>
      ) : (
        <div className="flex w-full items-center justify-end gap-1 max-sm:flex-col-reverse max-sm:items-end">
          <div className={clsx(actionsClass, !isLast && hiddenUntilHoverClass, 'max-sm:-me-2.5')}>
            <MessageTime timestamp={message.timestamp} className="px-1.5" />
            {editInputKey !== '' && !isReplying && (
              <IconButton
                size="sm"
                label={t`Edit message`}
                icon={<Pencil size={16} />}
                onClick={() => openEditor(editInputKey, message)}
              />
            )}
            {message.content !== '' && (
              <CopyButton label={t`Copy message`} text={message.content} format={closeMarkdown} />
            )}
          </div>
          {message.content !== '' && <Bubble text={message.content} />}
        </div>
      )}
      {message.versions && !editing && !hasReply && (
        <VersionSwitcher message={message} replying={isReplying} className="max-sm:-me-3.5" />
      )}
      {(onRetry ?? isUnanswered) && (
        <Note
          text={
            isUnsaved(message)
              ? t`Not saved.`
              : (failureReason ?? (onRetry ? t`No reply yet.` : t`Not answered.`))
          }
          reason={isUnsaved(message) ? failureReason : undefined}
          action={getRetryLabel(message)}
          onAction={onRetry}
        />
      )}
    </UserMessageLayout>
  )
}

/** The label of the retry button. It says when deleted files will be left out. */
export function getRetryLabel(message: ChatMessage): string {
  return message.attachments.some(({ isDeleted }) => isDeleted) ? t`Send without deleted files` : t`Retry`
}

/** A longer text is collapsed to 12 lines, at least two less than it has. */
const maxLines = 14
const charactersPerLine = 70

const isLongText = (text: string) =>
  text
    .split('\n')
    .reduce((lines, { length }) => lines + Math.max(1, Math.ceil(length / charactersPerLine)), 0) > maxLines

/** The text of a user message. A collapsed one opens when something scrolls to the rest of it: find in page, or a search result. */
function Bubble({ text }: { text: string }) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const isLong = isLongText(text)
  const isCollapsed = isLong && !isOpen
  return (
    <div
      dir="auto"
      translate="no"
      className="max-w-[min(36rem,85%)] rounded-lg rounded-br-xs mirrored:rounded-br-lg mirrored:rounded-bl-xs bg-accent-soft px-4 py-[11px] text-base forced-colors:border wrap-anywhere max-sm:max-w-[88%]"
    >
      <div
        id={id}
        data-collapsed={isCollapsed || undefined}
        onScroll={isCollapsed ? () => setOpen(true) : undefined}
        className={isCollapsed ? 'line-clamp-12 print:line-clamp-none' : undefined}
      >
        <UserText text={text} />
      </div>
      {isLong && (
        <button
          type="button"
          translate="yes"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={({ currentTarget }) => {
            flushSync(() => setOpen(!isOpen))
            currentTarget.scrollIntoView({ block: 'nearest' })
          }}
          className="link mt-1 flex min-h-7 items-center text-sm font-medium max-sm:min-h-9 print:hidden"
        >
          {isOpen ? t`Show less` : t`Show more`}
        </button>
      )}
    </div>
  )
}

/**
 * A finished reply. A function and not a component: it renders into the same position as the streaming reply (`ReplyRow`), so that
 * React keeps the nodes when the reply ends.
 */
export function renderReply({
  conversation,
  message,
  assistantName,
  deferLayout,
  isLast,
  onRetry,
  failureReason,
  isEndingTold,
  onContinue,
  onResend,
  onOpenImage = noop,
  messageToResend,
  versionsOf,
  isReplying = false,
}: MessageRowProps & { conversation?: Conversation }) {
  const { content } = message
  return (
    <ReplyLayout assistantName={assistantName} deferLayout={deferLayout} messageId={message.id}>
      {message.notices && <ReplyNotices notices={message.notices} />}
      {message.reasoning && <ReasoningLine reasoning={message.reasoning} />}
      {message.tool_calls.length > 0 && <ToolCallList calls={message.tool_calls} />}
      <ReplyFilesContext value={message.attachments}>
        {content !== '' && <ReplyText text={content} />}
      </ReplyFilesContext>
      {message.tool_calls.length > 0 && <ToolCallList calls={message.tool_calls} tables />}
      {message.sources && <SourceList sources={message.sources} />}
      {message.attachments.length > 0 && (
        <MessageFiles files={message.attachments} onOpenImage={onOpenImage} />
      )}
      {message.usage?.partFiles && <PartFiles files={message.usage.partFiles} />}
      <ReplyEnding
        message={message}
        onRetry={onRetry}
        failureReason={failureReason}
        isEndingTold={isEndingTold}
        onContinue={onContinue}
      />
      <div
        className={clsx(
          actionsClass,
          !isLast && hiddenUntilHoverClass,
          '-mt-2 -ms-1.5 max-sm:-mt-1.5 max-sm:-ms-2.5 max-sm:h-auto max-sm:min-h-9 max-sm:flex-wrap',
        )}
      >
        {content !== '' && (
          <CopyButton label={t`Copy reply`} text={content} format={closeMarkdown} getHtml={readReplyHtml} />
        )}
        {content !== '' && <ReadAloudButton messageId={message.id} text={content} />}
        {conversation && !isUnsaved(message) && <ReplyRating conversation={conversation} message={message} />}
        {messageToResend && onResend && (
          <IconButton
            size="sm"
            label={t`Regenerate`}
            icon={<RefreshCw size={16} />}
            onClick={() => onResend(messageToResend.id, messageToResend.content)}
          />
        )}
        {conversation && messageToResend && onResend && (
          <RegenerateMenu conversation={conversation} message={messageToResend} onResend={onResend} />
        )}
        {conversation && !isUnsaved(message) && (
          <ReplyMenu conversation={conversation} message={message} onRetry={onContinue && onRetry} />
        )}
        {versionsOf && <VersionSwitcher message={versionsOf} replying={isReplying} />}
        <span className="flex min-w-0 items-center gap-1 px-1.5">
          <ReplyModel id={message.usage?.model} />
          <MessageTime timestamp={message.timestamp} />
        </span>
      </div>
    </ReplyLayout>
  )
}

/** The name of the model that wrote a reply, where there is a choice. */
function ReplyModel({ id }: { id: string | undefined }) {
  const models = useConfig()?.models ?? []
  const name = models.find((model) => model.id === id)?.name ?? id
  if (name === undefined || models.every((model) => model.name === name)) return null
  return (
    <>
      <bdi className="truncate">{name}</bdi>
      <span aria-hidden>·</span>
    </>
  )
}

const noop = () => undefined

/** A reply as HTML; undefined while it is shown as plain text. */
function readReplyHtml(button: HTMLElement): string | undefined {
  const text = button.closest('.is-reply')?.querySelector('[data-reply-text]')
  return text ? formatAsHtml(text) : undefined
}

/** The note below a reply that is not saved or did not end normally, with the button that helps. */
function ReplyEnding({
  message,
  onRetry,
  failureReason,
  isEndingTold = false,
  onContinue,
}: Pick<
  MessageRowProps,
  'message' | 'onRetry' | 'failureReason' | 'isEndingTold' | 'onContinue'
>): ReactNode {
  if (isEndingTold && !onContinue) return null
  const retry = { action: t`Retry`, onAction: onRetry }
  if (isUnsaved(message)) return <Note text={t`Not saved.`} reason={failureReason} {...retry} />
  const { ended, incomplete_reason } = message
  if (!ended) return null
  const text = failureReason ?? describeEnding({ ended, incomplete_reason })
  if (!onContinue) return <Note text={text} {...retry} />
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-ink-muted">
      {!isEndingTold && <p className="max-w-(--width-note)">{text}</p>}
      <Button variant="soft" size="sm" onClick={onContinue} className="w-fit print:hidden">
        {t`Continue`}
      </Button>
    </div>
  )
}

function Note({
  text,
  reason,
  action,
  onAction,
}: {
  text: string
  reason?: string | undefined
  action: string
  onAction?: (() => void) | undefined
}) {
  return (
    <p className="max-w-(--width-note) text-sm text-ink-muted">
      {`${text} `}
      {reason !== undefined && <span>{reason} </span>}
      {onAction && (
        <button type="button" onClick={onAction} className="link font-medium print:hidden">
          {action}
        </button>
      )}
    </p>
  )
}

/** How a reply differs from the request, above its text. */
export function ReplyNotices({ notices }: { notices: readonly ReplyNotice[] }) {
  // a filter is told at the end of the reply
  const visibleNotices = notices.filter(({ code }) => code !== 'reply_filtered')
  return visibleNotices.map((notice) => (
    <p
      key={notice.code}
      role="note"
      className="flex gap-2 rounded-sm bg-surface-hover px-3 py-2.5 text-sm text-ink-muted"
    >
      <Info aria-hidden size={16} className="mt-0.5 shrink-0 text-ink-faint" />
      {translateSentence(notice)}
    </p>
  ))
}
