import { skipToken } from '@tanstack/react-query'
import { conversationKey } from '../../web/src/lib/conversations/conversation-key.ts'
import { createStore } from '../../web/src/lib/browser/create-store.ts'
import { createQueryClient } from '../../web/src/lib/actions/query-client.ts'
import { toChatMessage, type ChatMessage } from '../../web/src/features/chat/state/chat-message.ts'
import {
  createLocalConversation,
  deriveConversationState,
  type ConversationState,
} from '../../web/src/features/chat/state/conversation-state.ts'
import type { Conversation, ConversationOptions } from '../../web/src/features/chat/state/conversation.ts'
import type { ChatApi } from '../../web/src/features/chat/stream/chat-api.ts'
import {
  createPendingReply,
  updateReply,
  type ActiveReply,
} from '../../web/src/features/chat/state/pending-reply.ts'
import { createMessageQueue } from '../../web/src/features/chat/state/message-queue.ts'
import { emptyConversation } from '../../web/src/features/chat/state/stored-conversation.ts'

/** A stored reply, or with `role` a message of the user. */
export const aChatMessage = (over: Partial<Parameters<typeof toChatMessage>[0]> = {}): ChatMessage =>
  toChatMessage({
    id: 'r1',
    session_id: 's1',
    role: 'assistant',
    content: 'Hi',
    attachments: [],
    tool_calls: [],
    created_at: '2026-11-21T12:00:00.000Z',
    ...over,
  })

/** The local part of a stored conversation in which nothing has happened. */
export const emptyLocalConversation = () => createLocalConversation({ unsaved: [], isTemporary: false })

/** The options of a new, stored conversation `s` that starts empty. */
export const newConversationOptions = (api: ChatApi): ConversationOptions => ({
  id: 's',
  draftKey: 'u/s',
  queryClient: createQueryClient(),
  isNew: true,
  isTemporary: false,
  unacknowledgedMessages: [],
  api,
  isDeleting: () => false,
  onConversationChange: () => undefined,
  readConnections: () => undefined,
})

/** A whole state: loaded, without messages, idle. */
export const shownConversation = (state: Partial<ConversationState> = {}): ConversationState => ({
  ...deriveConversationState({ stored: emptyConversation, local: emptyLocalConversation() }, 'loaded'),
  ...state,
})

/** A reply that waits for the decisions. */
export const aWaitingReply = (
  approvals: ActiveReply['approvals'],
  over: Partial<Pick<ActiveReply, 'deciding' | 'failedDecision'>> = {},
): ActiveReply => updateReply(createPendingReply('m1', undefined), { runId: 'run', approvals, ...over })

type Fake = Conversation & { setState: (changes: Partial<ConversationState>) => void }

/**
 * A loaded conversation whose state the test sets; components may read all of it at any time.
 * @param operations replace those that do nothing
 */
export function fakeConversation(
  state: Partial<ConversationState> = {},
  operations: Partial<Conversation> = {},
): Fake {
  const noop = () => undefined
  const store = createStore(shownConversation(state))
  const conversation: Omit<Conversation, 'messageQueue'> & Pick<Fake, 'setState'> = {
    id: 's1',
    ...store,
    setState: (changes: Partial<ConversationState>) => store.setState({ ...store.getState(), ...changes }),
    query: { queryKey: conversationKey('s1'), queryFn: skipToken },
    refresh: noop,
    close: noop,
    dispose: noop,
    choose: noop,
    chooseTemporary: noop,
    send: () => false,
    submit: (text, attachments = []) =>
      store.getState().isReplying ? fake.messageQueue.add(text, attachments) : fake.send(text, attachments),
    resend: () => false,
    retry: noop,
    continueReply: noop,
    decide: noop,
    stop: async () => true,
    loadEarlier: async () => undefined,
    ...operations,
  }
  const fake = { messageQueue: createMessageQueue(conversation, 'u/s1', () => false), ...conversation }
  return fake
}
