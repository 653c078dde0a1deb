import type { ChatEvent } from '#shared/chat-events.ts'
import type { Message, RunView } from '#shared/contracts/sessions.ts'
import { failureFromStream } from './chat-failure.ts'
import { shown, type ChatMessage } from './chat-message.ts'
import { fail, stop } from './chat-reducer.ts'
import { finish, withLocal, type Chat, type ShownError } from './chat.ts'
import { activeReply, awaitReply, replyMessage, withParts, type ActiveReply } from './pending-reply.ts'
import { isOpen } from './stored-conversation.ts'
import { toolsAfter } from './tools/running-tools.ts'

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
      return withLocal(chat, { pending: replyAfter(reply, event), kept })
    }
    case 'data-reply': {
      const { messages, run } = event.data
      return isOpen(run) ? chat : finish(chat, reply, messages.map(shown))
    }
    case 'abort':
      return stop(chat, reply, at)
    case 'error':
      return fail(chat, reply, errorOf(reply, event.errorText, at))
    case 'finish': {
      // only the stream has ended
      if (reply.questions.length > 0) return chat
      const { success, content, error, toolCalls, attachments } = event.messageMetadata
      if (!success && error !== null) return fail(chat, reply, errorOf(reply, error, at))
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
