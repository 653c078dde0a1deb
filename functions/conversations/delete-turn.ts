import type { SessionRead } from '#shared/contracts/sessions.ts'
import { readConversation } from './read-conversation.ts'
import { removeTurn } from './store/branches.ts'
import type { ConversationStores } from './store/conversation-stores.ts'
import { ConversationNotFound, MessageNotFound, RunInProgress } from './store/errors.ts'
import { recountMessages } from './store/recount-messages.ts'
import { retryIfRunChanged } from './store/retry-if-run-changed.ts'
import { isActive } from './store/run.ts'
import { commitReplacement } from './turns/commit-replacement.ts'
import { recoverRun } from './turns/recover-run.ts'

interface DeleteTurnInput {
  sub: string
  sessionId: string
  /** of the turn, the user's or the reply */
  messageId: string
}

/**
 * Deletes a message with its reply, and their files that nothing else uses; can be repeated. Later messages stay, and other versions. The
 * summary, which may quote it, is made anew. The first write depends on the run as it was read, and the next message's claim on the write.
 * @returns the conversation with the newest messages of the branch that is shown
 * @throws ConversationNotFound, MessageNotFound, RunInProgress while a reply is written or waits; RunChanged
 */
export const deleteTurn = (stores: ConversationStores, input: DeleteTurnInput): Promise<SessionRead> =>
  retryIfRunChanged(async () => {
    await attemptToDelete(stores, input)
    return readConversation(stores, input)
  })

async function attemptToDelete(
  stores: ConversationStores,
  { sub, sessionId, messageId }: DeleteTurnInput,
): Promise<void> {
  const [session, found] = await Promise.all([
    stores.conversations.find(sub, sessionId),
    stores.runs.find(sub, sessionId),
  ])
  if (!session || session === 'deleted') throw new ConversationNotFound(`no conversation ${sessionId}`)
  const recovered = found && (await recoverRun(stores, found))
  const run = (recovered && (await commitReplacement(stores, recovered)))?.run ?? recovered
  if (run && isActive(run)) throw new RunInProgress(`run ${run.runId} is ${run.status}`)
  const outline = await stores.messages.loadOutline(sub, sessionId)
  const turn = outline.find(({ id }) => id === messageId)?.turn
  let branches = run?.branches
  if (turn === undefined) {
    // an earlier request may have failed before the count
    await recountMessages(stores, { sub, sessionId, branches })
    throw new MessageNotFound(`no message ${messageId}`)
  }
  if (run) {
    const turns = new Set(outline.map((message) => message.turn))
    branches = removeTurn(branches, turn, run.turn, (other) => turns.has(other))
    await stores.runs.showBranch(run, branches, turn === run.turn)
  }
  await stores.summaries.clear(sub, sessionId)
  const usedIds = new Set(outline.flatMap((message) => (message.turn === turn ? [] : message.fileIds)))
  const unusedIds = outline
    .flatMap((message) => (message.turn === turn ? message.fileIds : []))
    .filter((id) => !usedIds.has(id))
  if (unusedIds.length > 0) await stores.files.deleteConversationFiles(sub, [sessionId], new Set(unusedIds))
  await stores.transcripts.deleteTurn(sub, sessionId, turn)
  const messageIds = outline.flatMap((message) => (message.turn === turn ? [message.id] : []))
  const removeRatings = () =>
    Promise.all(messageIds.map((id) => stores.feedback.remove(sub, { sessionId, messageId: id })))
  await removeRatings()
  // last, because a repeat finds its turn by them
  await stores.messages.deleteTurn(sub, sessionId, turn)
  // one that was given meanwhile
  await removeRatings()
  await recountMessages(stores, { sub, sessionId, branches })
}
