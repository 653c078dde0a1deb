import { moveDraft, saveDraft } from '../../../lib/drafts.ts'
import { setReplying } from '../../../lib/replying-conversations.ts'
import { decisionKey, type DecisionActivity } from '../../../lib/running-actions.ts'
import type { ChatMessage } from './chat-message.ts'
import type { Conversation } from './conversation.ts'
import { isWaitingForUser } from './conversation-state.ts'
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
 * decisions on the page "Waiting for you", and its unacknowledged messages in the storage. It ends with the conversation.
 */
export function watchConversation(
  conversation: Conversation,
  { draftKey, storedMessages, isOpen, onUnread, onRunChange, onDecision }: WatchOptions,
): void {
  const { id } = conversation
  const noteReplyState = watchReplies(id, onUnread)
  let wasTemporary = false
  let lastRunId = getActiveReply(conversation.getState().pending)?.runId
  let lastDecision: string | undefined
  let storedText = JSON.stringify(storedMessages.map(serializeUnacknowledged))
  conversation.subscribe(() => {
    if (!isOpen()) return
    const state = conversation.getState()
    const { isTemporary } = state
    noteReplyState(state)
    if (isTemporary !== wasTemporary) moveDraft(draftKey, isTemporary ? 'memory' : 'storage')
    wasTemporary = isTemporary
    setReplying(id, !isTemporary && state.isReplying && !isWaitingForUser(state))
    const { runId, deciding } = getActiveReply(state.pending) ?? {}
    const decision =
      deciding && runId !== undefined && !isTemporary ? decisionKey(runId, deciding.callId) : undefined
    if (decision !== lastDecision) {
      if (lastDecision !== undefined) onDecision(lastDecision, undefined)
      if (decision !== undefined && deciding) onDecision(decision, toDecisionActivity(deciding))
      lastDecision = decision
    }
    if (runId !== lastRunId) {
      lastRunId = runId
      if (!isTemporary) onRunChange(runId !== undefined)
    }
    const unacknowledged = findUnacknowledged(state).map(serializeUnacknowledged)
    const text = JSON.stringify(unacknowledged)
    if (text === storedText) return
    storedText = text
    saveDraft(draftKey, 'unacknowledged', unacknowledged)
  })
}
