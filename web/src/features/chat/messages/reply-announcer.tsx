import { t } from '@lingui/core/macro'
import { useEffect, useRef, useState } from 'react'
import { isReplyWaiting, isWaitingForUser, type ConversationState } from '../state/conversation-state.ts'
import { getActiveReply } from '../state/pending-reply.ts'
import { useConversationState, type Conversation } from '../state/conversation.ts'
import { describeEnding } from '../describe-ending.ts'

/** Describes how the last reply ended. @returns empty if the last message, apart from that of a pending reply, is one of the user */
function describeLastReply({ messages, pending }: Pick<ConversationState, 'messages' | 'pending'>): string {
  const next = getActiveReply(pending)?.messageId
  const last = messages.findLast(({ id }) => id !== next)
  if (last?.role !== 'assistant') return ''
  const { ended, incomplete_reason } = last
  return ended ? describeEnding({ ended, incomplete_reason }) : t`Reply finished`
}

/** Announces to screen readers when a reply starts, waits for the user and ends, but not its text. */
export function ReplyAnnouncer({ conversation }: { conversation: Conversation }) {
  const isWriting = useConversationState(conversation, (state) => state.streamingText !== '')
  const repliedTo = useConversationState(conversation, ({ pending }) => getActiveReply(pending)?.messageId)
  const hasFailed = useConversationState(conversation, (state) => state.error !== null)
  const ending = useConversationState(conversation, describeLastReply)
  const waitsForUser = useConversationState(conversation, isWaitingForUser)
  const attempts = useConversationState(conversation, (state) => state.attempts)
  const isToolWorking = useConversationState(conversation, isWaitingForServers)
  const [announcement, setAnnouncement] = useState('')
  const before = useRef({ isWriting, repliedTo })
  useEffect(() => {
    const { isWriting: wasWriting, repliedTo: lastRepliedTo } = before.current
    before.current = { isWriting, repliedTo }
    // not the end of the writing: a reply that arrives in one piece is never seen while it is written, and the next one may follow at once
    const hasEnded = lastRepliedTo !== undefined && lastRepliedTo !== repliedTo
    const hasBegun = lastRepliedTo === undefined && repliedTo !== undefined
    if (isWriting && (hasEnded || !wasWriting)) setAnnouncement(t`Reply started`)
    // an error announces itself
    else if (hasEnded)
      setAnnouncement(
        hasFailed ? '' : attempts.some(({ id }) => id === lastRepliedTo) ? t`No reply yet.` : ending,
      )
    // a text that stays the same would not be announced again
    else if (hasBegun) setAnnouncement('')
  }, [isWriting, repliedTo, hasFailed, ending, attempts])
  const getText = () => {
    if (waitsForUser) return t`Your answer is needed`
    return isToolWorking ? t`A tool is still working` : announcement
  }
  return (
    <p role="status" className="sr-only">
      {getText()}
    </p>
  )
}

/** Whether the reply waits only for servers that are still working. */
const isWaitingForServers = (state: Pick<ConversationState, 'pending'>): boolean =>
  isReplyWaiting(state) && !isWaitingForUser(state)
