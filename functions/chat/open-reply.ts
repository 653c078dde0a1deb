import { adminGroup } from '#shared/user-pool.ts'
import { waitForAll } from '../platform/wait-for-all.ts'
import { waitLimitsMs } from '../platform/wait-limits.ts'
import { deadlineMarginMs } from '../conversations/store/liveness.ts'
import { toReading, type ReadingWait } from '../files/file-links.ts'
import type { Reading } from '#shared/contracts/files.ts'
import type { ConversationStores } from '../conversations/store/conversation-stores.ts'
import type { StoredMessage } from '../conversations/store/message-row.ts'
import { ReplyLog } from '../conversations/store/reply-log.ts'
import { abandon, type StartedTurn } from '../conversations/turns/start-turn.ts'
import { explainToAdministrator } from './administrator-errors.ts'
import { openSummary } from './conversation-summary.ts'
import type { LoadedRequest, SendCall, SendMessageDeps } from './load-request.ts'
import type { ModelChoice } from './model-list.ts'
import { addNotice, beginReply } from './progress.ts'
import { limitContext, shareLimits } from './prompt/context-limits.ts'
import { toDate } from './prompt/message-notes.ts'
import { addTranscripts } from './prompt/transcript.ts'
import type { OpenedReply, Reply, ReplyDeps } from './reply.ts'
import { CallLedger } from './tools/call-ledger.ts'
import { mayBillSearches } from './usage.ts'

/** The code of prompts is loaded beside the other work of the start. */
const loadingPrompt = import('./prompt/load-prompt.ts')

/** The start of a reply: what does not follow from its model and its request. */
export type ReplyStart = Pick<
  Reply,
  | 'user'
  | 'isSaved'
  | 'sessionId'
  | 'projectId'
  | 'assistant'
  | 'history'
  | 'hasEarlier'
  | 'startDate'
  | 'summaryStore'
  | 'titleStore'
  | 'hints'
  | 'disabledTools'
  | 'schedule'
  | 'spending'
  | 'events'
  | 'progress'
  | 'continues'
  | 'decidedCalls'
> & { choice: ModelChoice }

/** Opens the model of a reply, and begins to load its prompt. */
export function openReply(
  call: Pick<SendCall, 'requestId' | 'receivedAtMs' | 'remainingMs' | 'log' | 'user'>,
  deps: ReplyDeps,
  { choice: { model, effort, notice }, ...start }: ReplyStart,
): Reply {
  if (notice) addNotice(start, notice)
  const { requestId, receivedAtMs, remainingMs, log, user } = call
  const { sub, issuedAt, groups } = user
  const opened = deps.models.open(model)
  const reply: OpenedReply = {
    ...start,
    sub,
    issuedAt,
    groups,
    model: user.groups.includes(adminGroup) ? explainToAdministrator(opened, model.id) : opened,
    modelName: model.id,
    contextTokens: model.contextTokens,
    contextLimits: limitContext(model, start.schedule),
    price: model.price,
    mayBillSearches: mayBillSearches(model),
    ...(effort !== undefined && { effort }),
    ledger: new CallLedger(deps.toolProvider, { sub, isSaved: start.isSaved, requestId }),
    receivedAtMs: start.progress.roundMessages.length === 0 ? receivedAtMs : undefined,
    requestId,
    remainingMs,
    log,
  }
  const loading = new AbortController()
  const waitingDeps: ReplyDeps = {
    ...deps,
    fileDeps: { ...deps.fileDeps, readingWait: waitForReadings(reply, loading.signal) },
  }
  const prompt = loadingPrompt.then(({ loadPrompt }) => loadPrompt(waitingDeps, reply))
  // awaited later; this handler only prevents an `unhandledRejection`
  prompt.catch(() => undefined)
  return {
    ...reply,
    prompt,
    endWaits: () => loading.abort(),
    loadPrompt: async (share, begun) =>
      (await loadingPrompt).loadPrompt(waitingDeps, {
        ...reply,
        contextLimits: shareLimits(reply.contextLimits, share),
        progress: { ...reply.progress, given: begun.given, cut: begun.cut },
      }),
  }
}

