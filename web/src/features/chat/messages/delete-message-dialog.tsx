import { useQueryClient } from '@tanstack/react-query'
import { ActionDialog } from '../../../components/action-dialog.tsx'
import { callApi } from '../../../lib/call-api.ts'
import { broadcastConversationChange } from '../../../lib/conversation-broadcast.ts'
import { conversationKey } from '../../../lib/conversation-key.ts'
import { upsertConversation } from '../../../lib/conversation-list.ts'
import { withoutKnown, type ChatMessage } from '../state/chat-message.ts'
import { mergeNewest, type StoredConversation } from '../state/stored-conversation.ts'
import * as texts from './texts.tsx'

/** Asks before a message is deleted with its reply. */
export function DeleteMessageDialog({
  turn,
  onClose,
}: {
  /** the user's message and what follows it up to the next one */
  turn: readonly ChatMessage[]
  onClose: () => void
}) {
  const queryClient = useQueryClient()
  const [first] = turn
  const remove = async () => {
    if (!first) return
    const { session_id: sessionId, id: messageId } = first
    const queryKey = conversationKey(sessionId)
    const response = await callApi('sessions.deleteTurn', { params: { sessionId, messageId } })
    // a request in flight may return the messages
    await queryClient.cancelQueries({ queryKey }, { silent: true })
    queryClient.setQueryData<StoredConversation>(queryKey, (conversation) =>
      mergeNewest(
        conversation && { ...conversation, messages: withoutKnown(conversation.messages, turn) },
        response,
      ),
    )
    upsertConversation(queryClient, response.session)
    broadcastConversationChange(sessionId)
  }
  return (
    <ActionDialog
      open
      onClose={onClose}
      title={texts.deleteMessageTitle}
      confirmLabel={texts.deleteMessageConfirm}
      isDestructive
      findFocusTarget={() => document.querySelector<HTMLElement>('[data-composer]')}
      onConfirm={remove}
    >
      <p className="text-ink-muted">{texts.deleteMessageHint}</p>
    </ActionDialog>
  )
}
