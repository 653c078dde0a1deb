import type { ConversationStores } from './conversation-stores.ts'
import type { Run } from './run.ts'

/**
 * Claims a conversation whose messages are stored without a run: a finished one says which turn is the newest, and which are shown.
 * @param previous its run as it was read, one that has ended; undefined if it has none
 * @throws RunChanged if it has another run
 */
export async function claimFinishedRun(
  { runs }: Pick<ConversationStores, 'runs'>,
  run: Pick<Run, 'sub' | 'sessionId' | 'runId' | 'turn' | 'messageId' | 'replyId' | 'branches'>,
  previous?: Run,
): Promise<void> {
  const nowMs = Date.now()
  const finished: Run = {
    ...run,
    epoch: (previous?.epoch ?? 0) + 1,
    status: 'done',
    isSaved: true,
    startedAtMs: nowMs,
    heartbeatAtMs: nowMs,
    fileIds: [],
    watchedUntilMs: 0,
    pending: [],
  }
  await runs.claim(finished, previous)
}
