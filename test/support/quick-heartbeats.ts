import { setTimeout as sleep } from 'node:timers/promises'
import type { ConversationStores } from '../../functions/conversations/store/conversation-stores.ts'

/**
 * Writes frequent heartbeats of a conversation's run until a promise is settled. The real writer does so every few seconds; code that
 * waits for the next one continues at once.
 */
export async function withQuickHeartbeats<Result>(
  { runs }: Pick<ConversationStores, 'runs'>,
  { sub, sessionId }: { sub: string; sessionId: string },
  waiting: Promise<Result>,
): Promise<Result> {
  let isSettled = false
  const settle = () => {
    isSettled = true
  }
  waiting.then(settle, settle)
  for (let atMs = Date.now(); !isSettled; atMs += 1) {
    const run = await runs.find(sub, sessionId)
    if (run?.status === 'running') await runs.heartbeat(run, Math.max(atMs, run.heartbeatAtMs + 1))
    await sleep(20)
  }
  return waiting
}
