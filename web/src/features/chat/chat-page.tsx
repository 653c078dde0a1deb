import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { authRedirectMs } from '#shared/limits.ts'
import { untitled } from '#shared/session-title.ts'
import { deferred } from '../../components/lazy-component.tsx'
import { showToast } from '../../components/ui/toast.ts'
import { useBrand } from '../../lib/config.ts'
import { useStore } from '../../lib/create-store.ts'
import { freshDraftPrefix, hasTemporaryDraft, setDraftTemporary } from '../../lib/drafts.ts'
import { useLeaveGuard } from '../../lib/leave-guard.ts'
import { tabId } from '../../lib/tab-id.ts'
import { useUserResource } from '../../lib/user-resources.ts'
import type { Attachment } from '#shared/contracts/files.ts'
import type { KnownConnections } from '../../lib/known-connections.ts'
import { currentAttachmentQueues } from './attachments/attachment-queues.ts'
import { whenIdle } from '../../lib/when-idle.ts'
import { failureTitle } from './state/chat-failure.ts'
import { ConversationView, preloadMessageList } from './conversation-view.tsx'
import type { Conversation } from './state/conversation.ts'
import { loadFollowing } from './state/create-conversation.ts'
import { createConversations } from './state/conversations.ts'
import { preloadMessageParts } from './messages/message-parts.tsx'
import { preloadMarkdown } from './markdown/reply-text.tsx'
import { useConversationState } from './state/conversation.ts'
import { useDocumentTitle } from './use-document-title.ts'
import { useOtherTabs } from './use-other-tabs.ts'
import { useReplyNotification } from './use-reply-notification.ts'

interface ChatPageProps {
  /** whose drafts these are */
  userId: string
  /** how many there are; undefined while that is not known */
  connectedIntegrations: number | undefined
  /** what a message that is sent now tells of the user's connections; must stay the same */
  readConnections: () => KnownConnections | undefined
  /** whether a chat that begins now is written to the history */
  savesConversations: boolean
  /** clears the session of this browser and goes to the sign-in page (ERR-11, DEC-017) */
  onSignInRequired: () => void
}

const { Deferred: LeaveChatDialog, preload: preloadLeaveChatDialog } = deferred(
  () => import('./leave-chat-dialog.tsx').then((module) => module.LeaveChatDialog),
  null,
)

/** The name of the open conversation in the address: `/?c=<id>`. */
const parameter = 'c'

/** The state of a visit that a message of this page has made: it stays at the chat that begins with it. */
const beginsHere = 'begins-here'

/** What a temporary chat outlives: pages that show no chat. */
const isOtherPage = (pathname: string) => pathname !== '/'

/** The state of a conversation comes from the conversation itself. */
const none: [] = []