/** What a model needs at least of the time of its function, in ms. */
const modelShareMs = 60_000

/**
 * The wait of a reply for its documents. It leaves the model its time, and tells readers what is waited for and what became of it, and how
 * far those of the message have been read.
 */
function waitForReadings(
  { events, history, remainingMs }: Pick<OpenedReply, 'events' | 'history' | 'remainingMs'>,
  signal: AbortSignal,
): ReadingWait {
  const sentStates = new Map<string, Reading['state'] | undefined>(
    history.at(-1)?.attachments?.map(({ id }) => [id, undefined]),
  )
  return {
    endsAtMs:
      performance.now() + Math.min(waitLimitsMs.reading, remainingMs() - deadlineMarginMs - modelShareMs),
    signal,
    onReading: (file) => {
      const { id, name } = file
      const reading = toReading(file)
      if (!reading || reading.state === sentStates.get(id)) return
      if (reading.state !== 'pending' && !sentStates.has(id)) return
      sentStates.set(id, reading.state)
      events.push({ type: 'data-reading', data: { id, name, reading } })
    },
  }
}

/** Opens the reply to a message. If that fails in a run, the message can be sent again. @param turn its run; undefined if nothing is stored */
export async function openNewReply(
  call: SendCall,
  deps: SendMessageDeps,
  loaded: LoadedRequest,
  turn: StartedTurn | undefined,
): Promise<Reply> {
  const { user, choice, assistant } = loaded
  const start = { user, choice, hints: call.body, spending: deps.reservation }
  const conversation = await (turn ? beginTurn(deps.stores, loaded, turn) : beginStateless(loaded))
  if (assistant.notice) addNotice(conversation, assistant.notice)
  return openReply(call, deps, { ...start, ...conversation })
}

/** The part of the start that the conversation determines. */
type ConversationStart = Omit<ReplyStart, 'user' | 'choice' | 'hints' | 'spending'>

async function beginTurn(
  stores: ConversationStores,
  { turn: loadedTurn, partialReply: partialOfRequest, assistant, loadHistory }: LoadedRequest,
  turn: StartedTurn,
): Promise<ConversationStart> {
  const { run } = turn
  const { sub, sessionId, isSaved } = run
  const events = new ReplyLog()
  events.push({
    type: 'start',
    messageId: run.replyId,
    messageMetadata: { sessionId, runId: run.runId, ...(!isSaved && { kept: isSaved }) },
  })
  const [[partialReply], history, transcripts = []] = await waitForAll([
    stores.files.addLinks(sub, turn.partialReply ? [turn.partialReply] : []),
    isSaved ? turn.history : loadHistory(),
    loadedTurn?.transcripts,
  ]).catch(async (error: unknown) => {
    await abandon(stores, turn)
    throw error
  })
  const withTranscript = (message: StoredMessage | undefined) =>
    message && addTranscripts([message], transcripts)[0]
  return {
    history: isSaved ? addTranscripts(turn.history, transcripts) : history,
    hasEarlier: turn.hasEarlier,
    startDate: loadedTurn?.state.session?.created_at.slice(0, 10) ?? toDate(run.startedAtMs),
    disabledTools: run.disabledTools,
    schedule: run.schedule,
    projectId: run.projectId,
    assistant: assistant.reply,
    isSaved,
    ...(isSaved && { sessionId, summaryStore: openSummary(stores, run), titleStore: stores.conversations }),
    events,
    ...beginReply(
      events,
      isSaved ? withTranscript(partialReply) : partialOfRequest,
      withTranscript(turn.earlierReply),
    ),
  }
}

async function beginStateless(loaded: LoadedRequest): Promise<ConversationStart> {
  const { disabledTools, projectId, assistant, partialReply } = loaded
  const events = new ReplyLog()
  events.push({ type: 'start', messageId: crypto.randomUUID(), messageMetadata: {} })
  return {
    history: await loaded.loadHistory(),
    hasEarlier: false,
    startDate: toDate(Date.now()),
    disabledTools,
    projectId,
    assistant: assistant.reply,
    isSaved: false,
    events,
    ...beginReply(events, partialReply),
  }
}
