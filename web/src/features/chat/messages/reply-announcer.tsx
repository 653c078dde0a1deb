import { t } from '@lingui/core/macro'
import { useEffect, useRef, useState } from 'react'
import type { Message } from '#shared/contracts/messages.ts'
import { isReplyWaiting, isWaitingForUser, type ConversationState } from '../state/conversation-state.ts'
import type { Conversation } from '../state/conversation.ts'
import { useConversationState } from '../state/conversation.ts'
import { describeEnding } from '../describe-ending.ts'

const describeLast = ({ ended, incomplete_reason }: Partial<Message> = {}): string =>
  ended ? describeEnding({ ended, incomplete_reason }) : t`Reply finished`

/** Announces to screen readers when a reply starts, waits for the user and ends, but not its text. */
export function ReplyAnnouncer({ conversation }: { conversation: Conversation }) {
  const isWriting = useConversationState(conversation, (state) => state.streamingText !== '')
  const hasFailed = useConversationState(conversation, (state) => state.error !== null)
  const ending = useConversationState(conversation, ({ messages }) => describeLast(messages.at(-1)))
  const waitsForUser = useConversationState(conversation, isWaitingForUser)
  const isToolWorking = useConversationState(conversation, isWaitingForServers)
  const [announcement, setAnnouncement] = useState('')
  const wasWriting = useRef(isWriting)
  useEffect(() => {
    if (isWriting === wasWriting.current) return
    wasWriting.current = isWriting
    // an error announces itself
    setAnnouncement(isWriting ? t`Reply started` : hasFailed ? '' : ending)
  }, [isWriting, hasFailed, ending])
  return (
    <p role="status" className="sr-only">
      {waitsForUser ? t`Your answer is needed` : isToolWorking ? t`A tool is still working` : announcement}
    </p>
  )
}

/** Whether the reply waits only for servers that are still working. */
const isWaitingForServers = (state: Pick<ConversationState, 'pending'>): boolean =>
  isReplyWaiting(state) && !isWaitingForUser(state)
