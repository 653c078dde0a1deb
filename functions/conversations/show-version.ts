import type { SessionRead } from '#shared/contracts/sessions.ts'
import { findPath, hasTurn, listVersions, showTurn } from '../runs/branches.ts'
import { endReplacement } from '../runs/commit-replacement.ts'
import { RunChanged, RunInProgress } from '../runs/errors.ts'
import { recoverRun } from '../runs/recover-run.ts'
import { isActive } from '../runs/run.ts'
import { MessageNotFound, SessionNotFound, VersionNotFound } from './errors.ts'
import { readSession } from './read-conversation.ts'
import { recount } from './recount-messages.ts'
import type { Stores } from './stores.ts'

/** Requests that meet at the same moment look again; more often than this is no chance meeting. */
const tries = 3

interface Wanted {
  sub: string
  sessionId: string
  messageId: string
  version?: number | undefined
}

/**
 * Shows another branch of a conversation: one write, which the next message's claim of the conversation depends on.
 * @param wanted the `version` of the message, from 1; without it the message itself, whichever branch it is in
 * @returns the conversation with the newest messages of that branch
 * @throws SessionNotFound, MessageNotFound, VersionNotFound; RunInProgress while a reply is written or waits; RunChanged
 */
export async function showVersion(stores: Stores, wanted: Wanted): Promise<SessionRead> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await tryToShow(stores, wanted)
      return await readSession(stores, wanted)
    } catch (error) {
      if (!(error instanceof RunChanged && attempt < tries)) throw error
    }
  }
}

async function tryToShow(stores: Stores, { sub, sessionId, messageId, version }: Wanted): Promise<void> {
  const [session, found, turn] = await Promise.all([
    stores.sessions.find(sub, sessionId),
    stores.runs.find(sub, sessionId),
    stores.messages.findTurn(sub, sessionId, messageId),
  ])
  if (!session || session === 'deleted') throw new SessionNotFound(`no conversation ${sessionId}`)
  if (turn === undefined) throw new MessageNotFound(`no message ${messageId}`)
  const recovered = found && (await recoverRun(stores, found))
  const run = (recovered && (await endReplacement(stores, recovered)))?.run ?? recovered
  const chosen = version === undefined ? turn : listVersions(run?.branches, turn)[version - 1]
  if (chosen === undefined) throw new VersionNotFound(`${messageId} has no version ${version}`)
  if (run && isActive(run)) throw new RunInProgress(`run ${run.runId} is ${run.status}`)
  // without versions everything is shown
  if (!run?.branches) return
  const isShown = hasTurn(findPath(run.branches), chosen)
  const { branches } = isShown
    ? run
    : await stores.runs.showBranch(run, showTurn(run.branches, chosen, run.turn))
  // also of what is shown already: this may repeat a switch that was cut before its count
  await recount(stores, { sub, sessionId, branches })
}
