import { t } from '@lingui/core/macro'
import clsx from 'clsx'
import { Pencil } from 'lucide-react'
import { memo, Suspense, useState } from 'react'
import { closeMarkdown } from '#shared/close-markdown.ts'
import { lazyComponent } from '../../../components/lazy-component.tsx'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { useInput } from '../../../lib/input/use-input.ts'
import { CopyButton } from '../markdown/copy-button.tsx'
import { isUnsaved, type ChatMessage } from '../state/chat-message.ts'
import { openEditor } from './edit-message.ts'
import { UserMessageLayout } from './message-layout.tsx'
import { actionsClass, hiddenUntilHoverClass } from './message-actions.ts'
import { MessageNote } from './message-note.tsx'
import { MessageFiles } from './message-parts.tsx'
import type { MessageRowProps } from './message-row.ts'
import { MessageTime } from './message-time.tsx'
import { UserBubble } from './user-bubble.tsx'
import { VersionSwitcher } from './version-switcher.tsx'

const DeleteMessageDialog = lazyComponent(() => import('./delete-message-dialog.tsx'), 'DeleteMessageDialog')
const MessageEditor = lazyComponent(() => import('./message-editor.tsx'), 'MessageEditor')

interface UserMessageProps extends MessageRowProps {
  message: ChatMessage
  /** the key under which its text is stored while it is edited */
  editInputKey: string
  /** whether a reply is pending, so that nothing can be sent and no other version can be shown */
  isReplying: boolean
  /** whether the chat is temporary, of which no earlier versions are stored */
  isTemporary: boolean
  /** whether other messages follow it although it has no reply */
  isUnanswered: boolean
  /** whether it has a reply, which then shows the switcher of its versions */
  hasReply: boolean
}

/** A message of the user, which can be edited in place. */
export const UserMessage = memo(function UserMessage({
  message,
  deferLayout,
  isLast,
  editInputKey,
  isReplying,
  isTemporary,
  isUnanswered,
  hasReply,
  onRetry,
  failureReason,
  failureDetails,
  onResend,
  onOpenImage,
}: UserMessageProps) {
  const input = useInput(editInputKey, { stored: message.content, onLeave: 'keep' })
  const isEditing = input.isOpen
  const [isDeleting, setIsDeleting] = useState(false)
  const canDelete = isUnanswered && !onRetry && !isTemporary && !isReplying
  return (
    <UserMessageLayout deferLayout={deferLayout} messageId={message.id}>
      {message.attachments.length > 0 && !isEditing && (
        <MessageFiles files={message.attachments} onOpenImage={onOpenImage} isEndAligned />
      )}
      {isEditing ? (
        <Suspense fallback={<UserBubble text={message.content} />}>
          <MessageEditor
            input={input}
            inputKey={editInputKey}
            files={message.attachments.filter(({ isDeleted }) => !isDeleted)}
            isReplying={isReplying}
            becomesVersion={!isTemporary && !message.unacknowledged}
            onSend={(text, files) => onResend(message.id, text, files)}
          />
        </Suspense>
      ) : (
        <div className="flex w-full items-center justify-end gap-1 max-sm:flex-col-reverse max-sm:items-end">
          <div className={clsx(actionsClass, !isLast && hiddenUntilHoverClass, 'max-sm:-me-2.5')}>
            <MessageTime timestamp={message.timestamp} className="px-1.5" />
            {!isReplying && (
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
          {message.content !== '' && <UserBubble text={message.content} />}
        </div>
      )}
      {message.versions && !isEditing && !hasReply && (
        <VersionSwitcher message={message} isReplying={isReplying} className="max-sm:-me-3.5" />
      )}
      {(onRetry || isUnanswered) && (
        <MessageNote
          {...(isUnsaved(message)
            ? { text: t`Not saved.`, reason: failureReason }
            : { text: failureReason ?? describeMissingReply(onRetry !== undefined) })}
          details={failureDetails}
          action={canDelete ? t`Delete…` : (findRetryLabel(message) ?? t`Retry`)}
          onAction={canDelete ? () => setIsDeleting(true) : onRetry}
        />
      )}
      {isDeleting && <DeleteMessageDialog turn={[message]} onClose={() => setIsDeleting(false)} />}
    </UserMessageLayout>
  )
})

const describeMissingReply = (canRetry: boolean) => (canRetry ? t`No reply yet.` : t`Not answered.`)

/** The label of the button that sends a message again; undefined if nothing is left out, so that it is only a retry. */
export function findRetryLabel(message: ChatMessage): string | undefined {
  return message.attachments.some(({ isDeleted }) => isDeleted) ? t`Send without deleted files` : undefined
}
