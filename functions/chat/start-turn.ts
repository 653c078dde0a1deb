import type { ToolCall } from '#shared/contracts/chat.ts'
import type { Attachment } from '#shared/contracts/files.ts'
import { serviceError } from '#shared/chat-errors.ts'
import { isInternal, isRealContent } from '#shared/message-content.ts'
import { sessionTitle, untitled } from '#shared/session-title.ts'
import { AppError } from '../platform/errors.ts'
import { persistence } from '../platform/persistence.ts'
import { RunChanged, RunInProgress } from '../runs/errors.ts'
import { isActive, unkeptForSeconds, type Run } from '../runs/run.ts'
import { SessionNotCreated, SessionNotFound } from '../sessions/errors.ts'
import type { PlacedMessage } from '../sessions/message-repository.ts'
import { recount } from '../sessions/recount.ts'
import { recoverRun } from '../runs/recover-run.ts'
import { waitForRun } from '../runs/wait-for-run.ts'
import { removeReplaced } from '../runs/remove-replaced.ts'
import type { StoredSession } from '../sessions/session-repository.ts'
import type { Stores } from '../sessions/stores.ts'
import { MessageNotFound } from '../sessions/errors.ts'
import { context } from './prompt.ts'

export interface TurnRequest {
  sub: string
  sessionId: string
  messageId: string
  content: string
  /** without links */
  attachments?: Attachment[] | Promise<Attachment[]>
  /** id of the user's message that this one takes the place of */
  replaces?: string | undefined
  /** the reply to the message is incomplete, and is to go on */
  continues?: boolean | undefined
  /** whether a chat that begins now is kept out of the history; one that is in it stays there (DEC-033) */
  unkept?: boolean | Promise<boolean>
  /** whether a reply may begin at all; nothing is claimed before it resolves */
  admitted?: Promise<unknown>
}

/** What a message leads to: a run of its own, the one it already has, or the reply it already got. */
export type Turn =
  | {
      kind: 'started'
      run: Run
      said: PlacedMessage[]
      /** the incomplete reply that this run goes on with */
      partial?: PlacedMessage | undefined
      /** the calls of an earlier try at the message, which came to nothing */
      done?: ToolCall[]
      /** the message, on its way into the table: nothing may be acknowledged, and no model asked, before it is there */
      stored: Promise<unknown>
      /** and the conversation's row after it */
      published: Promise<unknown>
    }
  | { kind: 'running'; run: Run }
  | { kind: 'ended'; run: Run; messages: PlacedMessage[] }

interface Known {
  session: StoredSession | undefined
  run: Run | undefined
  recent: PlacedMessage[]
  kept: boolean
}

/** Everything the turn depends on, in one round trip. @throws SessionNotFound for a deleted conversation */
async function look(stores: Stores, request: TurnRequest): Promise<Known> {
  const { sub, sessionId, replaces, unkept = false } = request
  // the replaced message may be far back, and what stood before it is the context
  const reach = replaces === undefined ? context : {}
  const [session, found, { messages }, wantsNone] = await Promise.all([
    stores.sessions.find(sub, sessionId),
    stores.runs.find(sub, sessionId),
    stores.messages.newest(sub, sessionId, reach),
    unkept,
  ])
  if (session === 'deleted') throw new SessionNotFound(`conversation ${sessionId} was deleted`)
  const run = found && (await recoverRun(stores, found))
  // a crash may have come before what the last message replaced was gone
  if (session && run?.replaces && !isActive(run) && (await removeReplaced(stores, run)))
    return look(stores, request)
  const kept = session !== undefined || messages.length > 0 || !(wantsNone || run?.kept === false)
  const isRecovered = run !== found || run?.status === 'interrupted'
  if (!run || !isRecovered) return { session, run, recent: messages, kept }
  // a recovered reply belongs to the conversation from here on
  const again = await stores.messages.newest(sub, sessionId, reach)
  return { session, run, recent: again.messages, kept }
}

