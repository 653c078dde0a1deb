import { deleteByPrefix } from '../../platform/dynamodb/delete-rows.ts'
import { packChunks, unpackChunks } from '../../platform/dynamodb/packed-chunks.ts'
import { queryAll } from '../../platform/dynamodb/query.ts'
import { putRow } from '../../platform/dynamodb/rows.ts'
import { getStoredRow } from '../../platform/dynamodb/update-row.ts'
import * as z from 'zod'
import { lapsesAfterMs, scheduledLapsesAfterMs } from '#shared/limits.ts'
import { elicitationResponse, type ElicitationResponse } from '#shared/contracts/elicitation.ts'
import type { AppError } from '../../platform/errors.ts'
import type { Table } from '../../platform/dynamodb/table.ts'
import { RunChanged, RunOwnershipLost } from './errors.ts'
import { joinClauses, isRunning, isSameRun, isSameWriter, isWaiting } from './run-conditions.ts'
import {
  pendingCall,
  renewTtl,
  run as runSchema,
  runRowsTtlSeconds,
  transcript as transcriptSchema,
  type PendingCall,
  type Run,
  type StoredValue,
  type Transcript,
} from './run.ts'

const waitingRunValue = z.object({ pending: z.array(pendingCall), transcript: transcriptSchema })

type RunIds = Pick<Run, 'sub' | 'sessionId' | 'runId'>

/** The run for which the condition of a write has failed, as it is stored. */
export function getStoredRun(error: unknown): Run | undefined {
  const row = getStoredRow(error)
  return row && runSchema.parse(row)
}

const partition = (sub: string) => `U#${sub}`
/** Users' tables have rows under this key, from before the run was called a waiting run. */
const prefix = 'PARK#'
const conversationPrefix = ({ sessionId }: Pick<Run, 'sessionId'>) => `${prefix}${sessionId}#`
const runPrefix = (run: RunIds) => `${conversationPrefix(run)}${run.runId}#`
const valuePrefix = (run: RunIds, id: string) => `${runPrefix(run)}${id}#`

/**
 * Rows beside the item of a waiting run, with what it needs to resume: compressed, and of any size (ADR 0038). They are written before
 * the item references them, and deleted after it no longer does; rows left by a crash expire.
 */
const waitingRunRows = (table: Table) => {
  const deletePrefix = (sub: string, prefix: string) => deleteByPrefix(table, partition(sub), prefix)

  return {
    /** @param id the same value under the same id may be written again. @returns what the run's item has to remember of it */
    async write(run: RunIds & Pick<Run, 'ttl'>, id: string, value: unknown): Promise<StoredValue> {
      const chunks = await packChunks(value)
      const ttl = run.ttl ?? Math.floor(Date.now() / 1000) + runRowsTtlSeconds
      for (const [chunk, data] of chunks.entries()) {
        const SK = valuePrefix(run, id) + String(chunk).padStart(3, '0')
        await putRow(table, { PK: partition(run.sub), SK, data, ttl })
      }
      return { id, chunks: chunks.length }
    },

    /** @returns undefined when rows are missing */
    async read(run: RunIds, { id, chunks }: StoredValue): Promise<unknown> {
      const found = await queryAll(table, { partition: partition(run.sub), prefix: valuePrefix(run, id) })
      const data = found.slice(0, chunks).map((row) => row['data'] as Uint8Array)
      return data.length === chunks ? unpackChunks(data) : undefined
    },

    /** The conversations that have rows, the newest rows first. They are there as long as a run waits, and may be left by a crash. */
    async listSessionIds(sub: string): Promise<string[]> {
      const found = await queryAll(table, {
        partition: partition(sub),
        prefix,
        projection: 'SK, #ttl',
        names: { '#ttl': 'ttl' },
      })
      const newestFirst = found.toSorted((a, b) => Number(b['ttl']) - Number(a['ttl']))
      return [...new Set(newestFirst.flatMap(({ SK }) => String(SK).split('#')[1] ?? []))]
    },

    deleteValue: (run: RunIds, { id }: StoredValue) => deletePrefix(run.sub, valuePrefix(run, id)),
    deleteRun: (run: RunIds) => deletePrefix(run.sub, runPrefix(run)),
    deleteConversation: (run: Pick<Run, 'sub' | 'sessionId'>) =>
      deletePrefix(run.sub, conversationPrefix(run)),
  }
}

