import type { Attachment } from '#shared/contracts/files.ts'
import { SessionNotFound } from '../conversations/errors.ts'
import type { PlacedMessage } from '../conversations/message-repository.ts'
import { recount } from '../conversations/recount-messages.ts'
import type { StoredSession } from '../conversations/conversation-repository.ts'
import type { Stores } from '../conversations/stores.ts'
import { findPath, showNewest } from './branches.ts'
import { endReplacement } from './commit-replacement.ts'
import { recoverRun } from './recover-run.ts'
import { isActive, type Run } from './run.ts'

/** What goes along with a new message: the newest ones that fit, whole; as many as one read of the table gives. */
export const context = { maxCharacters: 48_000, maxMessages: 100 }

/** A message that a user sends to a conversation. */
export interface TurnRequest {
  sub: string
  sessionId: string
  messageId: string
  content: string
  /** without links */
  attachments?: readonly Attachment[]
  /** id of the user's message that this one takes the place of */
  replaces?: string | undefined
  /** the reply to the message is incomplete, and is to go on */
  continues?: boolean | undefined
  /** whether a chat that begins now is kept out of the history; one that is in it stays there */
  unkept?: boolean
}

/** A conversation as a new message finds it. */
export interface Loaded {
  session: StoredSession | undefined
  run: Run | undefined
  /** the newest messages of the branch that is shown, oldest first; of the newest turn's where the message is that turn's */
  recent: PlacedMessage[]
}

/**
 * Reads everything in the table that a turn depends on, in one round trip; another one where turns that are not shown fill its page.
 * @throws SessionNotFound for a deleted conversation
 */
export async function loadTurn(
  { sessions, runs, messages }: Pick<Stores, 'sessions' | 'runs' | 'messages'>,
  { sub, sessionId, messageId, replaces }: Pick<TurnRequest, 'sub' | 'sessionId' | 'messageId' | 'replaces'>,
): Promise<Loaded> {
  // the replaced message may be far back, and what stood before it is the context
  const reach = replaces === undefined ? context : {}
  const [session, run, read] = await Promise.all([
    sessions.find(sub, sessionId),
    runs.find(sub, sessionId),
    messages.newestRows(sub, sessionId, reach),
  ])
  if (session === 'deleted') throw new SessionNotFound(`conversation ${sessionId} was deleted`)
  const path = findPath(run?.messageId === messageId ? showNewest(run.branches) : run?.branches)
  const newest = await messages.newest(sub, sessionId, { ...reach, path, read })
  return { session, run, recent: newest.messages }
}

/**
 * Ends what an earlier turn has left unfinished: a run that lost its writer, a replaced message that is still shown, a count that a crash
 * cut short. Costs no request where nothing was left.
 * @returns the conversation as it is after that
 */
export async function repairTurn(stores: Stores, request: TurnRequest, loaded: Loaded): Promise<Loaded> {
  const { session } = loaded
  const run = loaded.run && (await recoverRun(stores, loaded.run))
  // a crash may have come before what the last message replaced was an earlier version
  const isReplaced = session !== undefined && run && (await endReplacement(stores, run))
  if (isReplaced) return repairTurn(stores, request, await loadTurn(stores, request))
  // what a repeat finds may have been cut short, between a message and its count
  if (session && run?.messageId === request.messageId && !isActive(run)) await recount(stores, run)
  const isRecovered = run !== loaded.run || run?.status === 'interrupted'
  if (!run || !isRecovered) return { ...loaded, run }
  // a recovered reply belongs to the conversation from here on
  const { recent } = await loadTurn(stores, request)
  return { session, run, recent }
}