/** The incomplete reply that is to go on, where there is one. */
function partialReply({ run, recent }: Known, { messageId, continues }: TurnRequest) {
  // a try to go on that was cut leaves the reply as incomplete as it was
  const goesOn = run?.status === 'incomplete' || run?.status === 'interrupted'
  if (!continues || run?.messageId !== messageId || !goesOn) return undefined
  return recent.find(({ turn, place }) => turn === run.turn && place === 'reply')
}

/** The same message once more: its run goes on, or its reply is there. Undefined when it is to be answered now. */
function repeated(known: Known, request: TurnRequest): Turn | undefined {
  const { run, recent } = known
  const { messageId } = request
  if (run && !run.kept) return undefined
  if (run?.messageId === messageId) {
    if (isActive(run)) return { kind: 'running', run }
    if (partialReply(known, request)) return undefined
    // a try that came to nothing is tried again, in the same turn
    if (run.status === 'failed' || run.status === 'interrupted') return undefined
    return { kind: 'ended', run, messages: recent.filter(({ turn }) => turn === run.turn) }
  }
  const earlier = recent.find(({ id, role }) => id === messageId && role === 'user')
  if (!earlier || !run) return undefined
  const messages = recent.filter(({ turn }) => turn === earlier.turn)
  const answered = messages.some(({ role }) => role === 'assistant')
  const past: Run = { ...run, messageId, turn: earlier.turn, status: answered ? 'done' : 'failed' }
  delete past.error
  return { kind: 'ended', run: answered ? past : { ...past, error: serviceError(leftBehind) }, messages }
}

/** The conversation went on after a message whose reply failed: its place in it is past. */
const leftBehind = 'This message was not answered, and the conversation has gone on. Please send it again.'
/** What the message takes the place of. @throws MessageNotFound when it is none of the user's here */
function replacedBy({ run, recent }: Known, { messageId, replaces }: TurnRequest): Run['replaces'] {
  // a try that came to nothing still replaces what it was to replace
  if (run?.messageId === messageId && run.replaces) return run.replaces
  if (replaces === undefined) return undefined
  const found = recent.find(({ id, role }) => id === replaces && role === 'user')
  if (!found) throw new MessageNotFound(`no message ${replaces}`)
  return { messageId: found.id, turn: found.turn }
}

/** The turn's number, and a start later than everything said before (DEC-005). */
function nextRun(known: Known, request: TurnRequest): Run {
  const { run, recent, kept } = known
  // of a chat that is not kept nothing is stored that could be replaced
  const replaces = kept ? replacedBy(known, request) : undefined
  const retried = run?.messageId === request.messageId ? run.turn : undefined
  const last = recent.at(-1)
  const lastAtMs = last ? Date.parse(last.created_at) : 0
  const turn = retried ?? Math.max(run?.turn ?? 0, last?.turn ?? 0) + 1
  const startedAtMs = Math.max(Date.now(), lastAtMs + 1, (run?.startedAtMs ?? 0) + 2)
  return {
    sub: request.sub,
    sessionId: request.sessionId,
    runId: crypto.randomUUID(),
    turn,
    messageId: request.messageId,
    replyId: partialReply(known, request)?.id ?? crypto.randomUUID(),
    status: 'running',
    kept,
    ...(!kept && { ttl: Math.floor(Date.now() / 1000) + unkeptForSeconds }),
    startedAtMs,
    heartbeatAtMs: Date.now(),
    watchedUntilMs: 0,
    fileIds: [],
    pending: [],
    ...(replaces && { replaces }),
  }
}

/** HIST-17: a conversation is named by the first message a person wrote in it. */
function titleFor(
  { session, recent }: Known,
  { replaces }: Run,
  content: string,
): { title: string; retitle: boolean } {
  // the conversation's first message written anew names it anew
  const anew = replaces !== undefined && recent[0]?.turn === replaces.turn
  if (session?.title_set || (session && session.title !== untitled && !anew))
    return { title: session.title, retitle: false }
  const before = recent.filter(({ turn }) => turn < (replaces?.turn ?? Number.POSITIVE_INFINITY))
  const first = before.find(({ role, content: said }) => role === 'user' && !isInternal(said))
  return { title: sessionTitle(first?.content ?? content), retitle: session !== undefined }
}

