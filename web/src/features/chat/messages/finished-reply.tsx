import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import { RefreshCw, ChevronDown } from 'lucide-react'
import { closeMarkdown } from '#shared/close-markdown.ts'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { useConfig } from '../../../lib/api/config.ts'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '../../../components/ui/menu.tsx'
import { CopyButton } from '../markdown/copy-button.tsx'
import { ReplyFilesContext } from '../markdown/reply-files-context.ts'
import { ReplyText } from '../markdown/reply-text.tsx'
import { formatAsHtml } from '../markdown/serialize-dom.ts'
import { ReplyRating } from '../rating/reply-rating.tsx'
import { ReadAloudButton } from '../read-aloud/read-aloud-button.tsx'
import { isUnsaved, type ChatMessage } from '../state/chat-message.ts'
import type { Conversation } from '../state/conversation.ts'
import { useOfferedModels } from '../composer/use-offered-models.ts'
import { ReplyLayout } from './message-layout.tsx'
import { actionsClass, focusWithinHandlers, hiddenUntilHoverClass } from './message-actions.ts'
import { MessageFiles, PartFiles, ReasoningLine, SourceList, ToolCallList } from './message-parts.tsx'
import type { MessageRowProps } from './message-row.ts'
import { MessageTime } from './message-time.tsx'
import { ReplyMenu } from './reply-menu.tsx'
import { ReplyEnding, ReplyNotices } from './reply-notes.tsx'
import { VersionSwitcher } from './version-switcher.tsx'

/** A reply that has ended, and what can be done with it. */
export interface FinishedReplyProps extends MessageRowProps {
  conversation: Conversation
  message: ChatMessage
  assistantName: string
  /** only of the last reply: the user message to send again for another reply */
  messageToResend?: ChatMessage | undefined
  /** whether the error block below already says how the reply ended */
  isEndingTold?: boolean | undefined
  /** present if the reply can be continued */
  onContinue?: (() => void) | undefined
  /** its user message, if that has versions, which the reply then shows the switcher of */
  versionedMessage?: ChatMessage | undefined
  /** whether another reply is pending, so that no other version can be shown */
  isReplying?: boolean | undefined
}

/**
 * Renders a finished reply. A function and not a component, like `renderPendingReply`: both render into the same position of `ReplyRow`, so that
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
  failureDetails,
  isEndingTold,
  onContinue,
  onResend,
  onOpenImage,
  messageToResend,
  versionedMessage,
  isReplying = false,
}: FinishedReplyProps) {
  const { content } = message
  return (
    <ReplyLayout assistantName={assistantName} deferLayout={deferLayout} messageId={message.id}>
      {message.notices && <ReplyNotices notices={message.notices} />}
      {message.reasoning && <ReasoningLine reasoning={message.reasoning} />}
      {/* keys, because another version of the reply is rendered into the same row, and has calls of its own */}
      {message.tool_calls.length > 0 && (
        <ToolCallList key={`calls of ${message.id}`} calls={message.tool_calls} />
      )}
      <ReplyFilesContext value={message.attachments}>
        {content !== '' && <ReplyText text={content} />}
      </ReplyFilesContext>
      {message.tool_calls.length > 0 && (
        <ToolCallList key={`tables of ${message.id}`} calls={message.tool_calls} showsOnlyTables />
      )}
      {message.sources && <SourceList sources={message.sources} />}
      {message.attachments.length > 0 && (
        <MessageFiles files={message.attachments} onOpenImage={onOpenImage} />
      )}
      {message.usage?.partFiles && <PartFiles files={message.usage.partFiles} calls={message.tool_calls} />}
      <ReplyEnding
        message={message}
        onRetry={onRetry}
        failureReason={failureReason}
        failureDetails={failureDetails}
        isEndingTold={isEndingTold}
        onContinue={onContinue}
      />
      <div
        {...focusWithinHandlers}
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
        {!isUnsaved(message) && <ReplyRating conversation={conversation} message={message} />}
        {messageToResend && (
          <IconButton
            size="sm"
            label={t`Regenerate`}
            icon={<RefreshCw size={16} />}
            onClick={() => onResend(messageToResend.id, messageToResend.content)}
          />
        )}
        {messageToResend && (
          <RegenerateMenu conversation={conversation} message={messageToResend} onResend={onResend} />
        )}
        {!isUnsaved(message) && (
          <ReplyMenu conversation={conversation} message={message} onRetry={onContinue && onRetry} />
        )}
        {versionedMessage && <VersionSwitcher message={versionedMessage} isReplying={isReplying} />}
        <span className="flex min-w-0 items-center gap-1 px-1.5">
          <ReplyModel id={message.usage?.model} />
          <MessageTime timestamp={message.timestamp} />
        </span>
      </div>
    </ReplyLayout>
  )
}

/** The name of the model that wrote a reply, where users can choose among models; nothing if it is the only one. */
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

/** A reply as HTML; undefined while it is shown as plain text. */
function readReplyHtml(button: HTMLElement): string | undefined {
  const text = button.closest('.is-reply')?.querySelector('[data-reply-text]')
  return text ? formatAsHtml(text) : undefined
}

/** Sends the last message again to another model, which is then also chosen for the next replies. Renders nothing without a choice. */
function RegenerateMenu({
  conversation,
  message,
  onResend,
}: {
  conversation: Conversation
  message: ChatMessage
  onResend: Conversation['resend']
}) {
  const models = useOfferedModels(useConfig()?.models ?? [])
  if (models.length < 2) return null
  const hasImages = message.attachments.some(({ type }) => type.startsWith('image/'))
  return (
    <Menu>
      <MenuTrigger asChild>
        <IconButton size="sm" label={t`Answer with another model`} icon={<ChevronDown size={16} />} />
      </MenuTrigger>
      <MenuContent align="start">
        {models.map(({ id, name, vision }) => (
          <MenuItem
            key={id}
            onSelect={() => {
              conversation.choose({ model: id, effort: undefined })
              onResend(message.id, message.content)
            }}
          >
            <span className="min-w-0 flex-1 break-words">{name}</span>
            {hasImages && vision === false && <span className="text-xs text-ink-faint">{t`Text only`}</span>}
          </MenuItem>
        ))}
      </MenuContent>
    </Menu>
  )
}
