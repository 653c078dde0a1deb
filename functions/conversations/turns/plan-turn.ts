import { sayConversation } from '#shared/sentences/conversations.ts'
import type { Attachment } from '#shared/contracts/files.ts'
import { toServiceFailure } from '#shared/chat-texts.ts'
import { isInternal } from '#shared/message-content.ts'
import { untitled } from '#shared/untitled.ts'
import { sessionTitle } from '#shared/session-title.ts'
import { MessageNotFound, TooManyVersions } from '../store/errors.ts'
import type { StoredConversation } from '../store/conversation-row.ts'
import { hasContent, type StoredMessage } from '../store/message-row.ts'
import { addTurn, maxForks, showNewest } from '../store/branches.ts'
import type { TurnState, TurnRequest } from './load-turn.ts'
import { isActive, isEmptyAttempt, temporaryTtlSeconds, type Run } from '../store/run.ts'
import { isMostlySameText } from './mostly-same-text.ts'

/** A turn that begins with a run of its own. */
export interface NewTurn {
  kind: 'start'
  run: Run
  /** the run that the claim replaces, as it was read */
  previousRun: Run | undefined
  /** the turn has no messages yet; otherwise an earlier attempt has left some */
  isNew: boolean
  /** the user's message to store */
  message: StoredMessage
  /** messages up to and including this one; empty for a temporary chat */
  history: StoredMessage[]
  /** whether the branch has messages before these */
  hasEarlier: boolean
  /** the run of a message that was to replace another and got no reply: this one takes its turn */
  droppedAttempt: Run | undefined
  /** the incomplete reply that this run continues */
  partialReply: StoredMessage | undefined
  /** what an earlier attempt at the message has left, which failed */
  earlierReply: StoredMessage | undefined
  hasRow: boolean
  /** when the conversation was last updated, if it has a row */
  previousAt?: string | undefined
  titleUpdate: { title: string; replacesTitle: boolean }
  /** whether the conversation's row already has all but the message's count, so that it can be written with the reply */
  canPublishLater: boolean
}

/** What a message leads to: a run of its own, the one it already has, or the reply it already got. */
export type TurnPlan =
  | NewTurn
  | { kind: 'running'; run: Run }
  | { kind: 'ended'; run: Run; messages: StoredMessage[] }
  /** another message is being answered */
  | { kind: 'busy'; run: Run }

/** Runs whose reply may have been cut: what it has can be continued. */
const resumable = new Set(['incomplete', 'interrupted', 'failed', 'stopped'])

/** The reply to continue, if there is one. */
function findPartialReply({ run, recentMessages }: TurnState, { messageId, continues }: TurnRequest) {
  if (!continues || run?.messageId !== messageId || !resumable.has(run.status)) return undefined
  const reply = recentMessages.find(({ turn, kind }) => turn === run.turn && kind === 'reply')
  return reply && hasContent(reply) ? reply : undefined
}

/**
 * The same message, stored without a reply after the turn of the newest run: its writer lost the claim, and died before it deleted the
 * message.
 */
function findUnclaimedMessage(
  { run, recentMessages }: TurnState,
  { messageId }: TurnRequest,
): StoredMessage | undefined {
  const last = recentMessages.at(-1)
  const isUnclaimed = last?.id === messageId && last.kind === 'user' && last.turn > (run?.turn ?? 0)
  return isUnclaimed ? last : undefined
}

/** The conversation has continued after a message whose reply failed. */
const superseded = toServiceFailure(sayConversation('message_superseded'))

/** Finds the run or the reply of a message that is sent again; undefined when it needs a new reply. */
function findRepeat(state: TurnState, request: TurnRequest): TurnPlan | undefined {
  const { run, recentMessages } = state
  const { messageId } = request
  if (run && !run.isSaved) return undefined
  if (run?.messageId === messageId) {
    if (isActive(run)) return { kind: 'running', run }
    if (findPartialReply(state, request)) return undefined
    // a failed attempt is repeated in the same turn; one that the user stopped is over
    const hasFailed = run.status === 'failed' || run.status === 'interrupted'
    if (hasFailed || (isEmptyAttempt(run) && run.status !== 'stopped')) return undefined
    return { kind: 'ended', run, messages: recentMessages.filter(({ turn }) => turn === run.turn) }
  }
  const earlier = recentMessages.find(({ id, role }) => id === messageId && role === 'user')
  if (!earlier || !run || findUnclaimedMessage(state, request)) return undefined
  const messages = recentMessages.filter(({ turn }) => turn === earlier.turn)
  const isAnswered = messages.some(({ role }) => role === 'assistant')
  const earlierRun: Run = { ...run, messageId, turn: earlier.turn, status: isAnswered ? 'done' : 'failed' }
  delete earlierRun.error
  delete earlierRun.errorCode
  delete earlierRun.failedAtMs
  delete earlierRun.requestId
  return {
    kind: 'ended',
    run: isAnswered
      ? earlierRun
      : { ...earlierRun, error: superseded.error, errorCode: { code: 'message_superseded' } },
    messages,
  }
}

