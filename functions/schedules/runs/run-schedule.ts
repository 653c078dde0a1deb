import type { PauseReason } from '#shared/contracts/schedules.ts'
import { AssistantNotFound } from '../../assistants/errors.ts'
import { BudgetUsedUp, RepliesStopped, RunBudgetUsedUp, TooManyReplies } from '../../chat/errors.ts'
import { loadRequest, type SendCall, type SendMessageDeps } from '../../chat/load-request.ts'
import type { ReplyCaller } from '../../chat/reply-services.ts'
import type { ReplyDeps } from '../../chat/reply.ts'
import { startReply } from '../../chat/send-message.ts'
import type { Reservation } from '../../chat/reply-budget.ts'
import { ConversationNotFound, RunInProgress } from '../../conversations/store/errors.ts'
import type { ConversationStores } from '../../conversations/store/conversation-stores.ts'
import type { Run } from '../../conversations/store/run.ts'
import { getLapsesAtMs } from '../../conversations/store/waiting-runs.ts'
import { recoverRun } from '../../conversations/turns/recover-run.ts'
import { stopRun } from '../../conversations/turns/stop-run.ts'
import { AppError } from '../../platform/errors.ts'
import { may } from '../../platform/group-limits.ts'
import { ProjectNotFound } from '../../projects/errors.ts'
import { findEmptyFailure, findRunEnd } from './find-run-end.ts'
import { toReason, type RunEnd } from '../run-end.ts'
import { limitRun } from './limit-run.ts'
import { planRetry } from './plan-retry.ts'
import type { Principal } from './principal.ts'
import { announceOnce, type AnnounceDeps } from '../refusal.ts'
import { toSettled, toStopped, type RunOutcome, type ScheduleRepository } from '../schedule-repository.ts'
import { findRunSession, type RunMessage, type ScheduleRow } from '../schedule-row.ts'

/*
 * One run of a schedule. The order of the steps, so that the function can die between any two, and the message can come twice:
 *
 * 1. the row of the schedule says whether the run is still to be done, and whether it has begun
 * 2. everything that may refuse it is checked; nothing is written but the reservation of its tokens, which is settled, or expires
 * 3. one conditional write says that it has begun: from here on nobody begins it again
 * 4. the turn is claimed and written, by the code of the chat
 * 5. how it ended is recorded; if its model was busy before anything was written, another write says that it has not begun, and when to try again
 *
 * A second delivery, or one after a death behind step 3, only records what became of the run.
 */

export interface RunScheduleDeps {
  schedules: Pick<ScheduleRepository, 'find' | 'write' | 'change'>
  stores: ConversationStores
  loadPrincipal: (sub: string, row: ScheduleRow) => Promise<Principal | PauseReason>
  openReplyDeps: (caller: ReplyCaller) => Promise<ReplyDeps & { reservation: Reservation }>
  readKey: SendMessageDeps['readKey']
  /** ends the tasks at servers of a run that no longer waits */
  endPendingCalls: (run: Run) => Promise<void>
  announce: AnnounceDeps['announce']
  /** whether an administrator has stopped all schedules */
  isStopped: () => Promise<boolean>
  now: () => number
}

/** The invocation that runs it. */
export type Invocation = Pick<SendCall, 'requestId' | 'remainingMs' | 'log'>

/**
 * The result of a message. `later`: the run cannot begin or has not ended, and the dispatcher sends the message again; `gone`: the schedule
 * no longer expects it.
 */
export type RunResult = 'settled' | 'later' | 'gone'

