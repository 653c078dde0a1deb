import type { ReplyNotice, ToolCall } from '#shared/contracts/chat.ts'
import type { Attachment } from '#shared/contracts/files.ts'
import type { Message, Session } from '#shared/contracts/sessions.ts'
import { stoppedLine } from '#shared/message-content.ts'
import { persistence } from '../platform/persistence.ts'
import { RunLost } from '../runs/errors.ts'
import type { EndedStatus, Run } from '../runs/run.ts'
import { SessionNotFound } from './errors.ts'
import type { PlacedMessage } from './message-repository.ts'
import { recount } from './recount.ts'
import { removeReplaced } from './remove-replaced.ts'
import type { Stores } from './stores.ts'

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
 * Stores how a reply ended: messages first, then the run (which fences: a run that was replaced or deleted meanwhile takes
 * its messages back), then the row that publishes them; the checkpoints go last. A table that falters is tried on. Of a chat that is not kept the run's item goes,
 * and nothing is stored.
 * @returns the conversation and its new messages; undefined where nothing is kept
 * @throws RunLost when the run is not ours any more, SessionNotFound when the conversation was deleted
 */
export async function storeReply(
  stores: Stores,
  run: Run,
  reply: EndedReply,
): Promise<{ session: Session; messages: Message[] } | undefined> {
  const { sessions, messages, runs, logs, files } = stores
  if (!run.kept) return runs.forget(run).then(() => undefined)
  const placed = replyMessages(run, reply)
  const { persist, repeated } = persistence()
  await persist(() => files.use(run.sub, run.sessionId, reply.attachments ?? []))
  let added: number | undefined = 0
  for (const message of placed) {
    const gained = await persist(() => messages.put(run.sub, message, run.startedAtMs))
    added = gained === undefined || added === undefined ? undefined : added + gained
  }
  try {
    await persist(() => runs.end(run, reply.status, reply.error))
    const at = placed.at(-1)?.created_at ?? new Date().toISOString()
    const touched = await persist(() => sessions.touch(run.sub, run.sessionId, { added: added ?? 0, at }))
    const isCounted = added !== undefined && touched.isSure && !repeated()
    const session = isCounted ? touched.session : await recount(stores, run)
    const replaced = await removeReplaced(stores, { ...run, status: reply.status })
    // the reply is stored: checkpoints that cannot be removed now lapse in a day
    if (reply.logged) await logs.clear(run).catch(() => undefined)
    return { session: replaced ?? session, messages: placed }
  } catch (error) {
    if (error instanceof SessionNotFound || error instanceof RunLost) {
      for (const message of placed) await messages.takeBack(run.sub, message, run.startedAtMs)
      // whoever deleted it could not know of the images of this reply
      if ((await sessions.find(run.sub, run.sessionId)) === 'deleted')
        await files.remove(run.sub, run.sessionId)
    }
    throw error
  }
}
