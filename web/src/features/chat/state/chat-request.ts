import type { Attachment } from '#shared/contracts/files.ts'
import { maxDocumentCharacters, maxMessagesPerRequest } from '#shared/limits.ts'
import { ApiError, isRetryable } from '../../../lib/api-errors.ts'
import type { ChatApi } from '../stream/chat-api.ts'
import type { ChatMessage } from './chat-message.ts'
import type { ChatRequest } from '#shared/contracts/chat.ts'
import type { KnownConnections } from '../../../lib/known-connections.ts'
import type { ChatState } from './chat-state.ts'

/** A message of the user's, as it is before the server has heard of it. */
export function newMessage(
  sessionId: string,
  content: string,
  attachments: readonly Attachment[],
  id: string = crypto.randomUUID(),
): ChatMessage {
  const at = Date.now()
  return {
    id,
    session_id: sessionId,
    role: 'user',
    content,
    attachments: [...attachments],
    tool_calls: [],
    created_at: new Date(at).toISOString(),
    timestamp: at,
    local: true,
  }
}

/** DEC-049: a message that never arrived goes along with the next one, as one message. */
export const joinMessages = (unsent: ChatMessage, message: ChatMessage): ChatMessage => ({
  ...message,
  content: [unsent.content, message.content].filter((text) => text !== '').join('\n\n'),
  attachments: [...unsent.attachments, ...message.attachments],
  ...(unsent.replaces !== undefined && { replaces: unsent.replaces }),
})

/** One of the user's messages with another text, or for another reply; it is to replace the first. */
export function newVersion(before: ChatMessage, content: string): ChatMessage {
  // what the server never saw cannot be replaced there, but what it was to replace can
  const replaces = before.local ? before.replaces : before.id
  return {
    ...newMessage(before.session_id, content, before.attachments),
    ...(replaces !== undefined && { replaces }),
  }
}

/** A message as a request carries it; files go by their ids, and what is not kept anywhere else with its text. */
function sayingOf({ role, content, attachments }: ChatMessage, textOf?: (id: string) => string | undefined) {
  const files = attachments.map(({ id, name, type, size }) => {
    const extractedText = textOf?.(id)
    return { id, name, type, size, ...(extractedText !== undefined && { extractedText }) }
  })
  return { role, content, ...(files.length > 0 && { attachments: files }) }
}

/** The documents' text as far as it fits: the newest first, so that theirs goes along when there is too much of it. */
function withTexts(said: readonly ChatMessage[], texts: ReadonlyMap<string, string>) {
  let left = maxDocumentCharacters
  const textOf = (attachmentId: string) => {
    const text = texts.get(attachmentId)
    left -= text?.length ?? 0
    return left < 0 ? undefined : text
  }
  const newestFirst = said.toReversed().map((one) => sayingOf(one, textOf))
  return newestFirst.toReversed()
}

/**
 * CHAT-51: the server reads the rest from its own table; a chat that is not kept is in none, and goes along.
 * @param texts of documents, by attachment
 * @param partial the incomplete reply to the message, which is to go on
 * @param connections what the page knows of the user's connections (CAP-10, CAP-12)
 */
export function requestOf(
  sessionId: string,
  message: ChatMessage,
  { isSaved, messages }: ChatState,
  {
    texts,
    partial,
    connections,
  }: {
    texts: ReadonlyMap<string, string>
    partial?: ChatMessage | undefined
    connections?: KnownConnections | undefined
  },
): ChatRequest {
  const { id, replaces } = message
  const goesOn = partial && { continues: true }
  const request = {
    sessionId,
    messageId: id,
    // nothing known narrows nothing (DEC-099)
    connectedTools: connections?.connectedTools ?? [],
    ...(connections && { integrationContext: connections.integrationContext }),
    ...goesOn,
  }
  // what is in no table is replaced on this page alone
  if (isSaved)
    return { ...request, messages: [sayingOf(message)], ...(replaces !== undefined && { replaces }) }
  const at = messages.findLastIndex((one) => one.id === id)
  const before = messages.slice(0, at).slice(2 - maxMessagesPerRequest)
  const said = [...before, message, ...(partial ? [partial] : [])]
  return { ...request, messages: withTexts(said, texts), keep: false }
}

/** @returns false when the request did not get through; the reply goes on then */
export async function requestStop(
  api: ChatApi,
  sessionId: string,
  runId: string | undefined,
): Promise<boolean> {
  try {
    await api.stop(sessionId, runId)
    return true
  } catch (error) {
    // a run that has not begun, or has ended: the start or the end of the stream settles it
    return error instanceof ApiError && !isRetryable(error)
  }
}