/** Finds the message that this one replaces. @throws MessageNotFound when it is not a user message of this conversation */
function findReplacedMessage(
  { run, recentMessages }: TurnState,
  { messageId, replaces }: TurnRequest,
): Run['replaces'] {
  // a repeated message replaces what it was meant to replace, and nothing once it has
  if (run?.messageId === messageId) return run.replaces
  if (replaces === undefined) return undefined
  const found = recentMessages.find(({ id, role }) => id === replaces && role === 'user')
  if (!found) throw new MessageNotFound(`no message ${replaces}`)
  return { messageId: found.id, turn: found.turn }
}

/**
 * Whether the message is one of an export that is sent again, or mostly: with `replaces`, under its own id after a failed or incomplete
 * reply, or as a new message. What others wrote stays theirs, whoever sends it.
 */
const isImported = ({ recentMessages }: TurnState, { content }: Pick<TurnRequest, 'content'>): boolean =>
  recentMessages.some(
    (one) => one.role === 'user' && one.imported === true && isMostlySameText(content, one.content),
  )

/**
 * Which branch is shown while the message is answered and afterwards: the one that it continues. One that replaces another message changes
 * nothing before it has its reply. @throws TooManyVersions
 */
function findBranches(
  { run }: TurnState,
  { turn, messageId, replaces }: Pick<Run, 'turn' | 'messageId' | 'replaces'>,
): Run['branches'] {
  const continueBranch = () =>
    // a message that is sent again keeps its turn
    run?.messageId === messageId ? showNewest(run.branches) : addTurn(run?.branches, turn)
  const branches = replaces ? run?.branches : continueBranch()
  const count = branches?.forks.length ?? 0
  if (count > maxForks || (replaces && count === maxForks)) throw new TooManyVersions(`${count} forks`)
  return branches
}

/** The title comes from the conversation's first user message. */
function chooseTitle(
  { session, recentMessages, hasEarlier }: TurnState,
  { replaces }: Pick<Run, 'replaces'>,
  message: Pick<StoredMessage, 'content' | 'attachments'>,
): NewTurn['titleUpdate'] {
  const [oldest] = recentMessages
  // editing the first message changes the title, another reply to it does not
  const replacesFirst =
    replaces !== undefined &&
    !hasEarlier &&
    oldest?.turn === replaces.turn &&
    oldest.content !== message.content
  if (session?.title_set || (session && session.title !== untitled && !replacesFirst))
    return { title: session.title, replacesTitle: false }
  const before = recentMessages.filter(({ turn }) => turn < (replaces?.turn ?? Number.POSITIVE_INFINITY))
  const { content, attachments } =
    before.find((one) => one.role === 'user' && !isInternal(one.content)) ?? message
  const title = sessionTitle(
    content,
    attachments.map(({ name }) => name),
  )
  return { title, replacesTitle: session !== undefined }
}

/** Whether the row names the request's model, effort and tools; those that the request leaves open stay. */
function hasChoice(
  session: StoredConversation,
  {
    model,
    effort,
    disabledTools = [],
    assistant,
  }: Pick<TurnRequest, 'model' | 'effort' | 'disabledTools' | 'assistant'>,
): boolean {
  const isSameModel = model === undefined || (session.model === model && session.effort === effort)
  const isSameAssistant = JSON.stringify(session.assistant) === JSON.stringify(assistant)
  return (
    isSameModel &&
    isSameAssistant &&
    JSON.stringify(session.disabled_tools ?? []) === JSON.stringify(disabledTools)
  )
}

/** The attachment as the message stores it. */
function toStored(attachment: NonNullable<TurnRequest['attachments']>[number]): Attachment {
  const { isInUse: _, ...stored } = attachment
  return stored
}

/**
 * Decides what a message leads to; pure.
 * @param nowMs the turn starts then, or later: after all earlier messages
 * @throws MessageNotFound when the message replaces one that does not exist, TooManyVersions
 */
