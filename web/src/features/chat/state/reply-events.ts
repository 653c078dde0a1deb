import type { ChatEvent } from '#shared/chat-events.ts'
import type { Message, RunView } from '#shared/contracts/sessions.ts'
import { stoppedLine } from '#shared/message-content.ts'
import { failureFromStream } from './chat-failure.ts'
import { shown, type ChatMessage } from './chat-message.ts'
import { finish, withLocal, type Chat, type ShownError } from './chat.ts'
import { activeReply, awaitReply, hasContent, withParts, type ActiveReply } from './pending-reply.ts'
import { isOpen } from './stored-conversation.ts'
import { toolsAfter, toolsToShow } from '../tools/live-tool-calls.ts'

/**
 * What follows from an event of a reply's stream.
 * @param at milliseconds since 1970
 */
export function afterEvent(chat: Chat, event: ChatEvent, at: number): Chat {
  const { stored } = chat
  if (event.type === 'data-session')
    return stored ? { ...chat, stored: { ...stored, title: event.data.title } } : chat
  // DEC-009: whatever follows a finished reply is late, and ignored
  const reply = activeReply(chat.local.pending)
  if (!reply) return chat
  switch (event.type) {
    case 'start': {
      // the setting may have been changed elsewhere: the server decides
      const { kept = true } = event.messageMetadata
      return withLocal(chat, { pending: replyAfter(reply, event), isSaved: kept })
    }
    case 'data-reply': {
      const { messages, run } = event.data
      return isOpen(run) ? chat : finish(chat, reply, messages.map(shown))
    }
    case 'abort':
      return stopReply(chat, at)
    case 'error':
      return failReply(chat, errorOf(reply, event.errorText, at))
    case 'finish': {
      // only the stream has ended
      if (reply.questions.length > 0) return chat
      const { success, content, error, toolCalls, attachments } = event.messageMetadata
      if (!success && error !== null) return failReply(chat, errorOf(reply, error, at))
      const text = content || reply.text
      const made = attachments && attachments.length > 0 ? attachments : reply.attachments
      if (text === '' && made.length === 0) return finish(chat, reply, [])
      const message = replyMessage(reply, { content: text, at, ended: reply.ended })
      return finish(chat, reply, [{ ...message, tool_calls: toolCalls, attachments: [...made] }])
    }
    default: {
      const pending = replyAfter(reply, event)
      return pending === reply ? chat : withLocal(chat, { pending })
    }
  }
}

/** The user has stopped it: what was written stays, and a line says so. @param at milliseconds since 1970 */
export function stopReply(chat: Chat, at: number): Chat {
  const reply = activeReply(chat.local.pending)
  if (!reply) return chat
  const id = `${reply.replyId ?? reply.messageId}-stopped`
  const line = { ...replyMessage(reply, { content: stoppedLine, at, ended: undefined }), id }
  if (!hasContent(reply)) return finish(chat, reply, [line])
  const partial = replyMessage(reply, { content: reply.text, at, ended: 'stopped' })
  return finish(chat, reply, [partial, { ...line, attachments: [], tool_calls: [] }])
}

/** What was written stays, and can be tried again. */
export function failReply(chat: Chat, error: ShownError): Chat {
  const reply = activeReply(chat.local.pending)
  if (!reply) return withLocal(chat, { error })
  const { at } = error
  // a reply that was to go on and never began stands as it was
  const isNew = hasContent(reply) && (reply.runId !== undefined || reply.ended !== 'incomplete')
  if (error.kind === 'unsaved' && isNew) {
    const message = replyMessage(reply, { content: reply.text, at, ended: reply.ended })
    return finish(chat, reply, [{ ...message, unsaved: true }])
  }
  const message = replyMessage(reply, { content: reply.text, at, ended: reply.ended ?? 'failed' })
  return withLocal(finish(chat, reply, isNew ? [message] : []), { error })
}

const errorOf = (reply: ActiveReply, sentence: string, at: number): ShownError => ({
  ...failureFromStream(sentence),
  id: `${reply.messageId}-${at}`,
  at,
})

/** What an event that is not the end of a reply adds to it. */
function replyAfter(reply: ActiveReply, event: ChatEvent): ActiveReply {
  switch (event.type) {
    case 'start': {
      const { messageId, message } = reply
      const begun = {
        ...awaitReply(messageId, message && withoutLocal(message)),
        runId: event.messageMetadata.runId ?? reply.runId,
        replyId: event.messageId,
        questions: reply.questions,
      }
      return reply.status === 'stopping'
        ? { ...begun, status: 'stopping', shownText: '' }
        : withParts(begun, {})
    }
    case 'text-delta':
      return withParts(reply, { text: reply.text + event.delta })
    case 'data-attachment':
      return withParts(reply, { attachments: [...reply.attachments, event.data] })
    case 'data-notice':
      return withParts(reply, { notices: [...reply.notices, event.data] })
    case 'tool-input-available':
      return withParts(reply, { tools: toolsAfter(reply.tools, event) })
    case 'tool-output-available':
    case 'tool-output-error':
    case 'tool-output-denied':
      return withParts(reply, {
        tools: toolsAfter(reply.tools, event),
        // whoever answered it
        questions: reply.questions.filter(({ call_id }) => call_id !== event.toolCallId),
      })
    case 'data-run':
      return withParts(reply, {
        ended: endedOf(event.data),
        runId: event.data.run_id,
        questions: event.data.questions ?? [],
      })
    default:
      return reply
  }
}

/** The server has heard of it. */
function withoutLocal(message: ChatMessage): ChatMessage {
  if (!message.local) return message
  const { local: _local, ...known } = message
  return known
}

function endedOf({ status }: RunView): Message['ended'] {
  return status === 'incomplete' || status === 'interrupted' || status === 'failed' || status === 'stopped'
    ? status
    : undefined
}

/**
 * The message that a reply becomes.
 * @param at milliseconds since 1970
 */
function replyMessage(
  reply: ActiveReply,
  { content, at, ended }: { content: string; at: number; ended: Message['ended'] },
): ChatMessage {
  return {
    id: reply.replyId ?? `${reply.messageId}-reply`,
    session_id: '',
    role: 'assistant',
    content,
    attachments: [...reply.attachments],
    tool_calls: toolsToShow(reply.tools),
    created_at: new Date(at).toISOString(),
    timestamp: at,
    ...(ended && { ended }),
    ...(reply.notices.length > 0 && { notices: [...reply.notices] }),
  }
}
