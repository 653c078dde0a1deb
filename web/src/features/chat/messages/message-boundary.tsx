import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { CopyDetails } from '../../../components/ui/copy-details.tsx'
import { ErrorBoundary, type FallbackProps } from '../../../components/error-boundary.tsx'
import type { ChatMessage } from '../state/chat-message.ts'
import { ReplyLayout, UserMessageLayout } from './message-layout.tsx'
import { useConversationState, type Conversation } from '../state/conversation.ts'

interface MessageBoundaryProps {
  conversation: Conversation
  /** undefined for the pending reply */
  message: ChatMessage | undefined
  assistantName: string
  children: ReactNode
}

/** Shows a message as plain text if its rendering throws, with a button to try again. */
export function MessageBoundary({ children, ...props }: MessageBoundaryProps) {
  return (
    <ErrorBoundary
      resetKey={props.message?.content}
      fallback={(failure) => <PlainMessage {...props} {...failure} />}
    >
      {children}
    </ErrorBoundary>
  )
}

function PlainMessage({
  conversation,
  message,
  assistantName,
  error,
  retry,
}: Omit<MessageBoundaryProps, 'children'> & FallbackProps) {
  const streamingText = useConversationState(conversation, (state) => (message ? '' : state.streamingText))
  const text = message?.content ?? streamingText
  const content = (
    <>
      {text !== '' && (
        <p dir="auto" className="max-w-(--width-reading) text-base whitespace-pre-wrap wrap-anywhere">
          {text}
        </p>
      )}
      <p role="note" className="text-sm text-ink-muted">
        {text === ''
          ? t`Something went wrong: this message cannot be shown.`
          : t`Something went wrong: this message is shown as plain text.`}{' '}
        <button type="button" onClick={retry} className="link font-medium print:hidden">
          {t`Try again`}
        </button>{' '}
        <CopyDetails error={error} />
      </p>
    </>
  )
  return message?.role === 'user' ? (
    <UserMessageLayout messageId={message.id}>{content}</UserMessageLayout>
  ) : (
    <ReplyLayout assistantName={assistantName} messageId={message?.id}>
      {content}
    </ReplyLayout>
  )
}