function store(
  stores: Stores,
  known: Known,
  run: Run,
  { content, attachments }: { content: string; attachments: Attachment[] },
) {
  const { sub, sessionId } = run
  const message: PlacedMessage = {
    id: run.messageId,
    session_id: sessionId,
    role: 'user',
    content,
    attachments,
    tool_calls: [],
    created_at: new Date(run.startedAtMs).toISOString(),
    turn: run.turn,
    place: 'user',
  }
  const stored = Promise.all([
    stores.messages.put(sub, message, run.startedAtMs),
    stores.files.use(sub, sessionId, attachments),
  ]).catch((error: unknown) => {
    throw notStored(known, sessionId, error)
  })
  const said = [...known.recent.filter(({ turn }) => turn < (run.replaces?.turn ?? run.turn)), message]
  const publish = async ([gained]: [number | undefined, ...unknown[]]) => {
    // without a row nothing was counted yet: a crash may have come between message and row
    const added = known.session ? gained : said.filter((one) => isRealContent(one.content)).length
    const news = { ...titleFor(known, run, content), added: added ?? 0, at: message.created_at }
    // the reply that is meanwhile written cannot be stored without the row
    const { persist, repeated } = persistence()
    try {
      const { isSure } = await persist(() => stores.sessions.publish(sub, sessionId, news))
      if (added === undefined || !isSure || repeated()) await persist(() => recount(stores, run))
    } catch (error) {
      if (error instanceof SessionNotFound) {
        await stores.messages.takeBack(sub, message, run.startedAtMs)
        await stores.runs.remove(sub, sessionId)
      }
      throw error
    }
  }
  const published = stored.then(publish)
  // both are awaited by whoever answers; until then a failure is nobody's unhandled rejection
  published.catch(() => undefined)
  return { said, stored, published }
}

/** What the user is told when the message of a turn could not be stored. */
const notStored = ({ session }: Known, sessionId: string, error: unknown) =>
  error instanceof AppError || session
    ? error
    : new SessionNotCreated(`conversation ${sessionId}`, { cause: error })

/** Requests that meet at the same moment look again; more often than this is no chance meeting. */
const tries = 3

/**
 * Takes a message into its conversation: claims the run, stores the message, and publishes the conversation, which is made
 * when it is not there yet (HIST-13). The run is claimed when this resolves; message and row may still be on their way, so that the
 * prompt is made meanwhile (ADR 0020). Of a chat that is not kept only the run is claimed, and what was said is up to the caller.
 * @throws RunInProgress while another message is being answered (a run without a sign of life is waited for), SessionNotFound for a deleted conversation
 */
export async function startTurn(stores: Stores, request: TurnRequest): Promise<Turn> {
  for (let attempt = 1; ; attempt += 1) {
    const [known, attachments = []] = await Promise.all([
      look(stores, request),
      request.attachments,
      request.admitted,
    ])
    // what a repeat finds may have been cut short, between a message and its count
    const isRepeat = known.run?.messageId === request.messageId && !isActive(known.run)
    if (isRepeat && known.session) await recount(stores, request)
    const repeat = repeated(known, request)
    if (repeat) return repeat
    if (known.run && isActive(known.run)) {
      const now = await waitForRun(stores, known.run)
      if (attempt < tries && !(now && isActive(now))) continue
      throw new RunInProgress(`run ${known.run.runId} is ${now?.status}`)
    }
    try {
      const fileIds = attachments.map(({ id }) => id)
      const run = await stores.runs.claim({ ...nextRun(known, request), fileIds }, known.run)
      if (!run.kept) {
        const stored = stores.files.expire(request.sub, fileIds)
        return { kind: 'started', run, said: [], stored, published: stored }
      }
      const partial = partialReply(known, request)
      const { content } = request
      const tried = known.recent.find(({ turn, place }) => turn === run.turn && place === 'reply')
      const done = tried?.tool_calls ?? []
      return { kind: 'started', run, partial, done, ...store(stores, known, run, { content, attachments }) }
    } catch (error) {
      if (error instanceof RunChanged && attempt < tries) continue
      throw notStored(known, request.sessionId, error)
    }
  }
}
