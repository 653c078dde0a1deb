import type { Failure } from '#shared/contracts/chat.ts'
import { DeleteCommand } from '@aws-sdk/lib-dynamodb'
import { queryPages } from '../../platform/dynamodb/query.ts'
import { deleteRow, readRow } from '../../platform/dynamodb/rows.ts'
import type { Table } from '../../platform/dynamodb/table.ts'
import {
  type Change,
  getStoredRow,
  isConditionFailed,
  returnStoredRow,
  updateRow,
  wasRetried,
} from '../../platform/dynamodb/update-row.ts'
import type { Branches } from './branches.ts'
import { RunChanged, RunOwnershipLost } from './errors.ts'
import { joinClauses, isRunning, isSameRun, isSameWriter } from './run-conditions.ts'
import { run as runSchema, waitStateName, type EndedStatus, type Run } from './run.ts'
import { getStoredRun, waitingRunRepository } from './waiting-runs.ts'

type RunIds = Pick<Run, 'sub' | 'sessionId' | 'runId'>
/** A run and its writer: `epoch` tells it from the writer before it. */
type OwnedRun = RunIds & Pick<Run, 'epoch'>

const key = ({ sub, sessionId }: Pick<Run, 'sub' | 'sessionId'>) => ({
  PK: `U#${sub}`,
  SK: `RUN#${sessionId}`,
})

/** Holds if the run has not changed since it was read; needs the values of `seenValues`. */
const unchangedCondition = '#runId = :seenId AND #status = :seenStatus AND #heartbeatAtMs = :seenHeartbeat'
const seenValues = ({ runId, status, heartbeatAtMs }: Run) => ({
  seenId: runId,
  seenStatus: status,
  seenHeartbeat: heartbeatAtMs,
})

/** What not every run has. */
const optionalFields = [
  'ttl',
  'replaces',
  'requestId',
  'model',
  'effort',
  'disabledTools',
  'projectId',
  'assistant',
  'schedule',
] as const satisfies (keyof Run)[]

