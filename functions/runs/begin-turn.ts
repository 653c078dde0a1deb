import { isRealContent } from '#shared/message-content.ts'
import { retriedWrites } from '../platform/dynamodb/retried-writes.ts'
import type { Stores } from '../conversations/stores.ts'
import { RunLost } from './errors.ts'
import type { NewTurn } from './plan-turn.ts'
import type { Run } from './run.ts'

/** A turn that has its run, and whose message is stored. */
export interface BegunTurn extends Omit<NewTurn, 'kind'> {
  kind: 'started'
  /** how many messages of real content the turn gained by the message; undefined when that is not known */
  gained: number | undefined
}

/** As many writers may meet in one turn. */
const mostWriters = 8

/**
 * Claims the conversation for the turn's run, and stores the message. The first message of a turn is written beside the claim: who does not
 * get the claim takes it back, and who gets it writes over what the others have stored. An earlier try at the message has left
 * rows in the turn: there the claim comes first. Of a chat that is not kept only the run is claimed.
 * @throws RunChanged when somebody else was faster, RunLost, what the table threw
 */
export async function beginTurn(stores: Stores, plan: NewTurn): Promise<BegunTurn> {
  if (plan.run.kept && plan.isNew) return claimAndAdd(stores, plan)
  const run = await stores.runs.claim(plan.run, plan.seen)
  const begun = { ...plan, kind: 'started' as const, run }
  try {
    if (run.kept) {
      const gained = await stores.messages.put(run.sub, plan.message, run.startedAtMs)
      return { ...begun, gained }
    }
    await stores.files.expire(run.sub, run.fileIds)
    return { ...begun, gained: 0 }
  } catch (error) {
    await abandon(stores, begun)
    throw error
  }
}

async function claimAndAdd(stores: Stores, plan: NewTurn): Promise<BegunTurn> {
  const { runs, messages } = stores
  const { sub, runId } = plan.run
  const { message } = plan
  const [claim, addition] = await Promise.allSettled([
    runs.claim(plan.run, plan.seen),
    messages.add(sub, message, plan.run),
  ])
  if (claim.status === 'rejected') {
    // a write that failed may have been done all the same
    if (addition.status === 'rejected' || addition.value)
      await retriedWrites().persist(() => messages.takeBackAdded(sub, message, runId))
    throw claim.reason
  }
  const begun = { ...plan, kind: 'started' as const, run: claim.value }
  try {
    if (addition.status === 'rejected') throw addition.reason
    if (!addition.value) await replaceUnclaimed(stores, begun.run, plan)
  } catch (error) {
    await abandon(stores, begun)
    throw error
  }
  return { ...begun, gained: Number(isRealContent(message.content)) }
}

/** Stores the message where writers without the claim have stored theirs. @throws RunLost when the claim is lost by now */
async function replaceUnclaimed(
  { runs, messages }: Pick<Stores, 'runs' | 'messages'>,
  run: Run,
  { message }: Pick<NewTurn, 'message'>,
): Promise<void> {
  for (let attempt = 1; attempt <= mostWriters; attempt += 1) {
    const writer = await messages.findWriter(run.sub, message)
    const now = await runs.find(run.sub, run.sessionId)
    if (now?.runId !== run.runId) break
    if (await messages.add(run.sub, message, run, writer)) return
  }
  throw new RunLost(`run ${run.runId} could not store its message`)
}

/** Nobody writes the reply any more: the same message may be sent again at once. */
const abandon = ({ runs }: Pick<Stores, 'runs'>, { run, partial }: Pick<BegunTurn, 'run' | 'partial'>) =>
  runs.end(run, partial ? 'incomplete' : 'failed').catch(() => undefined)
