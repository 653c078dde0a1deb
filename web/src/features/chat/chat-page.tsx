import { useQuery } from '@tanstack/react-query'
import {
  useCallback,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
  useLayoutEffect,
  type ReactNode,
} from 'react'
import { useLocation, useSearchParams } from '../../lib/navigation/router.tsx'
import { untitled } from '#shared/untitled.ts'
import type { Attachment } from '#shared/contracts/files.ts'
import { authRedirectMs } from '../../lib/browser/limits.ts'
import { showAuthenticationRequired } from '../../components/authentication-required.ts'
import { lazyComponent } from '../../components/lazy-component.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { useIsDeleting } from '../../lib/actions/running-actions.ts'
import { useStore } from '../../lib/browser/create-store.ts'
import { hasTemporaryDraft } from '../../lib/input/drafts.ts'
import { conversationParameter } from '../../lib/navigation/paths.ts'
import { useStartNewChat, sameChatState } from '../../lib/navigation/new-chat.ts'
import { useLeaveGuard } from '../../lib/input/leave-guard.ts'
import { whenIdle } from '../../lib/browser/when-idle.ts'
import { useDocumentTitle } from '../../lib/navigation/use-document-title.ts'
import { subscribeToInputs } from '../../lib/input/inputs.ts'
import { rememberChat } from '../../lib/navigation/last-chat.ts'
import { AppContext } from './apps/app-context.ts'
import { getFailureTitle, isNotice } from './state/chat-failure.ts'
import { useComposerDraft } from './composer/use-composer-draft.ts'
import { useConversations, type ChatUser } from './use-conversations.ts'
import { ConversationView, preloadMessageList } from './conversation-view.tsx'
import { loadRunner } from './state/conversation-store.ts'
import { preloadMarkdown } from './markdown/load-markdown.ts'
import { useConversationState, type Conversation } from './state/conversation.ts'
import type { Conversations } from './state/conversations.ts'

interface ChatPageProps extends ChatUser {
  /** how many integrations the user has connected; undefined while that is unknown */
  connectedCount: number | undefined
  /** shown below the quick prompts of a new chat: other ways to begin one */
  otherStarts?: ReactNode
  /** clears the tokens in this browser and opens the sign-in page */
  onSignInRequired: () => void
}

const LeaveChatDialog = lazyComponent(() => import('./leave-chat-dialog.tsx'), 'LeaveChatDialog', null)

/** The query is observed for its fetches alone: components read the state from the conversation. */
const noProps: [] = []

/** The conversation that the address names, or a new one. Fills its container; the conversation scrolls inside. */
export function ChatPage({ connectedCount, otherStarts, onSignInRequired, ...user }: ChatPageProps) {
  const { userId, savesConversations, mayChooseTemporary = true } = user
  const [params, setParams] = useSearchParams()
  const conversations = useConversations(user)
  const newChatId = useStore(conversations.newChatId)
  const openId = params.get(conversationParameter)
  const conversation = conversations.get(openId ?? newChatId, { isNew: openId === null })
  const hasMessages = useConversationState(conversation, (state) => state.messages.length > 0)
  const isTemporary = useConversationState(conversation, (state) => state.isTemporary)
  const isDeleted = useIsDeleted(conversation)
  // fetches when it is shown, when the tab becomes visible, and when the connection returns
  useQuery({ ...conversation.query, notifyOnChangeProps: noProps })
  useChatAddress(conversations, { openId, hasMessages, isTemporary })
  useLastChat(userId)
  usePreloadedCode(conversation)
  const sendInNewChat = useCallback(
    (text: string, attachments?: readonly Attachment[]) => {
      const isSent = conversations.get(newChatId, { isNew: true }).submit(text, attachments)
      if (isSent) setParams({}, sameChat)
      return isSent
    },
    [conversations, newChatId, setParams],
  )
  const startNewChat = useStartNewChat()

  // a draft that is written where a conversation was deleted belongs to a new chat
  const startedId = (openId === null && !hasMessages) || isDeleted ? undefined : conversation.id
  const draft = useComposerDraft(userId, startedId, { isTemporary })
  const appConversation = useMemo(
    () => ({ userId, conversation, isTemporary }),
    [userId, conversation, isTemporary],
  )

  useErrorToast(conversation, onSignInRequired)
  useTabTitle(conversation, useStore(conversations.hasUnread))

  return (
    <>
      <AppContext value={appConversation}>
        {/* the panel of a preview is rendered beside the conversation, see `PreviewHost` */}
        <div className="flex h-full min-h-0 print:block print:h-auto">
          <ConversationView
            // a key, so that no state of another conversation, or of a deleted one, is shown
            key={`${conversation.id} ${isDeleted}`}
            conversation={conversation}
            isDeleted={isDeleted}
            {...draft}
            connectedCount={connectedCount}
            otherStarts={otherStarts}
            mayChooseTemporary={savesConversations && mayChooseTemporary}
            onSendInNewChat={sendInNewChat}
            onNewChat={startNewChat}
            onSignIn={onSignInRequired}
          />
        </div>
      </AppContext>
      {isTemporary && (
        <TemporaryChatGuard
          hasMessages={hasMessages}
          draftKey={draft.draftKey}
          onLeave={conversations.startNewChat}
        />
      )}
    </>
  )
}

