import { t } from '@lingui/core/macro'
import type { Attachment } from '#shared/contracts/files.ts'
import { describeEnding } from '../describe-ending.ts'
import type { ChatMessage } from '../state/chat-message.ts'
import type { ShownError } from '../state/conversation-parts.ts'
import { ErrorBlock } from './error-block.tsx'
import { ReplyLayout, UserMessageLayout } from './message-layout.tsx'
import { MessageNote } from './message-note.tsx'
import { MessageFiles } from './message-parts.tsx'
import { UserBubble } from './user-bubble.tsx'

/** Says below the message that was to be replaced, and its reply, that nothing came of it. An edit is shown with its text. */
export function FailedAttempt({
  attempt,
  replaced,
  error,
  assistantName,
  onRetry,
  onSignIn,
  onOpenImage,
}: {
  attempt: ChatMessage
  replaced: ChatMessage
  /** the error that is shown, if it is that of the attempt */
  error: ShownError | undefined
  assistantName: string
  /** absent while another reply is pending */
  onRetry: (() => void) | undefined
  onSignIn: () => void
  onOpenImage: (image: Attachment) => void
}) {
  const { content, attachments, ended, refusal, failure } = attempt
  const listIds = (message: ChatMessage) => message.attachments.map(({ id }) => id).join(' ')
  const isEdit = content !== replaced.content || listIds(attempt) !== listIds(replaced)
  const reason = refusal ?? (ended && describeEnding({ ended }))
  return (
    <>
      {isEdit && (
        <UserMessageLayout messageId={attempt.id}>
          {attachments.length > 0 && (
            <MessageFiles files={attachments} onOpenImage={onOpenImage} isEndAligned />
          )}
          {content !== '' && <UserBubble text={content} />}
        </UserMessageLayout>
      )}
      <ReplyLayout assistantName={assistantName}>
        <MessageNote
          text={
            isEdit
              ? t`Your edit got no reply, so the message stays as it was.`
              : t`Another reply was not written, so this one stays.`
          }
          reason={error ? undefined : reason}
          details={error ? undefined : failure}
          action={t`Retry`}
          onAction={error ? undefined : onRetry}
        />
        {error && <ErrorBlock error={error} onRetry={onRetry} retryLabel={undefined} onSignIn={onSignIn} />}
        {/* as much room as the actions of a reply */}
        <div className="-mt-2 h-7" />
      </ReplyLayout>
    </>
  )
}
