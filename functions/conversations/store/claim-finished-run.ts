import type { ConversationStores } from './conversation-stores.ts'
import type { Run } from './run.ts'

/**
 * Claims a conversation whose messages were stored without a run: a finished one says which turn is the newest, and which are shown.
 * @throws RunChanged if it has a run
 */
export async function claimFinishedRun(
  { runs }: Pick<ConversationStores, 'runs'>,
  run: Pick<Run, 'sub' | 'sessionId' | 'runId' | 'turn' | 'messageId' | 'replyId' | 'branches'>,
): Promise<void> {
  const nowMs = Date.now()
  const finished: Run = {
    ...run,
    epoch: 1,
    status: 'done',
    isSaved: true,
    startedAtMs: nowMs,
    heartbeatAtMs: nowMs,
    fileIds: [],
    watchedUntilMs: 0,
    pending: [],
  }
  await runs.claim(finished, undefined)
}
