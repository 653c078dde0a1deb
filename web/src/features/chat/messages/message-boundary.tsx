import type { ReactNode } from 'react'
import { ErrorBoundary, type Failure } from '../../../components/error-boundary.tsx'
import type { ChatMessage } from '../state/chat-message.ts'
import type { Conversation } from '../state/conversation.ts'
import { ReplyTurn, UserTurn } from './message-layout.tsx'
import { useConversationState } from '../state/conversation.ts'

interface MessageBoundaryProps {
  conversation: Conversation
  /** undefined for the reply that is awaited or written */
  message: ChatMessage | undefined
  assistantName: string
  children: ReactNode
}

/** A message that breaks while it is rendered stays readable as plain text; the others stay as they are. */
export function MessageBoundary({ children, ...props }: MessageBoundaryProps) {
  return (
    <ErrorBoundary
      resetKey={props.message?.content}
      fallback={({ retry }) => <PlainMessage {...props} retry={retry} />}
    >
      {children}
    </ErrorBoundary>
  )
}

function PlainMessage({
  conversation,
  message,
  assistantName,
  retry,
}: Omit<MessageBoundaryProps, 'children'> & Pick<Failure, 'retry'>) {
  const streamingText = useConversationState(conversation, (state) => (message ? '' : state.streamingText))
  const text = message?.content ?? streamingText
  const content = (
    <>
      {text !== '' && (
        <p dir="auto" className="max-w-[41.5rem] text-base whitespace-pre-wrap [overflow-wrap:anywhere]">
          {text}
        </p>
      )}
      <p role="note" className="text-sm text-ink-muted">
        Something went wrong: this message {text === '' ? 'cannot be shown.' : 'is shown as plain text.'}{' '}
        <button type="button" onClick={retry} className="link font-medium print:hidden">
          Try again
        </button>
      </p>
    </>
  )
  return message?.role === 'user' ? (
    <UserTurn>{content}</UserTurn>
  ) : (
    <ReplyTurn assistantName={assistantName}>{content}</ReplyTurn>
  )
}
