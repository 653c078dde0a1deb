import type { Conversation } from './conversation.ts'
import { ReplyText } from './reply-text.tsx'
import { ThinkingIndicator } from './thinking-indicator.tsx'
import { ReplyTurn } from './turn.tsx'
import { useConversationState } from './use-conversation-state.ts'

/** The reply that is awaited or written; the only part of the page that changes with every word. */
export function StreamingReply({
  conversation,
  assistantName,
}: {
  conversation: Conversation
  assistantName: string
}) {
  const text = useConversationState(conversation, (state) => state.streamingText)
  const connected = useConversationState(conversation, (state) => state.connected)
  return (
    <ReplyTurn assistantName={assistantName} busy>
      {text === '' ? (
        <ThinkingIndicator assistantName={assistantName} type="chat" />
      ) : (
        <ReplyText text={text} streaming />
      )}
      {!connected && (
        <p role="status" className="text-sm text-ink-muted">
          The connection was lost. Looking for it again...
        </p>
      )}
      {/* the place of the actions, which come when the reply is finished */}
      <div aria-hidden className="-mt-2 h-7 max-sm:-mt-1.5 max-sm:h-9" />
    </ReplyTurn>
  )
}
