import type { Failure, IncompleteReason, Usage } from '#shared/contracts/chat.ts'
import type { Attachment } from '#shared/contracts/files.ts'
import type { Message, Session } from '#shared/contracts/messages.ts'
import { truncate } from '#shared/truncate.ts'
import { countSince } from '../../platform/dynamodb/usage-counters.ts'
import { retriedWrites } from '../../platform/dynamodb/retried-writes.ts'
import { ConversationNotFound, RunOwnershipLost } from '../store/errors.ts'
import type { Cut, StoredMessage } from '../store/message-row.ts'
import { recountMessages } from '../store/recount-messages.ts'
import type { ConversationStores } from '../store/conversation-stores.ts'
import { commitReplacement } from './commit-replacement.ts'
import type { EndedStatus, Run } from '../store/run.ts'
import type { ReplyParts } from './stored-reply.ts'

export interface EndedReply extends ReplyParts {
  status: EndedStatus
  incompleteReason?: IncompleteReason | undefined
  /** the part of `usage` from earlier runs; only for a continued reply */
  earlierUsage?: Usage | undefined
  /** the turn as the model was given it, as JSON; undefined if it is no more than the messages */
  transcript?: string | undefined
  /** where the prompt was cut */
  cut?: Cut | undefined
  /** why the run failed */
  failure?: Failure
  /** messages of the run that are stored and not yet counted; undefined when their number is not known */
  uncounted?: number | undefined
  /** whether checkpoints of this reply may be in the table */
  hasCheckpoints: boolean
}

/** The conversation after a reply was stored, and the reply's messages. */
interface StoredReply {
  session: Session
  messages: Message[]
}

function withoutLinks(attachment: Attachment): Attachment {
  const { url: _, previewUrl: __, ...stored } = attachment
  return stored
}

/** The part of a row that a reply may take, with room for its other fields. */
const maxReplyBytes = 385_000

/** What fits into the row beside the reply itself: sources and reasoning. */
function fitExtras({ content, toolCalls, reasoning, sources = [] }: EndedReply) {
  let bytesLeft = maxReplyBytes - Buffer.byteLength(content) - Buffer.byteLength(JSON.stringify(toolCalls))
  const fitting = sources.filter((source) => (bytesLeft -= Buffer.byteLength(JSON.stringify(source))) > 0)
  // a UTF-16 code unit takes at most three bytes
  const text = truncate(reasoning?.text ?? '', Math.max(0, Math.floor(bytesLeft / 3))).toWellFormed()
  return {
    ...(fitting.length > 0 && { sources: fitting }),
    ...(reasoning && text !== '' && { reasoning: { ...reasoning, text } }),
  }
}

/** The assistant's message of an ended reply; none without content, unless the user stopped a reply that replaces none. */
export function replyMessages(run: Run, reply: EndedReply): StoredMessage[] {
  const { status, incompleteReason, content, toolCalls, attachments, notices } = reply
  const { usage, transcript, cut } = reply
  const hasContent = content.trim() !== '' || toolCalls.length > 0 || attachments.length > 0
  if (!hasContent && (status !== 'stopped' || run.replaces)) return []
  return [
    {
      session_id: run.sessionId,
      role: 'assistant',
      turn: run.turn,
      kind: 'reply',
      id: run.replyId,
      // links expire
      attachments: attachments.map(withoutLinks),
      // a stop may have come between the halves of a letter
      content: hasContent ? content.toWellFormed() : '',
      tool_calls: toolCalls,
      // after the user's message, whose time the run started with
      created_at: new Date(Math.max(Date.now(), run.startedAtMs + 1)).toISOString(),
      ...(status !== 'done' && { ended: status }),
      ...(incompleteReason && { incomplete_reason: incompleteReason }),
      ...(notices && { notices }),
      ...fitExtras(reply),
      ...(usage && { usage }),
      ...(transcript !== undefined && { transcript_run: run.runId }),
      ...(cut && { cut }),
    },
  ]
}

/**
 * Ends a run, for its writer, a stop or a recovery: runs end nowhere else. Order: store the messages; end the run (the fence: if it was
 * replaced or deleted meanwhile, its messages are deleted again); update the conversation; make the replaced message an earlier version;
 * delete checkpoints and unneeded files. Writes are retried. A temporary run is deleted with its files, and nothing is stored.
 * @param by `recovery` when a reader ends a run that it has marked as interrupted
 * @returns undefined for a temporary run, or when the conversation has no row yet
 * @throws RunOwnershipLost when another writer owns the run, ConversationNotFound when the conversation was deleted
 */