/** The conversation that the address names, or a fresh one. Fills its container; the conversation scrolls inside. */
export function ChatPage({
  userId,
  connectedIntegrations,
  readConnections,
  savesConversations,
  onSignInRequired,
}: ChatPageProps) {
  const [params, setParams] = useSearchParams()
  const { key: visit, state: visitState } = useLocation()
  const conversations = useUserResource(createConversations, userId)
  const freshId = useStore(conversations.freshId)
  const openId = params.get(parameter)
  const isChosenTemporary = useStore(conversations.isFreshTemporary)
  const savesNewChat = savesConversations && !(openId === null && isChosenTemporary)
  const conversation = conversations.get(openId ?? freshId, openId === null)
  const started = useConversationState(conversation, (state) => state.messages.length > 0)
  const isSaved = useConversationState(conversation, (state) => state.isSaved)
  // read when it comes into view, when somebody comes back to it, and when the connection does
  useQuery({ ...conversation.query, notifyOnChangeProps: none })

  const lastVisit = useRef({ visit, openId })
  useLayoutEffect(() => {
    const last = lastVisit.current
    lastVisit.current = { visit, openId }
    // once it has an address, the fresh chat is a conversation like others, and the next fresh one needs an id of its own
    if (openId === freshId) return conversations.startFresh()
    // a temporary chat has no address: going to it again asks for another
    const isSame = openId === null && last.openId === null
    if (visit !== last.visit && isSame && started && visitState !== beginsHere) conversations.startFresh()
  }, [conversations, freshId, openId, started, visit, visitState])

  useEffect(() => conversations.setConnections(readConnections), [conversations, readConnections])
  useEffect(preloadMarkdown, [])
  useEffect(() => {
    if (conversation.getState().load !== 'loaded') void preloadMessageList()
  }, [conversation])
  useEffect(() => {
    // a failure is met again with the first message
    void whenIdle().then(() =>
      Promise.all([loadFollowing(), preloadMessageList()])
        .catch(() => undefined)
        .then(preloadMessageParts),
    )
  }, [])
  const send = useCallback(
    (text: string, attachments?: readonly Attachment[]) => {
      // nothing begins under the id of a conversation that is gone
      const isMissing = conversation.getState().load === 'missing'
      const target = isMissing ? conversations.get(freshId, true) : conversation
      if (!target.send(text, attachments, savesNewChat)) return false
      const { isSaved: hasAddress } = target.getState()
      if (openId === null ? hasAddress : isMissing)
        setParams(
          (before) => {
            if (hasAddress) before.set(parameter, target.id)
            else before.delete(parameter)
            return before
          },
          { replace: true, state: beginsHere },
        )
      return true
    },
    [conversations, conversation, freshId, openId, setParams, savesNewChat],
  )
  // at once: what is typed after the press belongs into the fresh chat
  const startFresh = useCallback(() => setParams({}, { flushSync: true }), [setParams])

  const isTemporary = started ? !isSaved : openId === null && !savesNewChat
  const freshDraftKey = `${userId}/${freshDraftPrefix}:${tabId}`
  const draftKey = openId === null && !started ? freshDraftKey : `${userId}/${conversation.id}`
  const attachmentQueues = currentAttachmentQueues()
  useEffect(() => setDraftTemporary(draftKey, isTemporary), [draftKey, isTemporary])
  const attachmentQueue = attachmentQueues.get(draftKey)
  useEffect(() => {
    if (draftKey !== freshDraftKey || isTemporary) return
    const shown = new AbortController()
    const { signal } = shown
    // without it the draft waits for the next fresh chat
    void whenIdle()
      .then(() => import('./composer/adopt-draft.ts'))
      .then(({ adoptDraft }) => adoptDraft({ userId, draftKey, attachmentQueue, signal }))
      .catch(() => undefined)
    return () => shown.abort()
  }, [userId, draftKey, freshDraftKey, isTemporary, attachmentQueue])
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (attachmentQueues.isUploading() || hasTemporaryDraft(freshDraftKey)) event.preventDefault()
    }
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [attachmentQueues, freshDraftKey])
  const guard = useLeaveGuard(isTemporary && started, isOtherPage)
  const leave = () => {
    conversations.startFresh()
    guard.leave()
  }
  useEffect(() => {
    // it is needed after a deployment and without a connection, too
    if (isTemporary) void preloadLeaveChatDialog()
  }, [isTemporary])

  useOtherTabs(conversation)
  useFailureNotice(conversation, onSignInRequired)
  useTitle(conversation)

  return (
    <>
      <ConversationView
        key={conversation.id}
        conversation={conversation}
        isSaved={!isTemporary}
        draftKey={draftKey}
        attachmentQueue={attachmentQueue}
        connectedIntegrations={connectedIntegrations}
        onChooseTemporary={savesConversations ? conversations.isFreshTemporary.setState : undefined}
        onSend={send}
        onStartFresh={startFresh}
        onSignIn={onSignInRequired}
      />
      {guard.asking && <LeaveChatDialog onClose={guard.stay} onLeave={leave} />}
    </>
  )
}

/** ERR-01, ERR-08, ERR-10, ERR-11: a toast beside the error block; who has to sign in again is taken there. */
function useFailureNotice(conversation: Conversation, onSignInRequired: () => void) {
  const error = useConversationState(conversation, (state) => state.error)
  useEffect(() => {
    if (!error) return
    showToast('error', failureTitle(error.kind), { id: error.id, description: error.sentence })
    if (error.kind !== 'authentication') return
    const timer = setTimeout(onSignInRequired, authRedirectMs)
    return () => clearTimeout(timer)
  }, [error, onSignInRequired])
}

function useTitle(conversation: Conversation) {
  const { brandName } = useBrand()
  const title = useConversationState(conversation, (state) => state.title)
  const isLoading = useConversationState(conversation, (state) => state.isLoading)
  useDocumentTitle(title === untitled ? null : title, brandName, isLoading)
  useReplyNotification(brandName, conversation.id, isLoading)
}
