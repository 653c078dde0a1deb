import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { ActionDialog } from '../../../components/action-dialog.tsx'
import { callApi } from '../../../lib/api/call-api.ts'
import { broadcastConversationChange } from '../../../lib/conversations/conversation-broadcast.ts'
import { withoutKnown, type ChatMessage } from '../state/chat-message.ts'
import { cacheSessionRead } from './cache-session-read.ts'

/** Asks before a message is deleted with its reply, if it has one, and deletes both. */
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
  const hasReply = turn.length > 1
  const remove = async () => {
    if (!first) return
    const { session_id: sessionId, id: messageId } = first
    const response = await callApi('sessions.deleteTurn', { params: { sessionId, messageId } })
    await cacheSessionRead(queryClient, response, (messages) => withoutKnown(messages, turn))
    broadcastConversationChange(sessionId)
  }
  return (
    <ActionDialog
      open
      onClose={onClose}
      title={hasReply ? t`Delete this message and its reply?` : t`Delete this message?`}
      confirmLabel={t`Delete`}
      isDestructive
      findFocusTarget={() => document.querySelector<HTMLElement>('[data-composer]')}
      onConfirm={remove}
    >
      <p className="text-ink-muted">
        {hasReply
          ? t`Both are deleted for good, from links to this conversation too, and their files unless something else uses them. Later messages and other versions stay. The assistant no longer sees what you delete.`
          : t`It is deleted for good, from links to this conversation too, and its files unless something else uses them. Later messages and other versions stay. The assistant no longer sees what you delete.`}
      </p>
    </ActionDialog>
  )
}
