import type { ReplyNotice, ToolCall } from '#shared/contracts/chat.ts'
import type { Attachment } from '#shared/contracts/files.ts'
import type { Message, Session } from '#shared/contracts/sessions.ts'
import { stoppedLine } from '#shared/message-content.ts'
import { retriedWrites } from '../platform/dynamodb/retried-writes.ts'
import { SessionNotFound } from '../conversations/errors.ts'
import type { PlacedMessage } from '../conversations/message-repository.ts'
import { recount } from '../conversations/recount-messages.ts'
import type { Stores } from '../conversations/stores.ts'
import { endReplacement } from './commit-replacement.ts'
import { RunLost } from './errors.ts'
import type { EndedStatus, Run } from './run.ts'

export interface EndedReply {
  status: EndedStatus
  content: string
  toolCalls: ToolCall[]
  /** images made for the reply */
  attachments?: readonly Attachment[]
  /** what the reply went without */
  notices?: readonly ReplyNotice[]
  /** the sentence for the user when the run failed */
  error?: string
  /** whether checkpoints of this reply may be in the table */
  logged: boolean
}

/** The conversation after a reply was stored, and the reply's messages. */
interface StoredReply {
  session: Session
  messages: Message[]
}

function withoutAddress(attachment: Attachment): Attachment {
  const { url: _, previewUrl: __, ...kept } = attachment
  return kept
}

/** The assistant's messages of an ended reply (DEC-009): what was written keeps its mark, a stop adds its line. */
export function replyMessages(
  run: Run,
  { status, content, toolCalls, attachments = [], notices = [] }: EndedReply,
): PlacedMessage[] {
  // after the user's message, whose time the run started with, and in order within the turn (DEC-005)
  const at = (offset: number) => new Date(Math.max(Date.now(), run.startedAtMs + 1) + offset).toISOString()
  const base = { session_id: run.sessionId, role: 'assistant' as const, attachments: [], turn: run.turn }
  const written = content.trim() !== '' || toolCalls.length > 0 || attachments.length > 0
  return [
    ...(written
      ? [
          {
            ...base,
            place: 'reply' as const,
            id: run.replyId,
            // links do not last
            attachments: attachments.map(withoutAddress),
            // a stop may have come between the halves of a letter
            content: content.toWellFormed(),
            tool_calls: toolCalls,
            created_at: at(0),
            ...(status !== 'done' && { ended: status }),
            ...(notices.length > 0 && { notices: [...notices] }),
          },
        ]
      : []),
    ...(status === 'stopped'
      ? [
          {
            ...base,
            place: 'stop' as const,
            id: `${run.replyId}-stopped`,
            content: stoppedLine,
            tool_calls: [],
            created_at: at(1),
          },
        ]
      : []),
  ]
}

/**
 * Ends a run: the only way in which one ends, for its writer, for a stop, and for whoever recovers a lost one. The messages are
 * stored first, then the run is ended (which fences: a run that was replaced or deleted meanwhile takes its messages back), then
 * the row publishes them; what they replace becomes an earlier version, and the run's checkpoints and files that are not to stay go last. A table that falters is
 * tried on. Of a chat that is not kept the run's item and its files go, and nothing is stored.
 * @param by who ends it: one that recovers a run has marked it as interrupted before
 * @returns undefined where nothing is kept, or the conversation has no row yet
 * @throws RunLost when the run is not ours any more, SessionNotFound when the conversation was deleted
 */
export async function finishRun(
  stores: Stores,
  run: Run,
  reply: EndedReply,
  by: 'writer' | 'recovery' = 'writer',
): Promise<StoredReply | undefined> {
  const stored = run.kept ? await store(stores, run, reply, by) : await forget(stores, run)
  await stores.files.release(run.sub, {
    kept: run.kept,
    ids: [...run.fileIds, ...(reply.attachments ?? []).map(({ id }) => id)],
    mayRetry: reply.status === 'failed' || reply.status === 'interrupted',
  })
  return stored
}

const forget = ({ runs }: Stores, run: Run) => runs.forget(run).then(() => undefined)

async function store(
  stores: Stores,
  run: Run,
  reply: EndedReply,
  by: 'writer' | 'recovery',
): Promise<StoredReply | undefined> {
  const { sessions, messages, runs, logs, files } = stores
  const placed = replyMessages(run, reply)
  // one later than the run itself: should its writer come back to life, it does not overwrite what was recovered
  const runAtMs = by === 'recovery' ? run.startedAtMs + 1 : run.startedAtMs
  const { persist, wasRetried: repeated } = retriedWrites()
  await persist(() => files.use(run.sub, run.sessionId, reply.attachments ?? []))
  let added: number | undefined = 0
  for (const message of placed) {
    const gained = await persist(() => messages.put(run.sub, message, runAtMs))
    added = gained === undefined || added === undefined ? undefined : added + gained
  }
  try {
    await persist(() => runs.end(run, reply.status, reply.error, by))
    const session = by === 'recovery' ? await recountRecovered() : await touch()
    const replaced =
      session && (await persist(() => endReplacement(stores, { ...run, status: reply.status })))
    // the reply is stored: checkpoints that cannot be removed now lapse in a day
    if (reply.logged) await logs.clear(run).catch(() => undefined)
    return session && { session: replaced?.session ?? session, messages: placed }
  } catch (error) {
    if (error instanceof SessionNotFound || error instanceof RunLost) {
      const isDeleted = (await sessions.find(run.sub, run.sessionId)) === 'deleted'
      // several may recover a run, and what one stores is what the other has stored
      if (by === 'writer' || isDeleted)
        for (const message of placed) await messages.takeBack(run.sub, message, runAtMs)
      // whoever deleted it could not know of the images of this reply
      if (isDeleted) await files.remove(run.sub, run.sessionId)
    }
    throw error
  }

  /** Counts the messages, and moves the conversation up. */
  async function touch(): Promise<Session> {
    const at = placed.at(-1)?.created_at ?? new Date().toISOString()
    const touched = await persist(() => sessions.touch(run.sub, run.sessionId, { added: added ?? 0, at }))
    const isCounted = added !== undefined && touched.isSure && !repeated()
    return isCounted ? touched.session : persist(() => recount(stores, run))
  }

  /** Who reads a conversation does not move it up. Its row may be missing: the run was lost before that, and the next turn makes it. */
  async function recountRecovered(): Promise<Session | undefined> {
    try {
      return await persist(() => recount(stores, run))
    } catch (error) {
      const isMissing = error instanceof SessionNotFound
      if (isMissing && (await sessions.find(run.sub, run.sessionId)) !== 'deleted') return undefined
      throw error
    }
  }
}