export function planTurn(state: TurnState, request: TurnRequest, nowMs: number): TurnPlan {
  const { session, run, recentMessages } = state
  const { sub, sessionId, messageId, content, attachments = [], isTemporary = false } = request
  const { requestId, model, effort, disabledTools = [], projectId, assistant, schedule } = request
  const repeat = findRepeat(state, request)
  if (repeat) return repeat
  if (run && isActive(run)) return { kind: 'busy', run }
  const isSaved =
    session !== undefined || recentMessages.length > 0 || !(isTemporary || run?.isSaved === false)
  // a temporary chat has no stored message to replace
  const replaces = isSaved ? findReplacedMessage(state, request) : undefined
  const last = recentMessages.at(-1)
  const lastAtMs = last ? Date.parse(last.created_at) : 0
  const retriedTurn = run?.messageId === messageId ? run.turn : findUnclaimedMessage(state, request)?.turn
  const droppedAttempt = run && isEmptyAttempt(run) && retriedTurn === undefined ? run : undefined
  const turn = retriedTurn ?? droppedAttempt?.turn ?? Math.max(run?.turn ?? 0, last?.turn ?? 0) + 1
  const startedAtMs = Math.max(nowMs, lastAtMs + 1, (run?.startedAtMs ?? 0) + 2)
  const partialReply = findPartialReply(state, request)
  const branches = findBranches(state, { turn, messageId, replaces })
  const next: Run = {
    sub,
    sessionId,
    runId: crypto.randomUUID(),
    epoch: (run?.epoch ?? 0) + 1,
    turn,
    messageId,
    replyId: partialReply?.id ?? crypto.randomUUID(),
    status: 'running',
    isSaved,
    ...(!isSaved && { ttl: Math.floor(nowMs / 1000) + temporaryTtlSeconds }),
    startedAtMs,
    heartbeatAtMs: nowMs,
    watchedUntilMs: 0,
    fileIds: attachments
      .filter(({ id, isInUse }) => !isInUse || droppedAttempt?.fileIds.includes(id))
      .map(({ id }) => id),
    pending: [],
    ...(requestId !== undefined && { requestId }),
    ...(model !== undefined && { model }),
    ...(effort !== undefined && { effort }),
    ...(disabledTools.length > 0 && { disabledTools: [...disabledTools] }),
    ...(projectId !== undefined && { projectId }),
    ...(assistant && { assistant }),
    ...(schedule && { schedule }),
    ...(replaces && { replaces }),
    ...(branches && { branches }),
  }
  const message: StoredMessage = {
    id: messageId,
    session_id: sessionId,
    role: 'user',
    content,
    attachments: attachments.map(toStored),
    tool_calls: [],
    created_at: new Date(startedAtMs).toISOString(),
    turn,
    kind: 'user',
    ...(isImported(state, request) && { imported: true }),
  }
  // messages after the newest run belong to a writer that lost the claim and will delete them
  const claimedMessages = recentMessages.filter((one) => one.turn <= (run?.turn ?? one.turn))
  const earlierMessages = claimedMessages.filter((one) => one.turn < (replaces?.turn ?? turn))
  const earlierReply = recentMessages.find((one) => one.turn === turn && one.kind === 'reply')
  const isNew = retriedTurn === undefined && droppedAttempt === undefined
  const chosenTitle = chooseTitle(state, next, message)
  // the title follows once the message has its reply
  const isLater = replaces !== undefined && session !== undefined && chosenTitle.replacesTitle
  if (isLater) next.replaces = { ...replaces, title: chosenTitle.title }
  const titleUpdate = isLater ? { title: session.title, replacesTitle: false } : chosenTitle
  return {
    kind: 'start',
    run: next,
    previousRun: run,
    isNew,
    message,
    history: isSaved ? [...earlierMessages, message] : [],
    hasEarlier: state.hasEarlier,
    droppedAttempt,
    partialReply,
    earlierReply,
    hasRow: session !== undefined,
    ...(session && { previousAt: session.updated_at }),
    titleUpdate,
    canPublishLater:
      session !== undefined &&
      isNew &&
      replaces === undefined &&
      attachments.length === 0 &&
      // else the list does not show it
      session.message_count > 0 &&
      session.archived !== true &&
      !titleUpdate.replacesTitle &&
      hasChoice(session, { model, effort, disabledTools, assistant }),
  }
}
