import { wait } from '../../platform/clock.ts'
import { retriedWrites } from '../../platform/dynamodb/retried-writes.ts'
import { streamHeartbeatMs } from '#shared/limits.ts'
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
  // reads are repeated as writes are: a brief failure of the table must not end the stream
  const { persist } = retriedWrites()
  for (;;) {
    // a reader may be ahead of the last checkpoint, which is where the next one begins
    const from = readTo
    const read = await persist(() => stores.logs.read(run, from))
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
      // a hint for the writer: without it there are fewer checkpoints
      await stores.runs.setWatchedUntil(run, watchedUntilMs).catch(() => undefined)
    }
    await wait(pollMs)
    current = await persist(() => loadRun(stores, run))
  }
  const ended = current
  if (ended) {
    const messages = await persist(() => loadTurnMessages(stores, ended))
    yield* streamFinished(buildEndedEvents(ended, messages, sent), sent)
  } else yield endFrame
}
