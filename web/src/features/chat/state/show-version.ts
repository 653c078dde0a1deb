import type { QueryClient } from '@tanstack/react-query'
import { callApi } from '../../../lib/call-api.ts'
import { cacheSessionRead } from './cache-session-read.ts'

/**
 * Switches a stored conversation to another branch, on the server and in the query cache.
 * @param messageId a message of any branch
 * @param version the number of its version, from 1; by default the branch of the message is shown
 * @throws what `callApi` throws: 404 `message_not_found`, `version_not_found`; 409 `run_in_progress` while a reply is pending
 */
export async function showVersion(
  queryClient: QueryClient,
  { sessionId, messageId, version }: { sessionId: string; messageId: string; version?: number },
): Promise<void> {
  const response = await callApi('sessions.showVersion', {
    params: { sessionId },
    body: { message_id: messageId, version },
  })
  await cacheSessionRead(queryClient, response)
}
