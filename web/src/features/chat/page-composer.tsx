import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { useCallback, useLayoutEffect, useState } from 'react'
import { useNavigate } from '../../lib/navigation/router.tsx'
import type { Attachment } from '#shared/contracts/files.ts'
import { useBrand } from '../../lib/api/config.ts'
import { pageDraft } from '../../lib/input/drafts.ts'
import { sameChatState } from '../../lib/navigation/new-chat.ts'
import { Composer } from './composer/composer.tsx'
import { countSentMessage } from './composer/sent-messages.ts'
import { useComposerDraft } from './composer/use-composer-draft.ts'
import { useConversationState } from './state/conversation.ts'
import type { Choice } from './state/conversation-parts.ts'
import { useConversations, type ChatUser } from './use-conversations.ts'

/**
 * Prepares a new chat on the page of a project or an assistant. Its first message opens the chat page.
 * @param pageId id of the project or the assistant. For another id, the component has to be mounted anew
 * @param choice what the chat begins with
 * @returns `send` returns whether the message was sent
 */
export function usePageChat(user: ChatUser, pageId: string, choice: Choice) {
  const navigate = useNavigate()
  const conversations = useConversations(user)
  const [conversation] = useState(() => conversations.getPageChat(pageId, choice))
  // observed for its fetches alone, so that the query cache does not remove it
  useQuery({ ...conversation.query, notifyOnChangeProps: [] })
  const isTemporary = useConversationState(conversation, (state) => state.isTemporary)
  const hasBegun = useConversationState(conversation, ({ messages }) => messages.length > 0)
  const draft = useComposerDraft(user.userId, pageDraft(pageId), { isTemporary })
  useLayoutEffect(() => {
    // not in `send`, because a message that waits for its uploads begins the chat later
    if (hasBegun) navigate(conversations.openChat(conversation), { flushSync: true, state: sameChatState })
  }, [hasBegun, conversations, conversation, navigate])
  const send = useCallback(
    (text: string, attachments: readonly Attachment[] = []) => {
      const isSent = conversation.submit(text, attachments)
      if (isSent) countSentMessage()
      return isSent
    },
    [conversation],
  )
  return { conversation, draft, send }
}

/** The composer of a chat of `usePageChat`. */
export function PageComposer({
  chat: { conversation, draft, send },
  placeholder,
}: {
  chat: ReturnType<typeof usePageChat>
  placeholder: string
}) {
  const { assistantName } = useBrand()
  return (
    <section aria-label={t`Your message`}>
      <Composer
        assistantName={assistantName}
        placeholder={placeholder}
        conversation={conversation}
        {...draft}
        onSend={send}
      />
    </section>
  )
}
