import type { SessionRead } from '#shared/contracts/sessions.ts'
import { hasTurn, listVersions, showTurn } from './store/branches.ts'
import { commitReplacement } from './turns/commit-replacement.ts'
import { RunInProgress, MessageNotFound, ConversationNotFound, VersionNotFound } from './store/errors.ts'
import { recoverRun } from './turns/recover-run.ts'
import { findShownPath, isActive, isEmptyAttempt } from './store/run.ts'
import { readConversation } from './read-conversation.ts'
import { recountMessages } from './store/recount-messages.ts'
import { retryIfRunChanged } from './store/retry-if-run-changed.ts'
import type { ConversationStores } from './store/conversation-stores.ts'

interface ShowVersionInput {
  sub: string
  sessionId: string
  messageId: string
  version?: number | undefined
}

/**
 * Shows another branch of a conversation: one write, which the next message's claim of the conversation depends on.
 * @param input the `version` of the message, from 1; without it the message itself, whichever branch it is in
 * @returns the conversation with the newest messages of that branch
 * @throws ConversationNotFound, MessageNotFound, VersionNotFound; RunInProgress while a reply is written or waits; RunChanged
 */
export async function showVersion(stores: ConversationStores, input: ShowVersionInput): Promise<SessionRead> {
  return retryIfRunChanged(async () => {
    await attemptToShow(stores, input)
    return readConversation(stores, input)
  })
}

async function attemptToShow(
  stores: ConversationStores,
  { sub, sessionId, messageId, version }: ShowVersionInput,
): Promise<void> {
  const [session, found, turn] = await Promise.all([
    stores.conversations.find(sub, sessionId),
    stores.runs.find(sub, sessionId),
    stores.messages.findTurn(sub, sessionId, messageId),
  ])
  if (!session || session === 'deleted') throw new ConversationNotFound(`no conversation ${sessionId}`)
  if (turn === undefined) throw new MessageNotFound(`no message ${messageId}`)
  const recovered = found && (await recoverRun(stores, found))
  const run = (recovered && (await commitReplacement(stores, recovered)))?.run ?? recovered
  // a message that was to replace another, and has no reply, is found at that one
  const foundTurn = run?.turn === turn && isEmptyAttempt(run) ? (run.replaces?.turn ?? turn) : turn
  const chosenTurn = version === undefined ? foundTurn : listVersions(run?.branches, foundTurn)[version - 1]
  if (chosenTurn === undefined) throw new VersionNotFound(`${messageId} has no version ${version}`)
  if (run && isActive(run)) throw new RunInProgress(`run ${run.runId} is ${run.status}`)
  // without versions everything is shown
  if (!run?.branches) return
  const isShown = hasTurn(findShownPath(run), chosenTurn)
  const { branches } = isShown
    ? run
    : await stores.runs.showBranch(run, showTurn(run.branches, chosenTurn, run.turn))
  // even if it is shown already: an earlier request may have failed before the count
  await recountMessages(stores, { ...run, branches })
}
