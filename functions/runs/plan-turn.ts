import type { ToolCall } from '#shared/contracts/chat.ts'
import { serviceError } from '#shared/chat-texts.ts'
import { isInternal } from '#shared/message-content.ts'
import { sessionTitle, untitled } from '#shared/session-title.ts'
import { MessageNotFound } from '../conversations/errors.ts'
import type { PlacedMessage } from '../conversations/message-repository.ts'
import { addTurn, maxForks, showNewest } from './branches.ts'
import { TooManyVersions } from './errors.ts'
import type { Loaded, TurnRequest } from './load-turn.ts'
import { isActive, unkeptForSeconds, type Run } from './run.ts'

/** A turn that begins with a run of its own. */
export interface NewTurn {
  kind: 'start'
  /** as it is to be claimed */
  run: Run
  /** the run that the claim takes the place of, as it was read */
  seen: Run | undefined
  /** the turn has no messages yet; otherwise an earlier try at the message has left some */
  isNew: boolean
  /** the user's message, as it is to be stored */
  message: PlacedMessage
  /** what was said, the message included; empty where nothing is stored */
  said: PlacedMessage[]
  /** the incomplete reply that this run goes on with */
  partial: PlacedMessage | undefined
  /** the calls of an earlier try at the message, which came to nothing */
  done: readonly ToolCall[]
  /** whether the conversation has its row */
  hasRow: boolean
  title: { title: string; retitle: boolean }
}

/** What a message leads to: a run of its own, the one it already has, or the reply it already got. */
export type TurnPlan =
  | NewTurn
  | { kind: 'running'; run: Run }
  | { kind: 'ended'; run: Run; messages: PlacedMessage[] }
  /** another message is being answered */
  | { kind: 'busy'; run: Run }

/** The incomplete reply that is to go on, where there is one. */
function findPartialReply({ run, recent }: Loaded, { messageId, continues }: TurnRequest) {
  // a try to go on that was cut leaves the reply as incomplete as it was
  const goesOn = run?.status === 'incomplete' || run?.status === 'interrupted'
  if (!continues || run?.messageId !== messageId || !goesOn) return undefined
  return recent.find(({ turn, place }) => turn === run.turn && place === 'reply')
}

/**
 * The same message without an answer, at the end of the conversation and later than its run: whoever stored it lost the claim, and died
 * before it took the message back.
 */
function findUnclaimed({ run, recent }: Loaded, { messageId }: TurnRequest): PlacedMessage | undefined {
  const last = recent.at(-1)
  const isUnclaimed = last?.id === messageId && last.place === 'user' && last.turn > (run?.turn ?? 0)
  return isUnclaimed ? last : undefined
}

/** The conversation went on after a message whose reply failed: its place in it is past. */
const leftBehind = 'This message was not answered, and the conversation has gone on. Please send it again.'

/** The same message once more: its run goes on, or its reply is there. Undefined when it is to be answered now. */
function findRepeat(loaded: Loaded, request: TurnRequest): TurnPlan | undefined {
  const { run, recent } = loaded
  const { messageId } = request
  if (run && !run.kept) return undefined
  if (run?.messageId === messageId) {
    if (isActive(run)) return { kind: 'running', run }
    if (findPartialReply(loaded, request)) return undefined
    // a try that came to nothing is tried again, in the same turn
    if (run.status === 'failed' || run.status === 'interrupted') return undefined
    return { kind: 'ended', run, messages: recent.filter(({ turn }) => turn === run.turn) }
  }
  const earlier = recent.find(({ id, role }) => id === messageId && role === 'user')
  if (!earlier || !run || findUnclaimed(loaded, request)) return undefined
  const messages = recent.filter(({ turn }) => turn === earlier.turn)
  const answered = messages.some(({ role }) => role === 'assistant')
  const past: Run = { ...run, messageId, turn: earlier.turn, status: answered ? 'done' : 'failed' }
  delete past.error
  return { kind: 'ended', run: answered ? past : { ...past, error: serviceError(leftBehind) }, messages }
}

/** What the message takes the place of. @throws MessageNotFound when it is none of the user's here */
function findReplaced({ run, recent }: Loaded, { messageId, replaces }: TurnRequest): Run['replaces'] {
  // a try that came to nothing still replaces what it was to replace
  if (run?.messageId === messageId && run.replaces) return run.replaces
  if (replaces === undefined) return undefined
  const found = recent.find(({ id, role }) => id === replaces && role === 'user')
  if (!found) throw new MessageNotFound(`no message ${replaces}`)
  return { messageId: found.id, turn: found.turn }
}

