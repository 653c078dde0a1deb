import { waitForAll } from '../platform/wait-for-all.ts'
import { ReplyLog } from '../conversations/store/reply-log.ts'
import type { StoredMessage } from '../conversations/store/message-repository.ts'
import { abandon, startTurn, type StartedTurn } from '../conversations/turns/start-turn.ts'
import type { ReplyOutcome } from '../conversations/replies/reply-response.ts'
import { loadRequest, type SendCall, type SendMessageDeps } from './load-request.ts'
import { addNotice, beginReply } from './progress.ts'
import { toDate } from './prompt/message-notes.ts'
import { addTranscripts } from './prompt/transcript.ts'
import { openReply, type ReplyStart } from './open-reply.ts'
import { openSummary } from './conversation-summary.ts'
import { runReply, runStatelessReply, finishConversation } from './run-reply.ts'

type LoadedRequest = Awaited<ReturnType<typeof loadRequest>>

/** What differs between a reply with a run and one without. */
type Beginning = Pick<
  ReplyStart,
  | 'history'
  | 'hasEarlier'
  | 'startDate'
  | 'disabledTools'
  | 'projectId'
  | 'assistant'
  | 'isSaved'
  | 'sessionId'
  | 'summaryStore'
  | 'titleStore'
> & { earlier: Parameters<typeof beginReply> }

/**
 * Replies to a message. Two round trips to the table precede the model request: loading the turn beside rate limits and budget, then
 * claiming the run and storing the message (ADR 0042).
 * @throws BadRequest, AttachmentNotFound, AttachmentUnfinished, ConversationNotFound, ProjectNotFound, RunInProgress, the errors of rate limits and budgets
 */
export async function sendMessage(call: SendCall, deps: SendMessageDeps): Promise<ReplyOutcome> {
  const { stores, reservation } = deps
  const loaded = await loadRequest(call, deps)
  const [turn] = await waitForAll([claimRun(call, deps, loaded), countUse(call, deps, loaded)])
  if (turn?.kind === 'running') return { kind: 'following', run: turn.run }
  if (turn?.kind === 'ended') {
    const messages = await stores.files.addLinks(call.user.sub, turn.messages)
    return { kind: 'stored', run: turn.run, messages }
  }
  const { earlier, ...beginning } = turn ? await beginTurn(deps, loaded, turn) : await beginStateless(loaded)
  const [events] = earlier
  const { user, choice, assistant } = loaded
  const start = { user, choice, hints: call.body, events, spending: reservation }
  if (assistant.notice) addNotice({ events }, assistant.notice)
  const reply = openReply(call, deps, { ...start, ...beginning, ...beginReply(...earlier) })
  const result = turn
    ? runReply(deps, turn.run, reply, turn.run.isSaved ? turn : undefined)
    : runStatelessReply(deps, reply)
  const finished = reservation.settleAfter(result, turn && finishConversation(deps, reply))
  return { kind: 'live', events, result, finished }
}

/** Counts a conversation that begins with somebody else's assistant. A count that fails stops nothing. */
async function countUse(
  { log }: SendCall,
  { assistants }: SendMessageDeps,
  { conversation, assistant: { stored, reply } }: LoadedRequest,
): Promise<void> {
  const begins = conversation?.state.session === undefined && conversation?.state.run === undefined
  if (!begins || !stored || !reply || reply.isMine) return
  await assistants
    .countUse(stored.id)
    .catch((error: unknown) => log.warn('the use of an assistant was not counted', { error }))
}

/** Stores the message and claims a run for its reply. @returns undefined for a conversation without an id, of which nothing is stored */
async function claimRun({ body }: SendCall, { stores }: SendMessageDeps, loaded: LoadedRequest) {
  const { message, attachments, conversation, user, choice, disabledTools, projectId, assistant } = loaded
  if (!conversation) return undefined
  const { keep, continues } = body
  return startTurn(
    stores,
    {
      ...conversation.request,
      content: message.content,
      attachments,
      continues,
      isTemporary: keep === false || !user.settings.keep_conversations,
      model: choice.model.id,
      effort: choice.effort,
      disabledTools,
      projectId,
      assistant: assistant.stored,
    },
    conversation.state,
  )
}

/** Begins the reply of a run. If that fails, the message can be sent again. */
async function beginTurn(
  { stores }: SendMessageDeps,
  loaded: LoadedRequest,
  turn: StartedTurn,
): Promise<Beginning> {
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
    isSaved ? turn.history : loaded.loadHistory(),
    loaded.conversation?.transcripts,
  ]).catch(async (error: unknown) => {
    await abandon(stores, turn)
    throw error
  })
  const withTranscript = (message: StoredMessage | undefined) =>
    message && addTranscripts([message], transcripts)[0]
  return {
    history: isSaved ? addTranscripts(turn.history, transcripts) : history,
    hasEarlier: turn.hasEarlier,
    startDate: loaded.conversation?.state.session?.created_at.slice(0, 10) ?? toDate(run.startedAtMs),
    disabledTools: run.disabledTools,
    projectId: run.projectId,
    assistant: loaded.assistant.reply,
    isSaved,
    ...(isSaved && { sessionId, summaryStore: openSummary(stores, run), titleStore: stores.conversations }),
    earlier: [
      events,
      isSaved ? withTranscript(partialReply) : loaded.partialReply,
      withTranscript(turn.earlierReply),
    ],
  }
}

/** Begins a reply of which nothing is stored. */
async function beginStateless(loaded: LoadedRequest): Promise<Beginning> {
  const events = new ReplyLog()
  events.push({ type: 'start', messageId: crypto.randomUUID(), messageMetadata: {} })
  return {
    history: await loaded.loadHistory(),
    hasEarlier: false,
    startDate: toDate(Date.now()),
    disabledTools: loaded.disabledTools,
    projectId: loaded.projectId,
    assistant: loaded.assistant.reply,
    isSaved: false,
    earlier: [events, loaded.partialReply],
  }
}
