import { maxDocumentCharacters, maxMessagesPerRequest } from '#shared/limits.ts'
import type { ChatMessage } from './chat-message.ts'
import type { ChatRequest } from '#shared/contracts/chat.ts'
import type { KnownConnections } from '../../../lib/known-connections.ts'
import { findReadersZone } from '../../../lib/time-zone.ts'
import type { ConversationState } from './conversation-state.ts'

/** A message in a request. Files are sent by id; those of temporary chats with their extracted text. */
function toRequestMessage(
  { role, content, attachments }: ChatMessage,
  takeText?: (id: string) => string | undefined,
) {
  const files = attachments.map(({ id, name, type, size }) => {
    const extractedText = takeText?.(id)
    return { id, name, type, size, ...(extractedText !== undefined && { extractedText }) }
  })
  return { role, content, ...(files.length > 0 && { attachments: files }) }
}

/** More than the server passes to the model: the server chooses what to leave out, in groups, which keeps prompt caches valid. */
const maxTextCharacters = 2 * maxDocumentCharacters

/** Messages of a request that are not history: the new one, and the reply that it continues. */
const newestCount = 2

/** Converts a history. Extracted texts of documents are included, those of the newest messages first, until one exceeds the limit. */
function toRequestMessages(history: readonly ChatMessage[], texts: ReadonlyMap<string, string>) {
  let remaining = maxTextCharacters
  /** @returns the text of a file; undefined once the limit is reached */
  const takeText = (attachmentId: string) => {
    const text = texts.get(attachmentId)
    remaining -= text?.length ?? 0
    return remaining < 0 ? undefined : text
  }
  const newestFirst = history.toReversed().map((message) => toRequestMessage(message, takeText))
  return newestFirst.toReversed()
}

/**
 * Builds a request. The server loads the history of saved chats; that of a temporary chat is included.
 * @param message the last of the state's user messages
 * @param texts extracted texts by attachment id, used in a temporary chat only
 * @param partial the incomplete reply to continue
 * @param connections the user's connections, as hints
 */
export function buildChatRequest(
  sessionId: string,
  message: ChatMessage,
  {
    isTemporary,
    messages,
    assistant,
    chosen: { model, effort, disabledTools, projectId },
  }: ConversationState,
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
  const continuation = partial && { continues: true }
  const request = {
    sessionId,
    messageId: id,
    // the server keeps what was chosen before
    ...(model !== undefined && { model }),
    ...(effort !== undefined && { effort }),
    ...(disabledTools && { disabledTools: [...disabledTools] }),
    // Only what was chosen for a chat that began on this page. Once it is stored, the server ignores it: the chat may have been moved meanwhile.
    ...(projectId && { project_id: projectId }),
    // the server has the assistant stored, too, but would have to load the conversation first
    ...(assistant?.id !== undefined && !assistant.gone && { assistant_id: assistant.id }),
    connectedTools: connections?.connectedTools ?? [],
    ...(connections && { integrationContext: connections.integrationContext }),
    // for schedules that the reply creates
    time_zone: findReadersZone(),
    ...continuation,
  }
  if (!isTemporary)
    return { ...request, messages: [toRequestMessage(message)], ...(replaces !== undefined && { replaces }) }
  const index = messages.findLastIndex((message) => message.id === id)
  // without messages that the server has refused
  const sent = messages.slice(0, index).filter(({ unacknowledged }) => !unacknowledged)
  const earlier = sent.slice(newestCount - maxMessagesPerRequest)
  const history = [...earlier, message, ...(partial ? [partial] : [])]
  return { ...request, messages: toRequestMessages(history, texts), keep: false }
}
