import { t } from '@lingui/core/macro'
import { useQueryClient } from '@tanstack/react-query'
import { Ellipsis, FileType, MessageSquarePlus, RotateCw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { lazyComponent } from '../../../components/lazy-component.tsx'
import { IconButton } from '../../../components/ui/icon-button.tsx'
import { Menu, MenuContent, MenuItem, MenuTrigger } from '../../../components/ui/menu.tsx'
import { Spinner } from '../../../components/ui/spinner.tsx'
import { callApi } from '../../../lib/api/call-api.ts'
import { useAction } from '../../../components/use-action.ts'
import { broadcastListChange } from '../../../lib/conversations/conversation-broadcast.ts'
import { createConversationCache } from '../../../lib/conversations/conversation-cache.ts'
import { conversationPath } from '../../../lib/navigation/new-chat.ts'
import { useWordExport } from '../export/use-word-export.ts'
import type { ChatMessage } from '../state/chat-message.ts'
import { useConversationState, type Conversation } from '../state/conversation.ts'

const DeleteMessageDialog = lazyComponent(() => import('./delete-message-dialog.tsx'), 'DeleteMessageDialog')

/**
 * The menu of a reply: write an unfinished one anew, export it, continue it in a new chat, or delete it with its message. The last two need a
 * stored conversation. Renders nothing if there is nothing to choose.
 */
export function ReplyMenu({
  conversation,
  message,
  onRetry,
}: {
  conversation: Conversation
  message: ChatMessage
  /** present on an unfinished reply that can be written anew as well as continued */
  onRetry?: (() => void) | undefined
}) {
  const { id: messageId } = message
  const queryClient = useQueryClient()
  const [turnToDelete, setTurnToDelete] = useState<readonly ChatMessage[]>()
  const isTemporary = useConversationState(conversation, (state) => state.isTemporary)
  const exportWord = useWordExport()
  const copy = useAction(
    `copy ${messageId}`,
    async (_, arrive) => {
      const { session } = await callApi('sessions.copy', {
        params: { sessionId: conversation.id },
        body: { message_id: messageId },
      })
      createConversationCache(queryClient).upsert(session)
      broadcastListChange()
      arrive(conversationPath(session.id), t`The new chat is ready`)
    },
    t`No new chat was made`,
  )
  if (isTemporary && !onRetry && message.content === '') return null
  return (
    <>
      <Menu>
        <MenuTrigger asChild>
          <IconButton
            size="sm"
            label={t`More for this reply`}
            icon={copy.isBusy ? <Spinner /> : <Ellipsis size={16} />}
            aria-busy={copy.isBusy || undefined}
          />
        </MenuTrigger>
        <MenuContent align="start">
          {onRetry && (
            <MenuItem icon={<RotateCw aria-hidden size={16} />} onSelect={onRetry}>
              {t`Retry`}
            </MenuItem>
          )}
          {!isTemporary && (
            <MenuItem
              icon={<MessageSquarePlus aria-hidden size={16} />}
              disabled={copy.isBusy}
              onSelect={() => copy.start()}
            >
              {t`Continue in a new chat`}
            </MenuItem>
          )}
          {message.content !== '' && (
            <MenuItem
              icon={<FileType aria-hidden size={16} />}
              onSelect={() => exportWord(messageId, ({ exportReplyAsWord }) => exportReplyAsWord(message))}
            >
              {t`Export as Word`}
            </MenuItem>
          )}
          {!isTemporary && (
            <DeleteItem conversation={conversation} messageId={messageId} onSelect={setTurnToDelete} />
          )}
        </MenuContent>
      </Menu>
      {turnToDelete && <DeleteMessageDialog turn={turnToDelete} onClose={() => setTurnToDelete(undefined)} />}
    </>
  )
}

/**
 * The menu item that deletes a turn. Renders nothing for the only turn of a conversation, which is deleted as a whole, and while the user's
 * message is not loaded.
 */
function DeleteItem({
  conversation,
  messageId,
  onSelect,
}: {
  conversation: Conversation
  messageId: string
  onSelect: (turn: readonly ChatMessage[]) => void
}) {
  const { messages, isReplying, previousCursor } = useConversationState(conversation, (state) => state)
  const index = messages.findIndex(({ id }) => id === messageId)
  const from = messages.findLastIndex(({ role }, at) => role === 'user' && at <= index)
  const to = messages.findIndex(({ role }, at) => role === 'user' && at > index)
  const turn = messages.slice(Math.max(from, 0), to < 0 ? undefined : to)
  const isOnly = turn.length === messages.length && previousCursor === null && !turn[0]?.versions
  if (from < 0 || isOnly) return null
  return (
    <MenuItem
      icon={<Trash2 aria-hidden size={16} />}
      isDestructive
      disabled={isReplying}
      onSelect={() => onSelect(turn)}
    >
      {t`Delete message and reply…`}
    </MenuItem>
  )
}