/** When a request lapses: the call is not made then. */
export const getLapsesAtMs = ({ kind, askedAtMs, lapsesAtMs }: PendingCall): number =>
  lapsesAtMs ?? askedAtMs + lapsesAfterMs(kind)

interface WaitingRunDeps {
  /** one conditional write on the run's item, see run-repository.ts */
  update: (
    run: Pick<Run, 'sub' | 'sessionId'>,
    input: { update: string; condition: string },
    values: Record<string, unknown>,
    toError: (cause: unknown) => Error,
    isOurs?: (current: Run) => boolean,
  ) => Promise<Run>
  toOwnershipLost: (run: RunIds) => (cause: unknown) => AppError
}

/** The part of a run's life in which it waits for the user, with its approval requests and its transcript in rows beside the item. */
export const waitingRunRepository = (table: Table, { update, toOwnershipLost }: WaitingRunDeps) => {
  const rows = waitingRunRows(table)

  /** Loads approval requests and transcript of a waiting run. @returns undefined when its rows are gone */
  async function load(run: Run): Promise<Run | undefined> {
    if (!run.waitState) return run
    const value = await rows.read(run, run.waitState)
    if (value === undefined) return undefined
    const { pending, transcript } = waitingRunValue.parse(value)
    return withDecisions({ ...run, pending, transcript })
  }

  /** Adds the decisions to the approval requests. @returns undefined when rows of edited arguments or of a response are gone */
  async function withDecisions(run: Run): Promise<Run | undefined> {
    const pending: PendingCall[] = []
    for (const [index, call] of run.pending.entries()) {
      const { edited, response, ...decided } = run.waitState?.answers[index] ?? {}
      const stored = edited ?? response
      const value = stored && (await rows.read(run, stored))
      if (stored && value === undefined) return undefined
      pending.push({
        ...call,
        ...decided,
        ...(edited && { arguments: z.string().parse(value) }),
        ...(response && { response: elicitationResponse.parse(value) }),
      })
    }
    return { ...run, pending }
  }

  /** Deletes rows that the item does not reference; what cannot be deleted now expires. */
  const deleteRows = (run: RunIds, value?: StoredValue) =>
    (value ? rows.deleteValue(run, value) : rows.deleteRun(run)).catch(() => undefined)

  /** Deletes the rows of the conversation's waiting run. */
  const deleteRowsOfConversation = (run: Pick<Run, 'sub' | 'sessionId'>) => rows.deleteConversation(run)

  /** Ends a waiting run whose rows have expired; one that has changed since is left alone. */
  async function interruptExpired(run: Run): Promise<void> {
    try {
      await update(
        run,
        {
          update: 'SET #status = :interrupted REMOVE #waitState',
          condition: joinClauses(isSameRun, isWaiting, '#waitState.#id = :id'),
        },
        { interrupted: 'interrupted', waiting: 'waiting', runId: run.runId, id: run.waitState?.id },
        toOwnershipLost(run),
      )
      await deleteRows(run)
    } catch (error) {
      if (!(error instanceof RunOwnershipLost)) throw error
    }
  }

  /** Lets the run wait until the user has answered; from here on no function holds it. May be repeated. @throws RunOwnershipLost */
  async function startWaiting(started: Run, requests: PendingCall[], transcript: Transcript): Promise<Run> {
    const run = renewTtl(started)
    const pending = run.schedule
      ? requests.map((one) => ({ ...one, lapsesAtMs: one.askedAtMs + scheduledLapsesAfterMs }))
      : requests
    // a repeat overwrites its own rows; later approval requests have other rows
    const id = String(pending[0]?.askedAtMs ?? 0)
    const value = await rows.write(run, id, { pending, transcript })
    const waitState = {
      ...value,
      ...(pending.length > 0 && { lapsesAtMs: Math.max(...pending.map(getLapsesAtMs)) }),
      answers: pending.map(() => ({})),
    }
    try {
      const waiting = await update(
        run,
        {
          update: `SET #status = :waiting, #waitState = :waitState${run.ttl === undefined ? '' : ', #ttl = :ttl'}`,
          condition: joinClauses(isSameRun, isSameWriter, isRunning),
        },
        {
          waiting: 'waiting',
          running: 'running',
          runId: run.runId,
          epoch: run.epoch,
          waitState,
          ...(run.ttl !== undefined && { ttl: run.ttl }),
        },
        toOwnershipLost(run),
      )
      return { ...waiting, pending, transcript }
    } catch (error) {
      if (!(error instanceof RunOwnershipLost)) throw error
      const current = getStoredRun(error.cause)
      if (current?.runId === run.runId) {
        // an earlier attempt was written, but its response was lost
        if (current.epoch === run.epoch && current.waitState?.id === id)
          return { ...current, pending, transcript }
        // the same, and the user has answered since: the calls belong to the writer that resumed the run
        if (current.epoch > run.epoch) return { ...run, status: 'waiting', pending, transcript }
      }
      await deleteRows(run, value)
      throw error
    }
  }

  /**
   * Stores the user's decision on one approval request. A decision cannot change, nor what it approves: the same decision again keeps what is
   * stored. Decisions on several requests do not collide.
   * @param index of the approval request in `pending`
   * @param input `arguments`: as edited by the user; `response`: the answer to what a server asks for
   * @throws RunChanged when it was decided differently, or the run no longer waits
   */
  async function decide(
    run: Run,
    index: number,
    input: Required<Pick<PendingCall, 'decision' | 'decidedAtMs'>> & {
      arguments?: string
      response?: ElicitationResponse | undefined
    },
  ): Promise<Run> {
    const toRunChanged = (cause: unknown) =>
      new RunChanged('the approval request was already decided', { cause })
    const { arguments: text, response, ...decided } = input
    const value = text ?? response
    const stored =
      value === undefined
        ? undefined
        : await rows.write(run, `${run.waitState?.id}.${index}.${crypto.randomUUID()}`, value)
    const field = text === undefined ? 'response' : 'edited'
    const fields = { ...decided, ...(stored && { [field]: stored }) }
    const path = `#waitState.#answers[${index}]`
    /** The run as another request, or this one's repeated write, has left it with the same decision. */
    const findDecided = async ({ cause }: Error): Promise<Run> => {
      const current = getStoredRun(cause)
      const answer = current?.waitState?.answers[index]
      if (stored && answer?.[field]?.id !== stored.id) await deleteRows(run, stored)
      const isSame =
        current?.runId === run.runId && current.epoch === run.epoch && answer?.decision === input.decision
      if (!isSame) throw toRunChanged(cause)
      return current
    }
    const updated = await update(
      run,
      {
        update: `SET ${Object.keys(fields)
          .map((name) => `${path}.#${name} = :${name}`)
          .join(', ')}`,
        condition: joinClauses(isSameRun, isSameWriter, isWaiting, `attribute_not_exists(${path}.#decision)`),
      },
      { waiting: 'waiting', runId: run.runId, epoch: run.epoch, ...fields },
      toRunChanged,
    ).catch((error: unknown) => {
      if (!(error instanceof RunChanged)) throw error
      return findDecided(error)
    })
    const decidedRun = await withDecisions({ ...updated, pending: run.pending, transcript: run.transcript })
    // another request saw the same decisions and resumed the run
    if (!decidedRun) throw toRunChanged(undefined)
    return decidedRun
  }

  /**
   * Resumes a waiting run; only one caller succeeds.
   * @param requestId of the request that writes it from now on
   * @returns the run with its approval requests and transcript, which are no longer stored
   * @throws RunChanged
   */
  async function resume(run: Run, nowMs: number, requestId = run.requestId): Promise<Run> {
    const resumed = await update(
      run,
      {
        update: `SET #status = :running, #heartbeatAtMs = :now, #epoch = :next${requestId === undefined ? '' : ', #requestId = :requestId'} REMOVE #waitState`,
        condition: joinClauses(isSameRun, isSameWriter, isWaiting),
      },
      {
        waiting: 'waiting',
        running: 'running',
        runId: run.runId,
        epoch: run.epoch,
        next: run.epoch + 1,
        now: nowMs,
        ...(requestId !== undefined && { requestId }),
      },
      (cause) => new RunChanged('the run was already resumed', { cause }),
      ({ runId, epoch, status, heartbeatAtMs }) =>
        runId === run.runId && epoch === run.epoch + 1 && status === 'running' && heartbeatAtMs === nowMs,
    )
    if (run.waitState) await deleteRows(run)
    return { ...resumed, pending: run.pending, transcript: run.transcript }
  }

  return {
    listSessionIds: (sub: string) => rows.listSessionIds(sub),
    load,
    deleteRows,
    deleteRowsOfConversation,
    interruptExpired,
    startWaiting,
    decide,
    resume,
  }
}
