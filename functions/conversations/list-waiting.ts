import type { WaitingCall, WaitingList } from '#shared/contracts/waiting.ts'
import { limitConcurrency } from '../platform/limit-concurrency.ts'
import { pageBytes, responseBytes } from '../platform/limits.ts'
import { waitForAll } from '../platform/wait-for-all.ts'
import type { ConversationStores } from './store/conversation-stores.ts'
import { toApprovalRequest, type Run } from './store/run.ts'
import { getLapsesAtMs } from './store/waiting-runs.ts'

/** A person who lets more wait than this decides the newest first. */
const maxRuns = 100
/** Their transcripts may be long. */
const readsAtOnce = 8

interface ListWaitingDeps extends Pick<ConversationStores, 'runs' | 'conversations'> {
  /** whether the user has a schedule that is not paused */
  findIsScheduled: (sub: string) => Promise<boolean>
}

/** What of a waiting run waits for its person: its server ends a task, and a lapsed request can no longer be approved. */
const findOpen = ({ pending }: Run, nowMs: number) =>
  pending.filter(
    (call) => call.kind !== 'task' && call.decision === undefined && nowMs <= getLapsesAtMs(call),
  )

/**
 * Lists what waits for a user in all of their conversations, newest first.
 * @returns as many as fit into a response, of the newest conversations, and how many wait at least
 */
export async function listWaiting(
  { runs, conversations, findIsScheduled }: ListWaitingDeps,
  sub: string,
  nowMs: number,
): Promise<WaitingList> {
  async function findCalls(sessionId: string): Promise<WaitingCall[]> {
    const run = await runs.find(sub, sessionId)
    // only its own page shows a temporary chat
    if (run?.status !== 'waiting' || !run.isSaved) return []
    const open = findOpen(run, nowMs)
    const session = open.length > 0 ? await conversations.find(sub, sessionId) : undefined
    // its deletion has begun
    if (!session || session === 'deleted') return []
    return open.map((call) => ({
      session_id: sessionId,
      title: session.title,
      run_id: run.runId,
      ...(run.schedule && { schedule_id: run.schedule.id }),
      request: toApprovalRequest(call),
    }))
  }
  const limit = limitConcurrency(readsAtOnce)
  const [sessionIds, isScheduled] = await waitForAll([runs.listWaitingIds(sub), findIsScheduled(sub)])
  const found = await waitForAll(sessionIds.slice(0, maxRuns).map((id) => limit(sub, () => findCalls(id))))
  const calls = found.flat()
  calls.sort((a, b) => b.request.asked_at.localeCompare(a.request.asked_at))
  let bytes = 0
  return {
    waiting: calls.filter((call) => (bytes += responseBytes(call)) <= pageBytes),
    // those that were not read wait with one call at least
    total: calls.length + Math.max(0, sessionIds.length - maxRuns),
    is_scheduled: isScheduled,
  }
}