/** Asks before a temporary chat is left that has messages or a draft. */
function TemporaryChatGuard({
  hasMessages,
  draftKey,
  onLeave,
}: {
  hasMessages: boolean
  draftKey: string
  onLeave: () => void
}) {
  const hasDraft = useSyncExternalStore(subscribeToInputs, () => hasTemporaryDraft(draftKey))
  const guard = useLeaveGuard(hasMessages || hasDraft)
  const leave = () => {
    onLeave()
    guard.leave()
  }
  useEffect(() => {
    // the dialog must also open offline, and after a deployment has removed this version's files
    void LeaveChatDialog.preload()
  }, [])
  return guard.isAsking && <LeaveChatDialog onClose={guard.stay} onLeave={leave} />
}

/** Loads the code that messages need: that of the list at once for a conversation which is not loaded yet, and all of it when the page is idle. */
function usePreloadedCode(conversation: Conversation): void {
  useEffect(() => {
    if (conversation.getState().loadStatus === 'loaded') return
    preloadMarkdown()
    void preloadMessageList()
  }, [conversation])
  useEffect(() => {
    const preload = async () => {
      await whenIdle()
      preloadMarkdown()
      await Promise.allSettled([loadRunner(), preloadMessageList()])
      const { preloadMessageParts } = await import('./messages/message-parts.tsx')
      await preloadMessageParts()
    }
    // a failed import is retried with the first message
    preload().catch(() => undefined)
  }, [])
}

/** Whether this page is deleting or has deleted the conversation, which is then shown as missing. */
function useIsDeleted(conversation: Conversation): boolean {
  const isDeleting = useIsDeleting()(conversation.id)
  const isLoaded = useConversationState(conversation, ({ loadStatus }) => loadStatus === 'loaded')
  const [deletedId, setDeletedId] = useState<string>()
  // set while rendering, so that no frame shows the deleted conversation again
  if (isDeleting && deletedId !== conversation.id) setDeletedId(conversation.id)
  // loaded again means that the deletion was undone
  return isDeleting || (deletedId === conversation.id && !isLoaded)
}

/** Shows the error of the conversation as a toast, besides its block there. An error of the sign-in opens the sign-in page after a while. */
function useErrorToast(conversation: Conversation, onSignInRequired: () => void): void {
  const error = useConversationState(conversation, (state) => state.error)
  useEffect(() => {
    if (!error) return
    if (error.kind !== 'authentication') {
      showToast(isNotice(error.kind) ? 'info' : 'error', getFailureTitle(error.kind), {
        id: error.id,
        description: error.message,
        cause: error.details,
      })
      return
    }
    showAuthenticationRequired(error.message, error.details)
    const timer = setTimeout(onSignInRequired, authRedirectMs)
    return () => clearTimeout(timer)
  }, [error, onSignInRequired])
}

/** Sets the title of the tab to that of the conversation, with a mark while a reply is unread. */
function useTabTitle(conversation: Conversation, isUnread: boolean): void {
  const title = useConversationState(conversation, (state) => state.title)
  useDocumentTitle(title === untitled ? '' : (title ?? ''), { isUnread })
}

/** The options of a navigation that keeps the chat. */
const sameChat = { replace: true, state: sameChatState } as const

/**
 * Keeps the address in step with the new chat: adds its id once it has messages, and starts another new chat when the user navigates to
 * a new one. A layout effect, so that no frame shows the conversation of the address before.
 * @param openId the conversation that the address names; null for the new chat
 */
function useChatAddress(
  conversations: Conversations,
  { openId, hasMessages, isTemporary }: { openId: string | null; hasMessages: boolean; isTemporary: boolean },
): void {
  const [, setParams] = useSearchParams()
  const { key, state: locationState, isHistoryMove } = useLocation()
  const newChatId = useStore(conversations.newChatId)
  useLayoutEffect(() => {
    const lastVisit = conversations.recordVisit({ key, openId })
    // once it has an address, the new chat is an ordinary conversation, and the next new chat needs an id of its own
    if (openId === newChatId) return conversations.startNewChat()
    if (openId !== null || !(hasMessages || isTemporary)) return
    // The new chat has begun. A link to a new chat starts another one, from any page; so does a step in the history from one new chat to another.
    const hasNavigated = lastVisit !== undefined && key !== lastVisit.key && locationState !== sameChatState
    if (hasNavigated && (!isHistoryMove || (lastVisit.openId === null && hasMessages)))
      return conversations.startNewChat()
    // a temporary chat has no address
    if (hasMessages && !isTemporary) setParams({ [conversationParameter]: newChatId }, sameChat)
  }, [
    conversations,
    newChatId,
    openId,
    hasMessages,
    isTemporary,
    key,
    locationState,
    isHistoryMove,
    setParams,
  ])
}

/** Stores the address of the shown chat, to which the links of other pages lead back; again with each visit, because its position in the tab's history is stored, too. */
function useLastChat(userId: string): void {
  const { key, search } = useLocation()
  useEffect(() => rememberChat(userId, `/${search}`), [userId, search, key])
}