/** Runs a schedule once for each of its times. @throws errors of the table and the user pool: nothing has begun, or the next delivery records it */
export async function runSchedule(
  message: RunMessage,
  invocation: Invocation,
  deps: RunScheduleDeps,
): Promise<RunResult> {
  const { schedules, stores, now } = deps
  const { sub, id, at } = message
  const row = await schedules.find(sub, id)
  if (row?.handed?.at !== at) return 'gone'
  if (row.begun?.at === at) return recordEnd(deps, message, row)
  if (await deps.isStopped()) return 'later'
  // its model was busy
  const { retries, retry_at: retryAt = 0, because, used } = row.handed
  if (now() < retryAt) return 'later'
  const skip = (because: string) => settle(deps, message, { status: 'skipped', because })
  const { paused_because: paused } = row
  if (paused === 'administrator' || (paused !== undefined && !row.handed.by_hand)) return skip('paused')

  const found = await stores.runs.find(sub, row.session_id)
  const current = found && (await recoverRun(stores, found))
  if (current?.status === 'running') return 'later'
  // its owner has gone on without the reply
  if (retries !== undefined && current?.messageId !== message.message_id)
    return settle(deps, message, { status: 'failed', because, message_id: message.message_id })
  if (current?.status === 'waiting') {
    if (current.pending.some((request) => getLapsesAtMs(request) > now())) return skip('waiting')
    const onWaitingStopped = deps.endPendingCalls
    await stopRun(stores, { sub, sessionId: row.session_id, runId: current.runId, onWaitingStopped })
  }

  const principal = await deps.loadPrincipal(sub, row)
  if (typeof principal === 'string') return pause(deps, message, principal)
  const opened = await deps.openReplyDeps({ user: principal, ...invocation })
  if (!may(opened.limits ?? {}, 'schedules')) return pause(deps, message, 'not_allowed')
  const reservation = limitRun(opened.reservation, used)
  const replyDeps = {
    ...opened,
    reservation,
    stores,
    readKey: deps.readKey,
    // a failure after which the run is tried again is none to tell of
    announce: async (reply: Parameters<NonNullable<ReplyDeps['announce']>>[0]) => {
      if (!(await findRetry(deps, message, row))) await opened.announce?.(reply)
    },
  }
  const call = toCall(row, message, principal, { ...invocation, reservation, now, models: opened.models })
  const describeBegin = () => ({ at, since: now(), session_id: row.session_id })
  try {
    const loaded = await loadRequest(call, replyDeps)
    if (loaded.turn?.request.isTemporary && !loaded.turn.state.session)
      return await settle(deps, message, { status: 'failed', because: 'not_saved' })
    // a conversation would go on with a notice; what was approved is a run with the assistant, and nobody would read the notice
    if (row.assistant_id !== undefined && loaded.assistant.stored?.gone)
      return await pause(deps, message, 'assistant_withdrawn')
    // the schedule was changed meanwhile: the message is sent again
    if (!(await schedules.write(sub, row, { begun: describeBegin() }))) return 'later'
    const outcome = await startReply(call, replyDeps, loaded)
    if (outcome.kind === 'live') await outcome.finished
  } catch (error) {
    const refused = await refuse(deps, message, error)
    if (refused) return refused
    throw error
  } finally {
    await reservation.release()
  }
  return recordEnd(deps, message, { ...row, begun: describeBegin() }, reservation.countUsed())
}

/** Builds the message that the schedule sends for its owner. */
function toCall(
  { prompt, session_id, model, effort, project_id, assistant_id, writes, id }: ScheduleRow,
  { message_id }: RunMessage,
  user: Principal,
  {
    reservation,
    now,
    models,
    ...invocation
  }: Invocation & Pick<RunScheduleDeps, 'now'> & { reservation: Reservation; models: ReplyDeps['models'] },
): SendCall {
  // what is no longer offered is replaced, as in a conversation: a request that names it is refused
  const offered = models.allowed.find((one) => one.id === model)
  const isEffortOffered = effort !== undefined && offered?.efforts?.includes(effort)
  return {
    ...invocation,
    user,
    receivedAtMs: now(),
    guard: async (admit) => (admit ? reservation.admit() : undefined),
    schedule: { id, writes: writes === 'ask' ? [] : writes },
    body: {
      messages: [{ role: 'user', content: prompt }],
      sessionId: session_id,
      messageId: message_id,
      ...(offered && { model: offered.id }),
      ...(isEffortOffered && { effort }),
      project_id,
      assistant_id,
    },
  }
}

