import type { Session } from '#shared/contracts/messages.ts'
import { maxCopiedMegabytes, maxCopiedMessages } from '../platform/limits.ts'
import { countsAsMessage } from '#shared/message-content.ts'
import { addVersion, findPath, hasTurn } from './store/branches.ts'
import { claimFinishedRun } from './store/claim-finished-run.ts'
import type { ConversationStores } from './store/conversation-stores.ts'
import { ConversationNotFound, ConversationTooLong, MessageNotFound, RunInProgress } from './store/errors.ts'
import type { StoredMessage } from './store/message-repository.ts'
import { isActive } from './store/run.ts'
import { commitReplacement } from './turns/commit-replacement.ts'
import { recoverRun } from './turns/recover-run.ts'

interface CopyConversationInput {
  sub: string
  sessionId: string
  /** the last turn to copy is the one of this message */
  messageId: string
}

/**
 * Copies the branch of a message up to its turn into a new conversation, which has the files, the project and the choices of the old one. It
 * is listed once all of it is there.
 * @throws ConversationNotFound, MessageNotFound, RunInProgress if the message is being answered, ConversationTooLong
 */
export async function copyConversation(
  stores: ConversationStores,
  { sub, sessionId, messageId }: CopyConversationInput,
): Promise<Session> {
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
  // a message whose reply failed is no version yet, but replaces one
  const branches =
    isNewest && run.replaces ? addVersion(run.branches, lastTurn, run.replaces.turn) : run?.branches
  const path = findPath(branches, lastTurn)

  const id = crypto.randomUUID()
  const newIds = new Map<string, string>()
  let turn = 0
  let count = 0
  let bytes = 0
  let previous: StoredMessage | undefined
  try {
    for (let after: string | null | undefined; after !== null;) {
      const page = await messages.loadAfter(sub, sessionId, after)
      after = page.messages.some((message) => message.turn > lastTurn) ? null : page.next
      const copies: StoredMessage[] = []
      for (const message of page.messages) {
        if (message.turn > lastTurn || !hasTurn(path, message.turn)) continue
        if (message.turn !== previous?.turn) turn += 1
        previous = message
        const newId = crypto.randomUUID()
        newIds.set(message.id, newId)
        const contextStart = newIds.get(message.usage?.contextStart ?? '')
        copies.push({
          ...message,
          id: newId,
          session_id: id,
          turn,
          ...(message.usage && contextStart !== undefined && { usage: { ...message.usage, contextStart } }),
        })
      }
      bytes += Buffer.byteLength(JSON.stringify(copies))
      if (newIds.size > maxCopiedMessages || bytes > maxCopiedMegabytes * 1024 ** 2)
        throw new ConversationTooLong(`${newIds.size} messages, ${bytes} bytes`)
      await messages.putAll(sub, copies)
      const attachments = copies.flatMap((copy) => copy.attachments)
      await stores.files.addReferences(sub, id, attachments)
      count += copies.filter(({ content }) => countsAsMessage(content)).length
    }
    await claimFinishedRun(stores, {
      sub,
      sessionId: id,
      runId: crypto.randomUUID(),
      turn,
      messageId: crypto.randomUUID(),
      replyId: crypto.randomUUID(),
    })
    const { title, model, effort, disabled_tools: disabledTools, project_id: projectId } = session
    const { session: copy } = await conversations.upsert(sub, id, {
      title,
      replacesTitle: false,
      addedMessages: count,
      at: new Date().toISOString(),
      model,
      effort,
      disabledTools,
      projectId,
    })
    return copy
  } catch (error) {
    await runs.remove(sub, id)
    await stores.files.deleteConversationFiles(sub, [id])
    await messages.deleteAll(sub, id)
    throw error
  }
}
