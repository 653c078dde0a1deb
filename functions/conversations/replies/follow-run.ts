import { setTimeout as sleep } from 'node:timers/promises'
import { streamHeartbeatMs } from '#shared/limits.ts'
import { RunOwnershipLost } from '../store/errors.ts'
import { sliceFrom } from '../store/reply-log.ts'
import { isActive, toRunView, type Run } from '../store/run.ts'
import { recoverRun } from '../turns/recover-run.ts'
import type { ConversationStores } from '../store/conversation-stores.ts'
import { buildEndedEvents } from './ended-events.ts'
import { endFrame, streamFinished, formatPart, heartbeatFrame } from './event-stream.ts'

const pollMs = 500
/** How long the writer of a run counts a reader as following it. */
const watchMs = 20_000

/** The stored messages of a run's turn, with links to their files. */
export const loadTurnMessages = async (
  { messages, files }: ConversationStores,
  { sub, sessionId, turn }: Run,
) => files.addLinks(sub, await messages.loadTurn(sub, sessionId, turn))

/**
 * Loads the current state of a run, and recovers it if it lost its function.
 * @returns undefined when another run has taken its place
 */
export async function loadRun(stores: ConversationStores, run: Run): Promise<Run | undefined> {
  const found = await stores.runs.find(run.sub, run.sessionId)
  return found?.runId === run.runId ? recoverRun(stores, found) : undefined
}

/**
 * Follows a run that another invocation writes: what its checkpoints hold after a position, and what is added meanwhile.
 * Ends without `[DONE]` when the time is over: the reader reconnects.
 * @param after the last position the reader has seen
 */
export async function* followRun(
  stores: ConversationStores,
  { run, after, isTimeUp }: { run: Run; after: number; isTimeUp: () => boolean },
): AsyncGenerator<string> {
  let sent = after
  let readTo = 0
  let quietSinceMs = Date.now()
  let watchedUntilMs = 0
  let current: Run | undefined = run
  for (;;) {
    // a reader may be ahead of the last checkpoint, which is where the next one begins
    const read = await stores.logs.read(run, readTo)
    readTo = read.at(-1)?.to ?? readTo
    const parts = read.filter(({ to }) => to > sent)
    const last = parts.at(-1)
    if (last) {
      yield parts.map((part) => formatPart(sliceFrom(part, sent))).join('')
      sent = last.to
      quietSinceMs = Date.now()
    }
    if (!current || !isActive(current)) break
    if (current.status === 'waiting') {
      yield* streamFinished([{ type: 'data-run', data: toRunView(current) }], sent)
      return
    }
    if (isTimeUp()) return
    if (Date.now() - quietSinceMs >= streamHeartbeatMs) {
      quietSinceMs = Date.now()
      yield heartbeatFrame
    }
    if (Date.now() > watchedUntilMs - pollMs) {
      watchedUntilMs = Date.now() + watchMs
      await stores.runs.setWatchedUntil(run, watchedUntilMs).catch((error: unknown) => {
        if (!(error instanceof RunOwnershipLost)) throw error
      })
    }
    await sleep(pollMs)
    current = await loadRun(stores, run)
  }
  if (current)
    yield* streamFinished(buildEndedEvents(current, await loadTurnMessages(stores, current), sent), sent)
  else yield endFrame
}
