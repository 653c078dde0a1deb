import { moveDraft, saveDraft } from '../../../lib/drafts.ts'
import { setReplying } from '../../../lib/replying-conversations.ts'
import { decisionKey, type DecisionActivity } from '../../../lib/running-actions.ts'
import type { ChatMessage } from './chat-message.ts'
import type { Conversation } from './conversation.ts'
import { isWaitingForUser, type ConversationState } from './conversation-state.ts'
import { getActiveReply, toDecisionActivity } from './pending-reply.ts'
import { findUnacknowledged, serializeUnacknowledged } from './unacknowledged-message.ts'
import { watchReplies } from './watch-replies.ts'

interface WatchOptions {
  /** identifies the user and the conversation in the stored drafts */
  draftKey: string
  /** what is stored under that key */
  storedMessages: readonly ChatMessage[]
  /** false after the sign-out: then nothing is told or stored any more */
  isOpen: () => boolean
  /** called when a reply has ended, or waits for the user, while the page is hidden */
  onUnread: () => void
  /** called when the service begins or ends a reply, but not in a temporary chat. @param isRunning false at its end */
  onRunChange: (isRunning: boolean) => void
  /** called when a decision begins to be sent, and with undefined when that is over */
  onDecision: (key: string, activity: DecisionActivity | undefined) => void
}

/**
 * Keeps what the rest of the page knows of a conversation up to date, whether the conversation is shown or not: its mark in the list, its
 * decisions on the page "Waiting for you", and its unacknowledged messages in the storage. It is never unsubscribed: it lives as long as the
 * conversation.
 */
export function watchConversation(
  conversation: Conversation,
  { draftKey, storedMessages, isOpen, onUnread, onRunChange, onDecision }: WatchOptions,
): void {
  const { id } = conversation
  const noteReplyState = watchReplies(id, onUnread)
  const noteDecision = watchDecision(onDecision)
  const noteUnacknowledged = watchUnacknowledged(draftKey, storedMessages)
  let wasTemporary = false
  let lastRunId = getActiveReply(conversation.getState().pending)?.runId
  conversation.subscribe(() => {
    if (!isOpen()) return
    const state = conversation.getState()
    const { isTemporary } = state
    noteReplyState(state)
    if (isTemporary !== wasTemporary) moveDraft(draftKey, isTemporary ? 'memory' : 'storage')
    wasTemporary = isTemporary
    setReplying(id, !isTemporary && state.isReplying && !isWaitingForUser(state))
    noteDecision(state)
    const runId = getActiveReply(state.pending)?.runId
    if (runId !== lastRunId) {
      lastRunId = runId
      if (!isTemporary) onRunChange(runId !== undefined)
    }
    noteUnacknowledged(state)
  })
}

/** @returns a function that tells, of each state, when a decision begins to be sent and when that is over */
function watchDecision(onDecision: WatchOptions['onDecision']) {
  let lastKey: string | undefined
  return ({ pending, isTemporary }: ConversationState) => {
    const { runId, deciding } = getActiveReply(pending) ?? {}
    const key =
      deciding && runId !== undefined && !isTemporary ? decisionKey(runId, deciding.callId) : undefined
    if (key === lastKey) return
    if (lastKey !== undefined) onDecision(lastKey, undefined)
    if (key !== undefined && deciding) onDecision(key, toDecisionActivity(deciding))
    lastKey = key
  }
}

/** @returns a function that stores the unacknowledged messages of each state, if they have changed */
function watchUnacknowledged(draftKey: string, storedMessages: readonly ChatMessage[]) {
  let storedText = JSON.stringify(storedMessages.map(serializeUnacknowledged))
  return (state: ConversationState) => {
    const messages = findUnacknowledged(state).map(serializeUnacknowledged)
    const text = JSON.stringify(messages)
    if (text === storedText) return
    storedText = text
    saveDraft(draftKey, 'unacknowledged', messages)
  }
}
