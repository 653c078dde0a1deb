import type { RunView } from '#shared/contracts/runs.ts'
import { emptyReply, type ReplyState } from '#shared/reply/reply-state.ts'
import type { ChatMessage } from './chat-message.ts'

interface DocumentProgress {
  /** name of the document in progress */
  name: string
  done: number
  total: number
}

/** What the events have told of the reply, and what only the page knows. `text` includes text after a stop: that is what is stored. */
interface Reply extends ReplyState {
  /** of the user message */
  messageId: string
  /** undefined when it is before the loaded messages */
  userMessage: ChatMessage | undefined
  /** false while reconnecting */
  isConnected: boolean
}

/** A pending reply and its status. */
export type ActiveReply = Reply &
  (
    | { status: 'analyzing-documents'; progress: DocumentProgress }
    | { status: 'thinking' | 'streaming' | 'waiting' }
    /** later text is not shown */
    | { status: 'stopping'; visibleText: string }
  )

export type PendingReply = { status: 'idle' } | ActiveReply

export const idleReply: PendingReply = { status: 'idle' }

export const getActiveReply = (pending: PendingReply): ActiveReply | undefined =>
  pending.status === 'idle' ? undefined : pending

/** A reply that has no content yet. @param userMessage if it is loaded */
export function createPendingReply(messageId: string, userMessage: ChatMessage | undefined): ActiveReply {
  return {
    status: 'thinking',
    ...emptyReply,
    messageId,
    userMessage,
    isConnected: true,
  }
}

/** Continues an incomplete reply: its text stays visible. */
export function continueReply(
  userMessage: ChatMessage,
  { id, content, attachments }: ChatMessage,
): ActiveReply {
  return updateReply(createPendingReply(userMessage.id, userMessage), {
    replyId: id,
    text: content,
    ended: 'incomplete',
    attachments,
  })
}

/** Resumes a reply that runs on the server or waits for the user. */
export function resumeReply(run: RunView, userMessage: ChatMessage | undefined): ActiveReply {
  return updateReply(createPendingReply(run.message_id, userMessage), {
    runId: run.run_id,
    replyId: run.reply_id,
    approvals: run.questions ?? [],
  })
}

/** Updates the reply and derives its status, unless it is stopping. */
export function updateReply(reply: ActiveReply, parts: Partial<Reply>): ActiveReply {
  const next = { ...reply, ...parts }
  if (next.status === 'stopping') return next
  const { approvals, text } = next
  return {
    ...next,
    status: approvals.length > 0 ? 'waiting' : text === '' ? 'thinking' : 'streaming',
  }
}

/** The visible text: frozen while stopping. */
export function getVisibleText(pending: PendingReply): string {
  if (pending.status === 'idle') return ''
  return pending.status === 'stopping' ? pending.visibleText : pending.text
}

/** Whether anything of the reply can be shown as a message. */
export const hasContent = ({ text, attachments }: Reply): boolean => text !== '' || attachments.length > 0

/** Adds a decision; after the last one the reply continues. */
export function withDecision(reply: ActiveReply, callId: string, approved: boolean): ActiveReply {
  const decision = approved ? 'approved' : 'denied'
  const approvals = reply.approvals.map((approval) =>
    approval.call_id === callId ? ({ ...approval, decision } as const) : approval,
  )
  return updateReply(reply, { approvals: approvals.every((approval) => approval.decision) ? [] : approvals })
}