/** Records how the run ended, once, and announces it to the owner if it did not begin. Does nothing if the row is deleted or the run is recorded. */
async function settle(
  { schedules, announce }: Pick<RunScheduleDeps, 'schedules' | 'announce'>,
  { sub, id, at }: RunMessage,
  outcome: Omit<RunOutcome, 'at'>,
  paused?: PauseReason,
): Promise<RunResult> {
  const settled = await schedules.change(sub, id, (row) =>
    row.handed?.at === at
      ? {
          ...toSettled(row, { at, ...outcome }),
          ...(paused && toStopped(row, paused)),
        }
      : undefined,
  )
  if (settled?.last_run?.at === at) await announceOnce({ schedules, announce }, sub, settled)
  return 'settled'
}

const pause = (deps: RunScheduleDeps, message: RunMessage, reason: PauseReason) =>
  settle(deps, message, { status: 'skipped', because: reason }, reason)

/** A run that has begun claims its turn within this time; later it counts as broken off. */
const beginsWithinMs = 120_000

/** Finds when a run is tried again that has begun and done nothing. @returns undefined if it is not */
async function findRetry(
  { stores, now }: Pick<RunScheduleDeps, 'stores' | 'now'>,
  { sub, message_id }: RunMessage,
  row: Pick<ScheduleRow, 'session_id' | 'begun' | 'handed'>,
): Promise<ScheduleRow['handed']> {
  const failure = await findEmptyFailure(stores, sub, findRunSession(row), message_id)
  return failure && row.handed && planRetry(row.handed, failure, now())
}

/**
 * Records what became of a run that has begun; one that is tried again has not begun.
 * @param used the tokens of all attempts; undefined if they are not known
 */
async function recordEnd(
  deps: RunScheduleDeps,
  message: RunMessage,
  row: Pick<ScheduleRow, 'session_id' | 'begun' | 'handed'>,
  used?: number,
): Promise<RunResult> {
  const { message_id } = message
  const { begun } = row
  const end: RunEnd | undefined = await findRunEnd(deps.stores, message.sub, findRunSession(row), message_id)
  if (end === 'running') return 'later'
  const retry = end?.status === 'failed' ? await findRetry(deps, message, row) : undefined
  if (retry) {
    await deps.schedules.change(message.sub, message.id, ({ handed, begun: since }) =>
      handed?.at === message.at && since?.at === message.at
        ? {
            handed: {
              ...retry,
              since: handed.since,
              ...(handed.sends && { sends: handed.sends }),
              ...(used && { used }),
            },
            begun: undefined,
          }
        : undefined,
    )
    return 'later'
  }
  if (end) return settle(deps, message, { ...end, message_id })
  const isOnItsWay = begun !== undefined && deps.now() - begun.since < beginsWithinMs
  return isOnItsWay ? 'later' : settle(deps, message, { status: 'failed', because: 'broken_off', message_id })
}

type ErrorClass = new (...args: never[]) => AppError

/** Errors that the next delivery of the message may not meet. */
const temporaryErrors: readonly ErrorClass[] = [TooManyReplies, RepliesStopped, RunInProgress]

/** Errors that pause the schedule, because something that it needs no longer exists. */
const pauseReasons: readonly [ErrorClass, PauseReason][] = [
  [ConversationNotFound, 'conversation_deleted'],
  [ProjectNotFound, 'project_deleted'],
  [AssistantNotFound, 'assistant_withdrawn'],
]

/** Settles a run that was refused before its turn was claimed. @returns undefined for other errors */
async function refuse(
  deps: RunScheduleDeps,
  message: RunMessage,
  error: unknown,
): Promise<RunResult | undefined> {
  const { sub, id, at } = message
  if (!(error instanceof AppError)) return undefined
  if (temporaryErrors.some((Class) => error instanceof Class)) {
    // nothing of it was written: it may begin
    await deps.schedules.change(sub, id, ({ begun }) => (begun?.at === at ? { begun: undefined } : undefined))
    return 'later'
  }
  const reason = pauseReasons.find(([Class]) => error instanceof Class)?.[1]
  if (reason) return pause(deps, message, reason)
  // the next run may have tokens again
  if (error instanceof BudgetUsedUp && !(error instanceof RunBudgetUsedUp))
    return settle(deps, message, { status: 'skipped', because: toReason(error.sentence) })
  // what the service itself could not do may succeed later
  return error.status >= 500
    ? undefined
    : settle(deps, message, { status: 'failed', because: toReason(error.sentence) })
}
