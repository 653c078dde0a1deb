import type { DisabledTool } from '#shared/contracts/chat.ts'
import type { ConversationAssistant } from '#shared/contracts/messages.ts'
import type { Attachment } from '#shared/contracts/files.ts'
import { ConversationNotFound } from '../store/errors.ts'
import type { StoredMessage } from '../store/message-row.ts'
import { recountMessages } from '../store/recount-messages.ts'
import type { StoredConversation } from '../store/conversation-row.ts'
import type { ConversationStores } from '../store/conversation-stores.ts'
import { pageBytes } from '../../platform/limits.ts'
import { commitReplacement } from './commit-replacement.ts'
import { recoverRun } from './recover-run.ts'
import { findRunPath, findShownPath, isActive, type Run, type RunSchedule } from '../store/run.ts'

/** How much of a conversation is read for a prompt; one query returns as many messages. */
export interface HistoryLimits {
  maxCharacters: number
  maxMessages: number
}

/** A message that a user sends to a conversation. */
export interface TurnRequest {
  sub: string
  sessionId: string
  messageId: string
  /** id of the request that writes the reply, by which its logs are found */
  requestId?: string | undefined
  content: string
  /** without links; `isInUse`: a conversation or a project has the file already */
  attachments?: readonly (Attachment & { isInUse?: true })[]
  /** id of the user's message that this one takes the place of */
  replaces?: string | undefined
  /** the reply to the message is incomplete and will be continued */
  continues?: boolean | undefined
  /** whether a new conversation is temporary; a saved one stays saved */
  isTemporary?: boolean
  /** id of the model that replies, and how much it reasons */
  model?: string | undefined
  effort?: string | undefined
  /** what the reply may not use */
  disabledTools?: readonly DisabledTool[] | undefined
  /** the project of the conversation */
  projectId?: string | undefined
  /** the assistant of the conversation, with the version that replies */
  assistant?: ConversationAssistant | undefined
  /** the schedule that sends it, instead of the person */
  schedule?: RunSchedule | undefined
  historyLimits: HistoryLimits
}

/** State of a conversation before a new message. */
export interface TurnState {
  session: StoredConversation | undefined
  run: Run | undefined
  /** the newest messages of the branch that is shown, oldest first; if the message belongs to the newest turn, of that turn's branch */
  recentMessages: StoredMessage[]
  /** whether the branch has messages before these */
  hasEarlier: boolean
}

/**
 * Reads everything in the table that a turn depends on, in one round trip; another one if turns that are not shown fill its page.
 * @throws ConversationNotFound for a deleted conversation
 */
export async function loadTurn(
  { conversations, runs, messages }: Pick<ConversationStores, 'conversations' | 'runs' | 'messages'>,
  {
    sub,
    sessionId,
    messageId,
    replaces,
    historyLimits,
  }: Pick<TurnRequest, 'sub' | 'sessionId' | 'messageId' | 'replaces' | 'historyLimits'>,
): Promise<TurnState> {
  const [session, run, firstPage] = await Promise.all([
    conversations.find(sub, sessionId),
    runs.find(sub, sessionId),
    messages.loadNewestRows(sub, sessionId, replaces === undefined ? historyLimits : {}),
  ])
  if (session === 'deleted') throw new ConversationNotFound(`conversation ${sessionId} was deleted`)
  const repeatedRun = run?.messageId === messageId ? run : undefined
  const path = repeatedRun ? findRunPath(repeatedRun) : findShownPath(run ?? {})
  const newest = await messages.loadNewest(sub, sessionId, {
    ...historyLimits,
    maxBytes: pageBytes,
    path,
    firstPage,
    // what precedes the replaced message is the context, however far back it is
    through: repeatedRun ? repeatedRun.replaces?.messageId : replaces,
  })
  return { session, run, recentMessages: newest.messages, hasEarlier: newest.earlier !== null }
}

/**
 * Ends what an earlier turn has left unfinished: a run that lost its writer, a replaced message that is still shown, a count that a crash
 * cut short. Costs no request if nothing was left.
 * @returns the conversation as it is after that
 */
export async function repairTurn(
  stores: ConversationStores,
  request: TurnRequest,
  state: TurnState,
): Promise<TurnState> {
  const { session } = state
  const run = state.run && (await recoverRun(stores, state.run))
  // a crash may have left the message that the last one replaces in the shown branch
  const replacement = session !== undefined && run && (await commitReplacement(stores, run))
  if (replacement) return repairTurn(stores, request, await loadTurn(stores, request))
  // an earlier attempt, or its recovery, may have crashed after it stored a message, and before it counted it
  const mayBeUncounted = run?.messageId === request.messageId || run?.status === 'interrupted'
  if (session && run && mayBeUncounted && !isActive(run)) await recountMessages(stores, run)
  const isRecovered = run !== state.run || run?.status === 'interrupted'
  if (!run || !isRecovered) return { ...state, run }
  // a recovered reply belongs to the conversation from here on
  return { ...(await loadTurn(stores, request)), session, run }
}