export async function finishRun(
  stores: ConversationStores,
  run: Run,
  reply: EndedReply,
  by: 'writer' | 'recovery' = 'writer',
): Promise<StoredReply | undefined> {
  const stored = run.isSaved
    ? await storeReply(stores, run, reply, by)
    : await deleteTemporaryRun(stores, run)
  await stores.files.deleteTurnFiles(run.sub, {
    isSaved: run.isSaved,
    sessionId: run.isSaved ? run.sessionId : undefined,
    ids: [...run.fileIds, ...reply.attachments.map(({ id }) => id)],
    mayRetry:
      reply.status === 'failed' ||
      reply.status === 'interrupted' ||
      (run.replaces !== undefined && replyMessages(run, reply).length === 0),
  })
  return stored
}

const deleteTemporaryRun = ({ runs }: ConversationStores, run: Run) =>
  runs.deleteTemporary(run).then(() => undefined)

async function storeReply(
  stores: ConversationStores,
  run: Run,
  reply: EndedReply,
  by: 'writer' | 'recovery',
): Promise<StoredReply | undefined> {
  const { conversations, messages, runs, logs, files, transcripts } = stores
  const storedMessages = replyMessages(run, reply)
  const { usage, earlierUsage, transcript } = reply
  const used = usage && { runId: run.runId, counters: countSince(usage, earlierUsage) }
  // later than the run itself, so that a writer that wakes up does not overwrite the recovered reply
  const runAtMs = by === 'recovery' ? run.startedAtMs + 1 : run.startedAtMs
  const { persist, wasRetried } = retriedWrites()
  const hasTranscript = transcript !== undefined && storedMessages.length > 0
  await Promise.all([
    persist(() => files.addReferences(run.sub, run.sessionId, reply.attachments)),
    // before the reply, which names it
    hasTranscript && persist(() => transcripts.save(run, transcript)),
  ])
  let addedMessages = 'uncounted' in reply ? reply.uncounted : 0
  for (const message of storedMessages) {
    const added = await persist(() => messages.put(run.sub, message, runAtMs))
    addedMessages = added === undefined || addedMessages === undefined ? undefined : addedMessages + added
  }
  try {
    await persist(() => runs.end(run, reply.status, reply.failure, by))
    const session = by === 'recovery' ? await recountRecovered() : await recordActivity()
    const replaced =
      session && (await persist(() => commitReplacement(stores, { ...run, status: reply.status })))
    // the reply is stored: checkpoints that cannot be removed now expire
    if (reply.hasCheckpoints) await logs.deleteRun(run).catch(() => undefined)
    return session && { session: replaced?.session ?? session, messages: storedMessages }
  } catch (error) {
    if (error instanceof ConversationNotFound || error instanceof RunOwnershipLost) {
      const isDeleted = (await conversations.find(run.sub, run.sessionId)) === 'deleted'
      // concurrent recoveries store the same messages
      if (by === 'writer' || isDeleted) {
        for (const message of storedMessages) await messages.deleteOwn(run.sub, message, runAtMs)
        if (hasTranscript) await transcripts.deleteRun(run)
      }
      // the deletion did not know the images of this reply
      if (isDeleted) await files.deleteConversationFiles(run.sub, [run.sessionId])
    }
    throw error
  }

  /** Counts the messages, and moves the conversation up. */
  async function recordActivity(): Promise<Session> {
    const at = storedMessages.at(-1)?.created_at ?? new Date().toISOString()
    const previousAt = new Date(run.startedAtMs).toISOString()
    const added = addedMessages ?? 0
    const updated = await persist(() =>
      conversations.recordActivity(run.sub, run.sessionId, { addedMessages: added, at, previousAt, used }),
    )
    const isCounted = addedMessages !== undefined && updated.isCountExact && !wasRetried()
    return isCounted ? updated.session : persist(() => recountMessages(stores, run))
  }

  /**
   * A reader moves a conversation up no further than its message would have. Its row may be missing if the run was lost before; the next
   * turn creates it.
   */
  async function recountRecovered(): Promise<Session | undefined> {
    try {
      return await persist(() => recountMessages(stores, run, used, run.startedAtMs))
    } catch (error) {
      const isMissing = error instanceof ConversationNotFound
      if (isMissing && (await conversations.find(run.sub, run.sessionId)) !== 'deleted') return undefined
      throw error
    }
  }
}
