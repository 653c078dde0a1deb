import { useQuery } from '@tanstack/react-query'
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from 'react'
import { NavigationType, useLocation, useNavigationType, useSearchParams } from 'react-router'
import { authRedirectMs } from '../../lib/limits.ts'
import { untitled } from '#shared/untitled.ts'
import { showAuthenticationRequired } from '../../components/authentication-required.ts'
import { lazyComponent } from '../../components/lazy-component.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { useIsDeleting } from '../../lib/running-actions.ts'
import { useStore } from '../../lib/create-store.ts'
import { hasTemporaryDraft } from '../../lib/drafts.ts'
import { rememberChat } from '../../lib/last-chat.ts'
import { sameChatState, useStartNewChat } from '../../lib/new-chat.ts'
import { useLeaveGuard } from '../../lib/leave-guard.ts'
import type { Attachment } from '#shared/contracts/files.ts'
import { AppContext } from './apps/app-context.ts'
import { whenIdle } from '../../lib/when-idle.ts'
import { getFailureTitle, isNotice } from './state/chat-failure.ts'
import { useComposerDraft } from './composer/use-composer-draft.ts'
import { useConversations, type ChatUser } from './use-conversations.ts'
import { ConversationView, preloadMessageList } from './conversation-view.tsx'
import type { Conversation } from './state/conversation.ts'
import { loadEffects } from './state/create-conversation.ts'
import { preloadMessageParts } from './messages/message-parts.tsx'
import { preloadMarkdown } from './markdown/load-markdown.ts'
import { useConversationState } from './state/conversation.ts'
import { useDocumentTitle } from '../../lib/use-document-title.ts'
import { subscribeToInputs } from '../../lib/inputs.ts'

interface ChatPageProps extends ChatUser {
  /** undefined while it is unknown */
  connectedCount: number | undefined
  /** what a new chat can begin with besides its prompts */
  otherStarts?: ReactNode
  /** clears the tokens in this browser and opens the sign-in page */
  onSignInRequired: () => void
}

const LeaveChatDialog = lazyComponent(() => import('./leave-chat-dialog.tsx'), 'LeaveChatDialog', null)

/** The query parameter with the id of the open conversation: `/?c=<id>`. */
const conversationParameter = 'c'

const sameChat = { replace: true, state: sameChatState } as const

/** Components read the state from the conversation, not from the query. */
const noProps: [] = []

