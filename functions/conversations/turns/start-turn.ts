import { countsAsMessage } from '#shared/message-content.ts'
import { retriedWrites } from '../../platform/dynamodb/retried-writes.ts'
import { AppError } from '../../platform/errors.ts'
import { ConversationNotCreated, RunChanged, RunInProgress, RunOwnershipLost } from '../store/errors.ts'
import type { ConversationStores } from '../store/conversation-stores.ts'
import { loadTurn, repairTurn, type TurnState, type TurnRequest } from './load-turn.ts'
import { planTurn, type NewTurn, type TurnPlan } from './plan-turn.ts'
import { isActive, type Run } from '../store/run.ts'
import { waitForRun } from './wait-for-run.ts'

/** What a message has led to: a run of its own, the one it already had, or the reply it already got. */
export type TurnOutcome = StartedTurn | Extract<TurnPlan, { kind: 'running' | 'ended' }>

/** Attempts when requests collide. */
const maxAttempts = 3

/**
 * Adds a message to its conversation. When this resolves with `started`, the run is claimed and the message is stored; `publishTurn`
 * updates the conversation's row beside the model request.
 * @param initial the conversation as it was just read
 * @throws RunInProgress while another message is being answered (after a wait for a heartbeat of its run), ConversationNotFound for a deleted
 *   conversation, ConversationNotCreated when its first message could not be stored
 */
export async function startTurn(
  stores: ConversationStores,
  request: TurnRequest,
  initial: TurnState,
): Promise<TurnOutcome> {
  let state = initial
  for (let attempt = 1; ; attempt += 1) {
    state = await repairTurn(stores, request, state)
    const plan = planTurn(state, request, Date.now())
    if (plan.kind === 'running' || plan.kind === 'ended') return plan
    if (plan.kind === 'busy') {
      const current = await waitForRun(stores, plan.run)
      if (attempt >= maxAttempts || (current && isActive(current)))
        throw new RunInProgress(`run ${plan.run.runId} is ${current?.status}`)
    } else {
      try {
        return await claimTurn(stores, plan)
      } catch (error) {
        if (!(error instanceof RunChanged && attempt < maxAttempts))
          throw toStorageError(state, request, error)
      }
    }
    state = await loadTurn(stores, request)
  }
}

/** The error for the user when the message could not be stored. */
const toStorageError = ({ session }: TurnState, { sessionId }: TurnRequest, error: unknown) =>
  error instanceof AppError || session
    ? error
    : new ConversationNotCreated(`conversation ${sessionId}`, { cause: error })

/** A turn that has its run, and whose message is stored. */
export interface StartedTurn extends Omit<NewTurn, 'kind'> {
  kind: 'started'
  /** by how much the message changes the conversation's count of messages; undefined when that is not known */
  addedMessages: number | undefined
}

/** How many writers may collide in one turn. */
const maxWriters = 8

/**
 * Claims the conversation for the turn's run, and stores the message. In a new turn both writes run in parallel: a writer that loses the
 * claim deletes its message, and the winner overwrites the messages of losers. If an earlier attempt left rows in the turn, the claim
 * comes first. A temporary chat stores only the run.
 * @throws RunChanged when another request was faster, RunOwnershipLost, errors of the table
 */
async function claimTurn(stores: ConversationStores, plan: NewTurn): Promise<StartedTurn> {
  if (plan.run.isSaved && plan.isNew) return claimAndAdd(stores, plan)
  // before the claim: a crash after it leaves no text that was replaced by nothing among the turns
  if (plan.droppedAttempt) await stores.messages.deleteAttempt(plan.droppedAttempt)
  const run = await stores.runs.claim(plan.run, plan.previousRun)
  const started = { ...plan, kind: 'started' as const, run }
  try {
    if (run.isSaved) {
      const added = await stores.messages.put(run.sub, plan.message, run.startedAtMs)
      const unusedIds = plan.droppedAttempt?.fileIds.filter((id) => !run.fileIds.includes(id))
      await stores.files.deleteConversationFiles(run.sub, [run.sessionId], new Set(unusedIds))
      return { ...started, addedMessages: run.replaces ? 0 : added }
    }
    await stores.files.setExpiry(run.sub, run.fileIds)
    return { ...started, addedMessages: 0 }
  } catch (error) {
    await abandon(stores, started)
    throw error
  }
}

async function claimAndAdd(stores: ConversationStores, plan: NewTurn): Promise<StartedTurn> {
  const { runs, messages } = stores
  const { sub, runId } = plan.run
  const { message } = plan
  const [claim, addition] = await Promise.allSettled([
    runs.claim(plan.run, plan.previousRun),
    messages.add(sub, message, plan.run),
  ])
  if (claim.status === 'rejected') {
    // a write that failed may have been done anyway
    if (addition.status === 'rejected' || addition.value)
      await retriedWrites().persist(() => messages.deleteUnclaimed(sub, message, runId))
    throw claim.reason
  }
  const started = { ...plan, kind: 'started' as const, run: claim.value }
  try {
    if (addition.status === 'rejected') throw addition.reason
    if (!addition.value) await replaceUnclaimed(stores, started.run, plan)
  } catch (error) {
    await abandon(stores, started)
    throw error
  }
  // one that replaces another is counted with its reply
  return { ...started, addedMessages: plan.run.replaces ? 0 : Number(countsAsMessage(message.content)) }
}

/** Stores the message where writers without the claim have stored theirs. @throws RunOwnershipLost when the claim is lost by now */
async function replaceUnclaimed(
  { runs, messages }: Pick<ConversationStores, 'runs' | 'messages'>,
  run: Run,
  { message }: Pick<NewTurn, 'message'>,
): Promise<void> {
  for (let attempt = 1; attempt <= maxWriters; attempt += 1) {
    const otherRunId = await messages.findRunId(run.sub, message)
    const current = await runs.find(run.sub, run.sessionId)
    if (current?.runId !== run.runId) break
    if (await messages.add(run.sub, message, run, otherRunId)) return
  }
  throw new RunOwnershipLost(`run ${run.runId} could not store its message`)
}

/** Ends a run whose reply cannot begin, so that the same message can be sent again at once. Of a temporary one nothing stays. */
export const abandon = (
  { runs }: Pick<ConversationStores, 'runs'>,
  { run, partialReply }: Pick<StartedTurn, 'run' | 'partialReply'>,
): Promise<unknown> =>
  (run.isSaved ? runs.end(run, partialReply ? 'incomplete' : 'failed') : runs.deleteTemporary(run)).catch(
    () => undefined,
  )