/** Reads and writes the run of each conversation, one item per conversation. */
export const runRepository = (table: Table) => {
  const { client, name: TableName } = table

  async function findItem(sub: string, sessionId: string): Promise<Run | undefined> {
    const row = await readRow(table, key({ sub, sessionId }))
    return row && runSchema.parse(row)
  }

  /** @returns the run, with its approval requests and its transcript while it waits */
  async function find(sub: string, sessionId: string): Promise<Run | undefined> {
    for (;;) {
      const item = await findItem(sub, sessionId)
      const found = item && (await waitingRuns.load(item))
      if (!item || found) return found
      // it was resumed between the two reads, or its rows have expired and it cannot resume
      await waitingRuns.interruptExpired(item)
    }
  }

  /**
   * One conditional write on the item.
   * @param isOurs detects our own earlier write: the SDK retries a write whose response was lost, and then the condition fails
   * @throws the given error when the condition does not hold
   */
  async function update(
    run: Pick<Run, 'sub' | 'sessionId'>,
    change: Pick<Change, 'update' | 'condition'>,
    values: Record<string, unknown>,
    toError: (cause: unknown) => Error,
    isOurs?: (current: Run) => boolean,
  ): Promise<Run> {
    try {
      const { attributes } = await updateRow(table, key(run), {
        ...change,
        ...(change.update.includes('#waitState') && { names: waitStateName }),
        values: Object.fromEntries(Object.entries(values).map(([field, value]) => [`:${field}`, value])),
        returns: 'ALL_NEW',
      })
      return runSchema.parse(attributes)
    } catch (error) {
      if (!isConditionFailed(error)) throw error
      const current = isOurs && wasRetried(error) ? getStoredRun(error) : undefined
      if (current && isOurs?.(current)) return current
      throw toError(error)
    }
  }

  const toOwnershipLost = (run: RunIds) => (cause: unknown) =>
    new RunOwnershipLost(`run ${run.runId} is gone`, { cause })

  /** Changes a run that is running. @param values with the `epoch`, if the change is its writer's @throws RunOwnershipLost */
  const updateRunning = (
    run: RunIds,
    { values, ...change }: { update: string; values: Record<string, number | undefined> },
  ): Promise<Run> =>
    update(
      run,
      {
        ...change,
        condition: joinClauses(isSameRun, isRunning, ...('epoch' in values ? [isSameWriter] : [])),
      },
      { ...values, runId: run.runId, running: 'running' },
      toOwnershipLost(run),
    )

  const waitingRuns = waitingRunRepository(table, { update, toOwnershipLost })

  return {
    find,

    /** The newest turn and which turns are shown, for callers that only read; undefined if the conversation never had a run. */
    findBranches: (
      sub: string,
      sessionId: string,
    ): Promise<
      | Pick<Run, 'turn' | 'replaces' | 'branches' | 'messageId' | 'status' | 'errorCode' | 'waitState'>
      | undefined
    > => findItem(sub, sessionId),

    /** The runs of a user that wait, each with its approval requests and transcript, one at a time. */
    async *readWaiting(sub: string): AsyncGenerator<Run> {
      for await (const page of queryPages(table, { partition: `U#${sub}`, prefix: 'RUN#' }))
        for (const item of page) {
          const run = runSchema.parse(item)
          const loaded = run.status === 'waiting' && (await waitingRuns.load(run))
          if (loaded) yield loaded
        }
    },

    /** The conversations of a user that may have a waiting run, the newest first: from its rows, and not from those of every conversation. */
    listWaitingIds: waitingRuns.listSessionIds,

    startWaiting: waitingRuns.startWaiting,
    decide: waitingRuns.decide,
    resume: waitingRuns.resume,

    /**
     * Claims the conversation for a new run.
     * @param previous the run as it was read; the claim fails if it has changed since
     * @throws RunChanged when another request was faster
     */
    async claim(next: Run, previous: Run | undefined): Promise<Run> {
      const condition = previous ? unchangedCondition : 'attribute_not_exists(#PK)'
      const {
        stopRequestedAtMs: _,
        watchedUntilMs: __,
        pending: ___,
        transcript: ____,
        ttl,
        isSaved,
        ...others
      } = next
      // `isSaved` is stored as `kept`, see run.ts
      const fields = { ...others, kept: isSaved, ...(ttl !== undefined && { ttl }) }
      // of an earlier run
      const removed = [
        'stopRequestedAtMs',
        'watchedUntilMs',
        'waitState',
        'error',
        'errorCode',
        'failedAtMs',
        ...optionalFields,
      ]
        .filter((field) => !(field in fields))
        .map((field) => `#${field}`)
      const assignments = Object.keys(fields).map((field) => `#${field} = :${field}`)
      return update(
        next,
        {
          update: `SET ${assignments.join(', ')} REMOVE ${removed.join(', ')}`,
          condition,
        },
        {
          ...fields,
          ...(previous && seenValues(previous)),
        },
        (cause) => new RunChanged('the run was claimed by another request', { cause }),
        ({ runId }) => runId === next.runId,
      )
    },

    /** Writes a heartbeat. @returns the item, with stop requests and watchers. @throws RunOwnershipLost */
    async heartbeat(run: OwnedRun, nowMs: number): Promise<Run> {
      return updateRunning(run, {
        update: 'SET #heartbeatAtMs = :now',
        values: { now: nowMs, epoch: run.epoch },
      })
    },

    /**
     * Ends a run; can be repeated.
     * @param by who ends it: `writer` while it runs or waits, `recovery` after it was marked as interrupted
     * @throws RunOwnershipLost
     */
    async end(
      run: OwnedRun & Partial<Pick<Run, 'waitState'>>,
      status: EndedStatus,
      failure?: Failure,
      by: 'writer' | 'recovery' = 'writer',
    ): Promise<Run> {
      const { error, code, params } = failure ?? {}
      const endable =
        by === 'writer' ? { running: 'running', waiting: 'waiting' } : { interrupted: 'interrupted' }
      const ended = await update(
        run,
        {
          update: `SET #status = :status${error === undefined ? '' : ', #error = :error, #failedAtMs = :failedAtMs'}${code === undefined ? '' : ', #errorCode = :errorCode'} REMOVE #stopRequestedAtMs, #watchedUntilMs, #waitState`,
          condition: joinClauses(
            isSameRun,
            isSameWriter,
            `#status IN (${Object.keys({ ...endable, status })
              .map((name) => `:${name}`)
              .join(', ')})`,
          ),
        },
        {
          status,
          runId: run.runId,
          epoch: run.epoch,
          ...endable,
          ...(error !== undefined && { error, failedAtMs: Date.now() }),
          ...(code !== undefined && { errorCode: { code, ...(params && { params }) } }),
        },
        toOwnershipLost(run),
      )
      if (run.waitState) await waitingRuns.deleteRows(run)
      return ended
    },

    /**
     * Records that the message that an ended run replaces is an earlier version now. Does nothing if that is recorded already or the run
     * is not the newest.
     */
    async recordEarlierVersion(run: RunIds, branches: Branches): Promise<void> {
      try {
        await update(
          run,
          {
            update: 'SET #branches = :branches REMOVE #replaces',
            condition: joinClauses(isSameRun, 'attribute_exists(#replaces)'),
          },
          { runId: run.runId, branches },
          toOwnershipLost(run),
        )
      } catch (error) {
        if (!(error instanceof RunOwnershipLost)) throw error
      }
    },

    /**
     * Shows another branch, if the run has not changed since it was read. Updates the heartbeat, so that a request that has read the
     * former branch cannot claim the conversation.
     * @param run one that has ended
     * @param isDeleted whether the messages of its turn are being deleted: it says nothing more about them then
     * @throws RunChanged
     */
    async showBranch(run: Run, branches: Branches, isDeleted = false): Promise<Run> {
      const heartbeatAtMs = Math.max(Date.now(), run.heartbeatAtMs + 1)
      return update(
        run,
        {
          update: `SET #branches = :branches, #heartbeatAtMs = :now${isDeleted ? ', #status = :done REMOVE #error, #errorCode, #failedAtMs, #replaces' : ''}`,
          condition: unchangedCondition,
        },
        { ...seenValues(run), branches, now: heartbeatAtMs, ...(isDeleted && { done: 'done' }) },
        (cause) => new RunChanged('the run changed while the shown branch was being changed', { cause }),
        (current) => current.runId === run.runId && current.heartbeatAtMs === heartbeatAtMs,
      )
    },

    /**
     * Marks a run as interrupted because its writer is lost; if the writer still lives, it is fenced out.
     * @returns false if the run has changed since
     */
    async interrupt(run: Run): Promise<boolean> {
      try {
        await update(
          run,
          {
            update: 'SET #status = :interrupted REMOVE #watchedUntilMs',
            condition: joinClauses(isSameRun, isRunning, '#heartbeatAtMs = :seen'),
          },
          {
            interrupted: 'interrupted',
            running: 'running',
            runId: run.runId,
            seen: run.heartbeatAtMs,
          },
          toOwnershipLost(run),
        )
        // its writer may have died while it stored the rows of a waiting run
        await waitingRuns.deleteRows(run)
        return true
      } catch (error) {
        if (error instanceof RunOwnershipLost) return false
        throw error
      }
    },

    /** Asks the writer to stop; the time of the first request is kept. @throws RunOwnershipLost when it no longer runs */
    async requestStop(run: RunIds, nowMs: number): Promise<Run> {
      return updateRunning(run, {
        update: 'SET #stopRequestedAtMs = if_not_exists(#stopRequestedAtMs, :now)',
        values: { now: nowMs },
      })
    },

    /** Lets the writer know that a reader follows from another invocation. @throws RunOwnershipLost when it no longer runs */
    async setWatchedUntil(run: RunIds, untilMs: number): Promise<Run> {
      return updateRunning(run, { update: 'SET #watchedUntilMs = :until', values: { until: untilMs } })
    },

    /** Ends a temporary run by deleting its item. @throws RunOwnershipLost */
    async deleteTemporary(run: OwnedRun & Partial<Pick<Run, 'waitState'>>): Promise<void> {
      try {
        await client.send(
          new DeleteCommand({
            TableName,
            Key: key(run),
            ConditionExpression: 'runId = :runId AND epoch = :epoch',
            ExpressionAttributeValues: { ':runId': run.runId, ':epoch': run.epoch },
            ...returnStoredRow,
          }),
        )
      } catch (error) {
        if (!isConditionFailed(error)) throw error
        if (!wasRetried(error) || getStoredRow(error)) throw toOwnershipLost(run)(error)
      }
      if (run.waitState) await waitingRuns.deleteRows(run)
    },

    /** Deletes the conversation's run with all its rows; can be repeated. */
    async remove(sub: string, sessionId: string): Promise<void> {
      await deleteRow(table, key({ sub, sessionId }))
      await waitingRuns.deleteRowsOfConversation({ sub, sessionId })
    },
  }
}

export type RunRepository = ReturnType<typeof runRepository>
