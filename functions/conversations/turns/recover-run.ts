import { foldReply } from '#shared/reply/fold-reply.ts'
import { emptyReply } from '#shared/reply/reply-state.ts'
import { ConversationNotFound, RunOwnershipLost } from '../store/errors.ts'
import type { ConversationStores } from '../store/conversation-stores.ts'
import { finishRun } from './finish-run.ts'
import { isLost } from '../store/liveness.ts'
import { toEvent } from '../store/reply-log.ts'
import type { Run } from '../store/run.ts'
import { toReplyParts } from './stored-reply.ts'

/** Of a call without an outcome: it may have been executed; one that was being written was not. */
const interruptedCallText = 'Interrupted before it answered. It may have been done.'

/** @returns false if the run has changed since */
async function ignoreOwnershipLost(ending: Promise<unknown>): Promise<boolean> {
  try {
    await ending
    return true
  } catch (error) {
    if (error instanceof RunOwnershipLost || error instanceof ConversationNotFound) return false
    throw error
  }
}

/**
 * Ends a run that lost its writer; any reader may call it. It marks the run as interrupted, which fences out the writer, and stores the
 * reply from the checkpoints: stopped if the user had requested that, interrupted otherwise. A run that is already interrupted is
 * checked again, in case an earlier recovery broke off. A temporary run cannot be recovered: its item and its files are deleted.
 * @param run as read
 * @returns the current state of the run
 */
export async function recoverRun(stores: ConversationStores, run: Run): Promise<Run | undefined> {
  const { runs, logs } = stores
  const hasLostWriter = isLost(run, Date.now())
  if (!hasLostWriter && run.status !== 'interrupted') return run
  const status = run.stopRequestedAtMs === undefined ? 'interrupted' : 'stopped'
  if (!run.isSaved) {
    await ignoreOwnershipLost(
      finishRun(stores, run, { ...toReplyParts(emptyReply), status, hasCheckpoints: false }),
    )
    return runs.find(run.sub, run.sessionId)
  }
  if (hasLostWriter && !(await runs.interrupt(run))) return runs.find(run.sub, run.sessionId)

  const parts = await logs.read(run, 0)
  // already recovered
  if (!hasLostWriter && parts.length === 0 && status === 'interrupted') return run
  const written = parts.reduce((reply, part) => foldReply(reply, toEvent(part, part.from)), emptyReply)
  const reply = toReplyParts(written, interruptedCallText)
  // the usage of the reply that this run continued is counted already
  const earlier = await stores.messages.findEarlierReply(run.sub, run.sessionId, run)
  const earlierUsage = earlier?.id === run.replyId ? earlier.usage : undefined
  const isEnded = await ignoreOwnershipLost(
    finishRun(
      stores,
      run,
      { ...reply, content: reply.content.trim(), earlierUsage, status, hasCheckpoints: true },
      'recovery',
    ),
  )
  return isEnded ? { ...run, status } : runs.find(run.sub, run.sessionId)
}