/** Which branch is shown while the message is answered, and after it: the one that it goes on with. @throws TooManyVersions */
function findBranches({ run }: Loaded, turn: number, { replaces }: Pick<Run, 'replaces'>): Run['branches'] {
  // a message that is tried again keeps the place that its turn has
  const branches = run?.turn === turn ? showNewest(run.branches) : addTurn(run?.branches, turn)
  const count = branches?.forks.length ?? 0
  if (count > maxForks || (replaces && count === maxForks)) throw new TooManyVersions(`${count} forks`)
  return branches
}

/** A conversation is named by the first message a person wrote in it. */
function chooseTitle(
  { session, recent }: Loaded,
  { replaces }: Pick<Run, 'replaces'>,
  content: string,
): NewTurn['title'] {
  // the conversation's first message written anew names it anew
  const anew = replaces !== undefined && recent[0]?.turn === replaces.turn
  if (session?.title_set || (session && session.title !== untitled && !anew))
    return { title: session.title, retitle: false }
  const before = recent.filter(({ turn }) => turn < (replaces?.turn ?? Number.POSITIVE_INFINITY))
  const first = before.find(({ role, content: said }) => role === 'user' && !isInternal(said))
  return { title: sessionTitle(first?.content ?? content), retitle: session !== undefined }
}

/**
 * Decides what becomes of a message; asks nobody.
 * @param nowMs the turn starts then, or later: after everything said before
 * @throws MessageNotFound when the message takes the place of one that is not there, TooManyVersions
 */
export function planTurn(loaded: Loaded, request: TurnRequest, nowMs: number): TurnPlan {
  const { session, run, recent } = loaded
  const { sub, sessionId, messageId, content, attachments = [], unkept = false } = request
  const repeat = findRepeat(loaded, request)
  if (repeat) return repeat
  if (run && isActive(run)) return { kind: 'busy', run }
  const kept = session !== undefined || recent.length > 0 || !(unkept || run?.kept === false)
  // of a chat that is not kept nothing is stored that could be replaced
  const replaces = kept ? findReplaced(loaded, request) : undefined
  const last = recent.at(-1)
  const lastAtMs = last ? Date.parse(last.created_at) : 0
  const again = run?.messageId === messageId ? run.turn : findUnclaimed(loaded, request)?.turn
  const turn = again ?? Math.max(run?.turn ?? 0, last?.turn ?? 0) + 1
  const startedAtMs = Math.max(nowMs, lastAtMs + 1, (run?.startedAtMs ?? 0) + 2)
  const partial = findPartialReply(loaded, request)
  const branches = findBranches(loaded, turn, { replaces })
  const next: Run = {
    sub,
    sessionId,
    runId: crypto.randomUUID(),
    turn,
    messageId,
    replyId: partial?.id ?? crypto.randomUUID(),
    status: 'running',
    kept,
    ...(!kept && { ttl: Math.floor(nowMs / 1000) + unkeptForSeconds }),
    startedAtMs,
    heartbeatAtMs: nowMs,
    watchedUntilMs: 0,
    fileIds: attachments.map(({ id }) => id),
    pending: [],
    ...(replaces && { replaces }),
    ...(branches && { branches }),
  }
  const message: PlacedMessage = {
    id: messageId,
    session_id: sessionId,
    role: 'user',
    content,
    attachments: [...attachments],
    tool_calls: [],
    created_at: new Date(startedAtMs).toISOString(),
    turn,
    place: 'user',
  }
  // what is later than the newest run is of a writer who lost the claim, and takes it back
  const claimed = recent.filter((one) => one.turn <= (run?.turn ?? one.turn))
  const before = claimed.filter((one) => one.turn < (replaces?.turn ?? turn))
  const tried = recent.find((one) => one.turn === turn && one.place === 'reply')
  return {
    kind: 'start',
    run: next,
    seen: run,
    isNew: again === undefined,
    message,
    said: kept ? [...before, message] : [],
    partial,
    done: tried?.tool_calls ?? [],
    hasRow: session !== undefined,
    title: chooseTitle(loaded, next, content),
  }
}
