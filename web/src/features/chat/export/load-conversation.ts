import type { Message, Session } from '#shared/contracts/messages.ts'
import { callApi } from '../../../lib/api/call-api.ts'

/** The timeout of the request for one part, which may have megabytes of text. */
const partTimeoutMs = 30_000

/** A conversation as the service exports it: the branch that is shown. */
export interface ExportedConversation extends Pick<Session, 'id' | 'title' | 'created_at'> {
  messages: readonly Message[]
}

/**
 * Loads all messages of a conversation, part by part.
 * @throws what `callApi` throws; SyntaxError if the parts do not fit together
 */
export async function loadConversation(
  sessionId: string,
  signal?: AbortSignal,
): Promise<ExportedConversation> {
  const parts: string[] = []
  for (let after: string | undefined; ;) {
    const part = await callApi(
      'sessions.export',
      { params: { sessionId }, query: { format: 'json', after } },
      { timeoutMs: partTimeoutMs, ...(signal && { signal }) },
    )
    parts.push(part.content)
    if (part.next === null) return JSON.parse(parts.join('')) as ExportedConversation
    after = part.next
  }
}
