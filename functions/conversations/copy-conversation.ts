import type { Session } from '#shared/contracts/messages.ts'
import { maxCopiedMegabytes, maxCopiedMessages } from '../platform/limits.ts'
import { logger } from '../platform/telemetry/logger.ts'
import { countsAsMessage } from '#shared/message-content.ts'
import { deleteAbandonedCopies, deleteConversation } from './delete-conversation.ts'
import { findPath, hasTurn, type Path } from './store/branches.ts'
import { claimFinishedRun } from './store/claim-finished-run.ts'
import type { ConversationStores } from './store/conversation-stores.ts'
import {
  ConversationNotFound,
  ConversationTooLong,
  MessageNotFound,
  RunChanged,
  RunInProgress,
} from './store/errors.ts'
import type { StoredMessage } from './store/message-row.ts'
import { retryIfRunChanged } from './store/retry-if-run-changed.ts'
import { isActive, isEmptyAttempt, type Run } from './store/run.ts'
import { commitReplacement } from './turns/commit-replacement.ts'
import { recoverRun } from './turns/recover-run.ts'

interface CopyConversationInput {
  sub: string
  sessionId: string
  /** the last turn to copy is the one of this message */
  messageId: string
}

/** What is copied: the conversation, its run as it was read, and the turns. */
interface Source {
  session: Session
  run: Run | undefined
  path: Path
  lastTurn: number
}

/**
 * Copies the branch of a message up to its turn into a new conversation, which has the files, the project and the choices of the old one. Its
 * row comes first and is listed once all of it is there: what breaks off is deleted at once, or with the next copy, or with the old one.
 * @throws ConversationNotFound, MessageNotFound, RunInProgress if the message is being answered, ConversationTooLong, StorageFull, RunChanged
 */
export async function copyConversation(
  stores: ConversationStores,
  input: CopyConversationInput,
): Promise<Session> {
  await deleteAbandonedCopies(stores, input.sub)
  return retryIfRunChanged(() => attemptToCopy(stores, input))
}

async function attemptToCopy(stores: ConversationStores, input: CopyConversationInput): Promise<Session> {
  const { sub } = input
  const { session } = await loadSource(stores, input)
  const id = crypto.randomUUID()
  await stores.copies.open(sub, id, session)
  try {
    // read once the copy can be found: a deletion that comes now deletes the copy, too
    const source = await loadSource(stores, input)
    const { count, turns, hasAllFiles } = await copyMessages(stores, { sub, id }, source)
    if (!hasAllFiles && !(await isUnchanged(stores, source)))
      throw new RunChanged('files of the copied messages were deleted meanwhile')
    await claimFinishedRun(stores, {
      sub,
      sessionId: id,
      runId: crypto.randomUUID(),
      turn: turns,
      messageId: crypto.randomUUID(),
      replyId: crypto.randomUUID(),
    })
    const copy = await stores.copies.close(sub, id, count)
    if (!copy) throw new ConversationNotFound(`${source.session.id} was deleted while it was copied`)
    return copy
  } catch (error) {
    await deleteConversation(stores, { sub, sessionId: id }).catch((cause: unknown) =>
      logger.warn('a copy that broke off is left for the next one to delete', { error: cause }),
    )
    throw error
  }
}

async function loadSource(
  stores: ConversationStores,
  { sub, sessionId, messageId }: CopyConversationInput,
): Promise<Source> {
  const { conversations, messages, runs } = stores
  const [session, found, lastTurn] = await Promise.all([
    conversations.find(sub, sessionId),
    runs.find(sub, sessionId),
    messages.findTurn(sub, sessionId, messageId),
  ])
  if (!session || session === 'deleted') throw new ConversationNotFound(`no conversation ${sessionId}`)
  if (lastTurn === undefined) throw new MessageNotFound(`no message ${messageId}`)
  const recovered = found && (await recoverRun(stores, found))
  const run = (recovered && (await commitReplacement(stores, recovered)))?.run ?? recovered
  const isNewest = run?.turn === lastTurn
  if (run && isActive(run) && isNewest) throw new RunInProgress(`run ${run.runId} is ${run.status}`)
  if (isNewest && isEmptyAttempt(run)) throw new MessageNotFound(`${messageId} is in no branch`)
  return { session, run, path: findPath(run?.branches, lastTurn), lastTurn }
}

/** Whether no turn of the conversation can have been deleted since: a deletion changes the run, and none comes while it is active. */
async function isUnchanged({ runs }: ConversationStores, { run, session }: Source): Promise<boolean> {
  if (!run) return true
  const current = await runs.find(run.sub, session.id)
  return current?.runId === run.runId && (isActive(current) || current.heartbeatAtMs === run.heartbeatAtMs)
}

/** @returns how many messages and turns were copied, and whether all their files exist */
async function copyMessages(
  stores: ConversationStores,
  { sub, id }: { sub: string; id: string },
  { session, path, lastTurn }: Source,
): Promise<{ count: number; turns: number; hasAllFiles: boolean }> {
  const { messages, files, texts, transcripts } = stores
  /** @returns its bytes */
  const copyTranscript = async (
    { turn, transcript_run: runId }: StoredMessage,
    to: { sessionId: string; turn: number },
  ): Promise<number> => {
    if (runId === undefined) return 0
    const rows = await transcripts.loadRows({ sub, sessionId: session.id, turn, runId })
    const size = rows.reduce((sum, { length }) => sum + length, 0)
    await texts.reserveText(sub, id, size)
    await transcripts.putRows({ sub, runId, ...to }, rows)
    return size
  }
  const newIds = new Map<string, string>()
  let turns = 0
  let count = 0
  let bytes = 0
  let hasAllFiles = true
  let previous: StoredMessage | undefined
  for (let after: string | null | undefined; after !== null;) {
    const page = await messages.loadAfter(sub, session.id, after)
    after = page.messages.some((message) => message.turn > lastTurn) ? null : page.next
    const copies: StoredMessage[] = []
    for (const message of page.messages) {
      if (message.turn > lastTurn || !hasTurn(path, message.turn)) continue
      if (message.turn !== previous?.turn) turns += 1
      previous = message
      const newId = crypto.randomUUID()
      newIds.set(message.id, newId)
      const contextStart = newIds.get(message.usage?.contextStart ?? '')
      // the copy has other turns: where its prompt is cut is decided anew
      const { cut: _, ...others } = message
      bytes += await copyTranscript(message, { sessionId: id, turn: turns })
      copies.push({
        ...others,
        id: newId,
        session_id: id,
        turn: turns,
        ...(message.usage && contextStart !== undefined && { usage: { ...message.usage, contextStart } }),
      })
    }
    const pageBytes = Buffer.byteLength(JSON.stringify(copies))
    bytes += pageBytes
    if (newIds.size > maxCopiedMessages || bytes > maxCopiedMegabytes * 1024 ** 2)
      throw new ConversationTooLong(`${newIds.size} messages, ${bytes} bytes`)
    await texts.reserveText(sub, id, copies.length > 0 ? pageBytes : 0)
    // before the messages: a file that a message names is one of the copy's, or was gone
    const attachments = copies.flatMap((copy) => copy.attachments)
    hasAllFiles = (await files.addReferences(sub, id, attachments)) && hasAllFiles
    await messages.putAll(sub, copies)
    count += copies.filter(({ content }) => countsAsMessage(content)).length
  }
  return { count, turns, hasAllFiles }
}
