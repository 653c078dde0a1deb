import type { ReplyNotice } from '#shared/contracts/chat.ts'
import type { Attachment } from '#shared/contracts/files.ts'
import type { Message, ApprovalRequest, RunView } from '#shared/contracts/sessions.ts'
import type { ChatMessage } from './chat-message.ts'
import type { ShownTool } from '../tools/live-tool-calls.ts'

interface DocumentProgress {
  /** of the document that is read */
  name: string
  done: number
  total: number
}

/** What is known of a reply that is awaited or written. */
interface Reply {
  /** the user's message that it answers */
  messageId: string
  /** that message; undefined when it stands before what was read of the conversation */
  message: ChatMessage | undefined
  runId: string | undefined
  replyId: string | undefined
  /** everything received, what arrived after a stop included: that is what is stored */
  text: string
  ended: Message['ended']
  /** the calls of this reply so far */
  tools: readonly ShownTool[]
  /** what the reply waits for the user to answer; empty while it is written */
  questions: readonly ApprovalRequest[]
  /** what was made for this reply */
  attachments: readonly Attachment[]
  /** what the reply goes without */
  notices: readonly ReplyNotice[]
  /** false while a lost connection to the reply is looked for */
  connected: boolean
}

/** The reply that is awaited or written, and where it stands. */
export type ActiveReply = Reply &
  (
    | { status: 'reading-documents'; progress: DocumentProgress }
    | { status: 'waiting' | 'streaming' | 'asking' }
    /** what still arrives is not shown any more */
    | { status: 'stopping'; shownText: string }
  )

/** At most one reply of a conversation is pending. */
export type PendingReply = { status: 'idle' } | ActiveReply

export const idle: PendingReply = { status: 'idle' }

/** The pending reply, undefined when there is none. */
export const activeReply = (pending: PendingReply): ActiveReply | undefined =>
  pending.status === 'idle' ? undefined : pending

/** A reply that nothing is known of yet but the message that it answers. */
export function awaitReply(messageId: string, message: ChatMessage | undefined): ActiveReply {
  return {
    status: 'waiting',
    messageId,
    message,
    runId: undefined,
    replyId: undefined,
    text: '',
    ended: undefined,
    tools: [],
    questions: [],
    attachments: [],
    notices: [],
    connected: true,
  }
}

/** An incomplete reply that goes on where it stopped: what was written stays on the page. */
export function continueReply(message: ChatMessage, { id, content, attachments }: ChatMessage): ActiveReply {
  return withParts(awaitReply(message.id, message), {
    replyId: id,
    text: content,
    ended: 'incomplete',
    attachments,
  })
}

/** A reply that the server says is running, or waits for the user. */
export function resumeReply(run: RunView, message: ChatMessage | undefined): ActiveReply {
  return withParts(awaitReply(run.message_id, message), {
    runId: run.run_id,
    replyId: run.reply_id,
    questions: run.questions ?? [],
  })
}

/** The same reply with other parts; its status follows from them, unless the user has asked to stop. */
export function withParts(reply: ActiveReply, parts: Partial<Reply>): ActiveReply {
  const next = { ...reply, ...parts }
  if (next.status === 'stopping') return next
  const { questions, text } = next
  return { ...next, status: questions.length > 0 ? 'asking' : text === '' ? 'waiting' : 'streaming' }
}

/** The text to show: nothing is added to it once the user has asked to stop. */
export function textToShow(pending: PendingReply): string {
  if (pending.status === 'idle') return ''
  return pending.status === 'stopping' ? pending.shownText : pending.text
}

export const hasContent = ({ text, attachments }: Reply): boolean => text !== '' || attachments.length > 0

/** With the user's answer to one question; with the last one the reply goes on. */
export function withAnswer(reply: ActiveReply, callId: string, approved: boolean): ActiveReply {
  const decision = approved ? 'approved' : 'denied'
  const questions = reply.questions.map((question) =>
    question.call_id === callId ? ({ ...question, decision } as const) : question,
  )
  return withParts(reply, { questions: questions.every((question) => question.decision) ? [] : questions })
}