/** The conversation named by the address, or a new one. Fills its container; the conversation scrolls inside. */
export function ChatPage({ connectedCount, otherStarts, onSignInRequired, ...user }: ChatPageProps) {
  const { userId, savesConversations, mayChooseTemporary = true } = user
  const [params, setParams] = useSearchParams()
  const { key: visit, search, state: visitState } = useLocation()
  const navigation = useNavigationType()
  const conversations = useConversations(user)
  const newChatId = useStore(conversations.newChatId)
  const openId = params.get(conversationParameter)
  const conversation = conversations.get(openId ?? newChatId, openId === null)
  const hasMessages = useConversationState(conversation, (state) => state.messages.length > 0)
  const isTemporary = useConversationState(conversation, (state) => state.isTemporary)
  const isDeleted = useIsDeleted(conversation)
  // fetches when it is shown, when the tab becomes visible, and when the connection returns
  useQuery({ ...conversation.query, notifyOnChangeProps: noProps })

  useLayoutEffect(() => {
    const last = conversations.noteVisit({ key: visit, openId })
    // once it has an address, the new chat is an ordinary conversation, and the next new one needs its own id
    if (openId === newChatId) return conversations.startNewChat()
    if (openId !== null || !(hasMessages || isTemporary)) return
    // it has begun: following the address of a new chat starts another, from any page, and so does going back from one to another
    const isNavigated = last !== undefined && visit !== last.key && visitState !== sameChatState
    const isBack = navigation === NavigationType.Pop
    if (isNavigated && (!isBack || (last.openId === null && hasMessages))) return conversations.startNewChat()
    if (!hasMessages) return
    // its first message may have been sent while something else was shown; a temporary chat has no address
    if (!isTemporary) setParams({ [conversationParameter]: newChatId }, sameChat)
  }, [conversations, newChatId, openId, hasMessages, isTemporary, visit, visitState, navigation, setParams])

  useEffect(() => rememberChat(userId, `/${search}`), [userId, search, visit])
  useEffect(() => {
    if (conversation.getState().loadStatus === 'loaded') return
    preloadMarkdown()
    void preloadMessageList()
  }, [conversation])
  useEffect(() => {
    // a failed import is retried with the first message
    void whenIdle().then(() => {
      preloadMarkdown()
      return Promise.all([loadEffects(), preloadMessageList()])
        .catch(() => undefined)
        .then(preloadMessageParts)
    })
  }, [])
  const submit = useCallback(
    (text: string, attachments?: readonly Attachment[]) => {
      // the id of a deleted conversation is not used again
      const isMissing = isDeleted || conversation.getState().loadStatus === 'missing'
      const target = isMissing ? conversations.get(newChatId, true) : conversation
      if (!target.messageQueue.submit(text, attachments)) return false
      if (isMissing) setParams({}, sameChat)
      return true
    },
    [conversations, conversation, isDeleted, newChatId, setParams],
  )
  const startNewChat = useStartNewChat()

  // what is written where a conversation was deleted belongs to a new chat
  const startedId = (openId === null && !hasMessages) || isDeleted ? undefined : conversation.id
  const draft = useComposerDraft(userId, startedId, isTemporary)
  // the drafts of other chats are stored
  const hasUnstoredDraft = useSyncExternalStore(subscribeToInputs, () => hasTemporaryDraft(draft.draftKey))
  const guard = useLeaveGuard(isTemporary && (hasMessages || hasUnstoredDraft))
  const leaveChat = () => {
    conversations.startNewChat()
    guard.leave()
  }
  useEffect(() => {
    // it must work after a deployment and offline, too
    if (isTemporary) void LeaveChatDialog.preload()
  }, [isTemporary])

  const appConversation = useMemo(
    () => ({ userId, conversation, isTemporary }),
    [userId, conversation, isTemporary],
  )

  useErrorToast(conversation, onSignInRequired)
  useTabTitle(conversation, useStore(conversations.hasUnread))

  return (
    <>
      <AppContext value={appConversation}>
        {/* a preview is put beside it */}
        <div className="flex h-full min-h-0 print:block print:h-auto">
          <ConversationView
            key={`${conversation.id} ${isDeleted}`}
            conversation={conversation}
            isDeleted={isDeleted}
            isTemporary={isTemporary}
            {...draft}
            connectedCount={connectedCount}
            otherStarts={otherStarts}
            onChooseTemporary={
              savesConversations && mayChooseTemporary ? conversation.chooseTemporary : undefined
            }
            onSubmit={submit}
            onNewChat={startNewChat}
            onSignIn={onSignInRequired}
          />
        </div>
      </AppContext>
      {guard.isAsking && <LeaveChatDialog onClose={guard.stay} onLeave={leaveChat} />}
    </>
  )
}

/** Whether this page deletes or has deleted the conversation, which is not shown then. */
function useIsDeleted(conversation: Conversation): boolean {
  const isDeleting = useIsDeleting()(conversation.id)
  const isLoaded = useConversationState(conversation, ({ loadStatus }) => loadStatus === 'loaded')
  const [deletedId, setDeletedId] = useState<string>()
  if (isDeleting && deletedId !== conversation.id) setDeletedId(conversation.id)
  // it is loaded if that was undone
  return isDeleting || (deletedId === conversation.id && !isLoaded)
}

/** Shows a toast beside the error block, and opens the sign-in page when the user has to sign in again. */
function useErrorToast(conversation: Conversation, onSignInRequired: () => void) {
  const error = useConversationState(conversation, (state) => state.error)
  useEffect(() => {
    if (!error) return
    if (error.kind !== 'authentication') {
      showToast(isNotice(error.kind) ? 'info' : 'error', getFailureTitle(error.kind), {
        id: error.id,
        description: error.message,
      })
      return
    }
    showAuthenticationRequired(error.message)
    const timer = setTimeout(onSignInRequired, authRedirectMs)
    return () => clearTimeout(timer)
  }, [error, onSignInRequired])
}

function useTabTitle(conversation: Conversation, hasUnread: boolean) {
  const title = useConversationState(conversation, (state) => state.title)
  useDocumentTitle(title === untitled ? '' : (title ?? ''), hasUnread)
}
