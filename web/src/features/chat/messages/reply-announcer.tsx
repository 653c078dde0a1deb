import { useEffect, useRef, useState } from 'react'
import { isWaiting } from '../state/chat-state.ts'
import type { Conversation } from '../state/conversation.ts'
import { useConversationState } from '../state/conversation.ts'

/** Tells screen readers when a reply begins, asks and ends, and never its single words. */
export function ReplyAnnouncer({ conversation }: { conversation: Conversation }) {
  const writing = useConversationState(conversation, (state) => state.streamingText !== '')
  const failed = useConversationState(conversation, (state) => state.error !== null)
  const waiting = useConversationState(conversation, isWaiting)
  const [said, setSaid] = useState('')
  const wasWriting = useRef(writing)
  useEffect(() => {
    if (writing === wasWriting.current) return
    wasWriting.current = writing
    // an error announces itself
    setSaid(writing ? 'Reply started' : failed ? '' : 'Reply finished')
  }, [writing, failed])
  return (
    <p role="status" className="sr-only">
      {waiting ? 'Your answer is needed' : said}
    </p>
  )
}
