import type { LogPart } from '../runs/reply-log.ts'
import { RunLost } from '../runs/errors.ts'
import { isStale, type Run } from '../runs/run.ts'
import { SessionNotFound } from './errors.ts'
import { recount } from './recount.ts'
import { replyMessages } from './store-reply.ts'
import type { Stores } from './stores.ts'

const textOf = (parts: readonly LogPart[]) =>
  parts.map((part) => ('text' in part ? part.text : part.event.type === 'text-start' ? '\n\n' : '')).join('')

const imagesOf = (parts: readonly LogPart[]) =>
  parts.flatMap((part) => ('event' in part && part.event.type === 'data-attachment' ? [part.event.data] : []))

const collectNotices = (parts: readonly LogPart[]) =>
  parts.flatMap((part) => ('event' in part && part.event.type === 'data-notice' ? [part.event.data] : []))

/**
 * Whoever meets a run that lost its function (its heartbeat is old) says so: the run becomes interrupted, which fences its
 * writer out, and what its checkpoints hold becomes the stored reply. A run found interrupted is looked at once more, in case
 * the one who marked it did not get further; without checkpoints there is nothing to do. Of a chat that is not kept there is
 * nothing to rescue: its item goes.
 * @param run as read
 * @returns the run as it stands now
 */
export async function recoverRun(stores: Stores, run: Run): Promise<Run | undefined> {
  const { messages, runs, logs, files } = stores
  if (isStale(run, Date.now()) && !run.kept) {
    await runs.forget(run).catch((error: unknown) => {
      if (!(error instanceof RunLost)) throw error
    })
    return runs.find(run.sub, run.sessionId)
  }
  if (isStale(run, Date.now())) {
    const marked = await runs.interrupt(run)
    if (!marked) return runs.find(run.sub, run.sessionId)
  } else if (run.status !== 'interrupted') return run

  const parts = await logs.read(run, 0)
  const content = textOf(parts).trim()
  const attachments = imagesOf(parts)
  if (content !== '' || attachments.length > 0) {
    // one later than the run itself: should its writer come back to life, it does not overwrite what was rescued
    const rescuedAtMs = run.startedAtMs + 1
    await files.use(run.sub, run.sessionId, attachments)
    const notices = collectNotices(parts)
    const reply = {
      status: 'interrupted',
      content,
      toolCalls: [],
      attachments,
      notices,
      logged: true,
    } as const
    for (const message of replyMessages(run, { ...reply, toolCalls: [] }))
      await messages.put(run.sub, message, rescuedAtMs)
    try {
      await recount(stores, run)
    } catch (error) {
      // the run was lost before its conversation had a row: the next turn makes it, and counts what is there
      if (!(error instanceof SessionNotFound)) throw error
    }
    await logs.clear(run)
  }
  return { ...run, status: 'interrupted' }
}
