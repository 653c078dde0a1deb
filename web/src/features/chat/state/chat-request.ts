import type { Attachment } from '#shared/contracts/files.ts'
import { maxDocumentCharacters, maxMessagesPerRequest } from '#shared/limits.ts'
import { ApiError, isRetryable } from '../../../lib/api-errors.ts'
import type { ChatApi } from '../stream/chat-api.ts'
import type { ChatMessage } from './chat-message.ts'
import type { ChatRequest, DisabledTool } from '#shared/contracts/chat.ts'
import type { KnownConnections } from '../../../lib/known-connections.ts'
import type { ChatState } from './chat-state.ts'
import type { ModelChoice } from './conversation.ts'

/** Creates a user message that the server has not acknowledged. */
export function newMessage(
  sessionId: string,
  content: string,
  attachments: readonly Attachment[],
  id: string = crypto.randomUUID(),
): ChatMessage {
  const timestamp = Date.now()
  return {
    id,
    session_id: sessionId,
    role: 'user',
    content,
    attachments: [...attachments],
    tool_calls: [],
    created_at: new Date(timestamp).toISOString(),
    timestamp,
    unacknowledged: true,
  }
}

/** Joins an unacknowledged message with the next one. */
export const joinMessages = (previous: ChatMessage, message: ChatMessage): ChatMessage => ({
  ...message,
  content: [previous.content, message.content].filter((text) => text !== '').join('\n\n'),
  attachments: [...previous.attachments, ...message.attachments],
  ...(previous.replaces !== undefined && { replaces: previous.replaces }),
})

/** Creates a new version of a user message, with another text or for another reply. */
export function newVersion(original: ChatMessage, content: string): ChatMessage {
  // the server does not know an unacknowledged message: the new version replaces what that one was to replace
  const replaces = original.unacknowledged ? original.replaces : original.id
  return {
    ...newMessage(original.session_id, content, original.attachments),
    ...(replaces !== undefined && { replaces }),
  }
}

/** A message in a request. Files are sent by id; those of temporary chats with their extracted text. */
function toRequestMessage(
  { role, content, attachments }: ChatMessage,
  getText?: (id: string) => string | undefined,
) {
  const files = attachments.map(({ id, name, type, size }) => {
    const extractedText = getText?.(id)
    return { id, name, type, size, ...(extractedText !== undefined && { extractedText }) }
  })
  return { role, content, ...(files.length > 0 && { attachments: files }) }
}

/** More than the server passes to the model, so that the server chooses what is left out (in groups, which keeps prompt caches valid). */
const maxTextCharacters = 2 * maxDocumentCharacters

/** Includes the texts of documents up to the limit, newest first. */
function toRequestMessages(history: readonly ChatMessage[], texts: ReadonlyMap<string, string>) {
  let remaining = maxTextCharacters
  const getText = (attachmentId: string) => {
    const text = texts.get(attachmentId)
    remaining -= text?.length ?? 0
    return remaining < 0 ? undefined : text
  }
  const newestFirst = history.toReversed().map((message) => toRequestMessage(message, getText))
  return newestFirst.toReversed()
}

/**
 * Builds a request. The server loads the history of saved chats; that of a temporary chat is included.
 * @param texts extracted texts by attachment id
 * @param partial the incomplete reply to continue
 * @param connections the user's connections, as hints
 * @param disabledTools what the reply may not use, if the user chose here
 * @param modelChoice the model, if the user chose one here; the conversation's last one is known to the server
 */
export function buildChatRequest(
  sessionId: string,
  message: ChatMessage,
  { isTemporary, messages }: ChatState,
  {
    texts,
    partial,
    connections,
    modelChoice,
    disabledTools,
  }: {
    texts: ReadonlyMap<string, string>
    partial?: ChatMessage | undefined
    connections?: KnownConnections | undefined
    modelChoice?: ModelChoice | undefined
    disabledTools?: readonly DisabledTool[] | undefined
  },
): ChatRequest {
  const { id, replaces } = message
  const continuation = partial && { continues: true }
  const request = {
    sessionId,
    messageId: id,
    ...modelChoice,
    ...(disabledTools && { disabledTools: [...disabledTools] }),
    connectedTools: connections?.connectedTools ?? [],
    ...(connections && { integrationContext: connections.integrationContext }),
    ...continuation,
  }
  if (!isTemporary)
    return { ...request, messages: [toRequestMessage(message)], ...(replaces !== undefined && { replaces }) }
  const index = messages.findLastIndex((message) => message.id === id)
  const earlier = messages.slice(0, index).slice(2 - maxMessagesPerRequest)
  const history = [...earlier, message, ...(partial ? [partial] : [])]
  return { ...request, messages: toRequestMessages(history, texts), keep: false }
}

/** @returns false when the request failed; the reply continues then */
export async function requestStop(
  api: ChatApi,
  sessionId: string,
  runId: string | undefined,
): Promise<boolean> {
  try {
    await api.stop(sessionId, runId)
    return true
  } catch (error) {
    // the run has not started or has ended: the stream will report it
    return error instanceof ApiError && !isRetryable(error)
  }
}
