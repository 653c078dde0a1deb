import type { ChatRequest } from '#shared/contracts/chat.ts'
import type { ValidRequest } from '../platform/http/api-function.ts'
import { BadRequest } from '../platform/errors.ts'
import type { OpenSlots } from '../platform/dynamodb/open-slots.ts'
import { waitForAll } from '../platform/wait-for-all.ts'
import { loadTurn, type TurnRequest } from '../conversations/turns/load-turn.ts'
import { ReplyLog } from '../conversations/store/reply-log.ts'
import { abandon, startTurn } from '../conversations/turns/start-turn.ts'
import type { StoredMessage } from '../conversations/store/message-repository.ts'
import type { ConversationStores } from '../conversations/store/conversation-stores.ts'
import { respondFollowing, respondLive, respondStored } from '../conversations/replies/reply-response.ts'
import { ProjectNotFound } from '../projects/errors.ts'
import type { StoredProject } from '../projects/project-repository.ts'
import { resolveAttachments } from './prompt/resolve-attachments.ts'
import { beginReply } from './progress.ts'
import { toDate } from './prompt/message-notes.ts'
import type { PromptMessage } from './prompt/prompt.ts'
import { addTranscripts, transcriptFactor } from './prompt/transcript.ts'
import type { Reservation } from './reply-budget.ts'
import { loadUserContext, type ReplyDeps } from './reply.ts'
import { openReply } from './open-reply.ts'
import { openSummary } from './conversation-summary.ts'
import { runReply, runStatelessReply, finishConversation } from './run-reply.ts'

type SendCall = ValidRequest<'chat.send'>

interface SendMessageDeps extends ReplyDeps {
  stores: ConversationStores
  reservation: Reservation
  streams: OpenSlots
  /** reads the model's key, which is cached for minutes */
  readKey: () => Promise<string>
}

/** The incomplete reply at the end of a request that continues it. */
function findPartialReply({ messages, continues }: Pick<ChatRequest, 'messages' | 'continues'>) {
  const last = messages.at(-1)
  return continues && last?.role === 'assistant' ? { content: last.content } : undefined
}

/** Finds the message to reply to. @throws BadRequest when the last message is not a user message with text or files */
function findUserMessage(request: ChatRequest) {
  const last = request.messages.at(findPartialReply(request) ? -2 : -1)
  if (last?.role !== 'user') throw new BadRequest('The last message must be one of the user.')
  if (last.content.trim() === '' && !last.attachments?.length) throw new BadRequest('The message is empty.')
  return last
}

/** Resolves the files of the message. @throws AttachmentNotFound, AttachmentUnfinished */
function resolveMessageFiles({ fileDeps }: ReplyDeps, { user, body }: SendCall) {
  const isStored = body.sessionId !== undefined && body.keep !== false
  return resolveAttachments(
    fileDeps.files,
    user.sub,
    findUserMessage(body).attachments,
    isStored ? 'refused' : 'by text',
  )
}

/** The project that a new conversation begins in; of an existing one, the page may send what it was. @throws ProjectNotFound */
const findNewProject = ({ projects }: ReplyDeps, { user, body }: SendCall) =>
  body.project_id === undefined ? undefined : projects.find(user.sub, body.project_id)

/** @throws ProjectNotFound if the request names a project that does not exist */
function requireProject(found: StoredProject | undefined, { body }: SendCall) {
  if (body.project_id !== undefined && !found) throw new ProjectNotFound(`no project ${body.project_id}`)
  return found
}

/** Warms the cache of the model's key; if it cannot be read, the model request fails with the error. */
const prefetchKey = ({ readKey }: Pick<SendMessageDeps, 'readKey'>) => readKey().catch(() => undefined)

/** The messages of the request: a conversation that is not stored is sent whole each time. */
async function resolveRequestHistory(
  { fileDeps }: ReplyDeps,
  { user, body }: SendCall,
  messageFiles: PromptMessage['attachments'],
): Promise<PromptMessage[]> {
  const newMessage = findUserMessage(body)
  const before = body.messages.slice(0, body.messages.lastIndexOf(newMessage))
  const history = before.map(async ({ role, content, attachments }) => ({
    role,
    content,
    attachments: await resolveAttachments(fileDeps.files, user.sub, attachments, 'by name'),
  }))
  return [
    ...(await waitForAll(history)),
    { role: 'user', content: newMessage.content, attachments: [...(messageFiles ?? [])] },
  ]
}

/**
 * Replies to a message. Two round trips to the table precede the model request: loading the turn beside rate limits and budget, then
 * claiming the run and storing the message (ADR 0042).
 * @throws BadRequest, AttachmentNotFound, AttachmentUnfinished, ConversationNotFound, ProjectNotFound, RunInProgress, the errors of rate limits and budgets
 */
export async function sendMessage(call: SendCall, deps: SendMessageDeps) {
  const { body } = call
  const { sub } = call.user
  if (body.sessionId === undefined) return sendStateless(call, deps)
  const { stores, reservation, streams } = deps
  const { sessionId, messageId = crypto.randomUUID(), keep, replaces, continues } = body
  const newMessage = findUserMessage(body)
  const { historyLimits } = deps.models
  // with the turn, which has no need of them: finding that out first would take a round trip
  const loadingTranscripts = stores.transcripts.loadNewest(
    sub,
    sessionId,
    historyLimits.maxCharacters * transcriptFactor,
  )
  loadingTranscripts.catch(() => undefined)
  const [, attachments, loaded, user, newProject] = await waitForAll([
    call.guard(reservation.admit),
    resolveMessageFiles(deps, call),
    loadTurn(stores, { sub, sessionId, messageId, replaces, historyLimits }),
    loadUserContext(deps, sub),
    findNewProject(deps, call),
    prefetchKey(deps),
  ])

  // a conversation has the project that it was moved to since
  const defaults = loaded.session ?? requireProject(newProject, call)
  const projectId = loaded.session ? loaded.session.project_id : newProject?.id
  const choice = deps.models.choose(body, defaults ?? {})
  const disabledTools = body.disabledTools ?? defaults?.disabled_tools
  const request: TurnRequest = {
    sub,
    sessionId,
    messageId,
    content: newMessage.content,
    attachments,
    replaces,
    continues,
    isTemporary: keep === false || !user.settings.keep_conversations,
    model: choice.model.id,
    effort: choice.effort,
    disabledTools,
    projectId,
    historyLimits,
  }
  const turn = await startTurn(stores, request, loaded)
  if (turn.kind === 'running') return respondFollowing(call, { stores, streams }, turn.run)
  if (turn.kind === 'ended')
    return respondStored(call, turn.run, await stores.files.addLinks(sub, turn.messages))

  const { run } = turn
  const { isSaved } = run
  const events = new ReplyLog()
  events.push({
    type: 'start',
    messageId: run.replyId,
    messageMetadata: { sessionId, runId: run.runId, ...(!isSaved && { kept: isSaved }) },
  })
  const [[partialReply], history, transcripts] = await waitForAll([
    stores.files.addLinks(sub, turn.partialReply ? [turn.partialReply] : []),
    isSaved ? turn.history : resolveRequestHistory(deps, call, attachments),
    loadingTranscripts,
  ]).catch(async (error: unknown) => {
    await abandon(stores, turn)
    throw error
  })
  const earlier = (message: StoredMessage | undefined) => message && addTranscripts([message], transcripts)[0]
  const reply = openReply(call, deps, {
    sub,
    user,
    history: isSaved ? addTranscripts(turn.history, transcripts) : history,
    hasEarlier: turn.hasEarlier,
    startDate: loaded.session?.created_at.slice(0, 10) ?? toDate(run.startedAtMs),
    hints: body,
    disabledTools: run.disabledTools,
    projectId: run.projectId,
    choice,
    isSaved,
    ...(isSaved && {
      sessionId,
      summaryStore: openSummary(stores, run),
      titleStore: stores.conversations,
    }),
    ...beginReply(
      events,
      isSaved ? earlier(partialReply) : findPartialReply(body),
      earlier(turn.earlierReply),
    ),
    events,
    spending: reservation,
  })
  const replying = runReply(stores, run, reply, isSaved ? turn : undefined)
  const finished = reservation.settleAfter(replying, finishConversation(reply))
  return respondLive(call, events, { result: replying, finished })
}

/** Replies to a message without a conversation id: nothing is stored. */
async function sendStateless(call: SendCall, deps: SendMessageDeps) {
  const { body } = call
  const { sub } = call.user
  const { reservation } = deps
  findUserMessage(body)
  const [, attachments, user, found] = await waitForAll([
    call.guard(reservation.admit),
    resolveMessageFiles(deps, call),
    loadUserContext(deps, sub),
    findNewProject(deps, call),
    prefetchKey(deps),
  ])
  const project = requireProject(found, call)
  const choice = deps.models.choose(body, project ?? {})
  const events = new ReplyLog()
  events.push({ type: 'start', messageId: crypto.randomUUID(), messageMetadata: {} })
  const reply = openReply(call, deps, {
    sub,
    user,
    history: await resolveRequestHistory(deps, call, attachments),
    startDate: toDate(Date.now()),
    hints: body,
    disabledTools: body.disabledTools ?? project?.disabled_tools,
    projectId: project?.id,
    choice,
    isSaved: false,
    ...beginReply(events, findPartialReply(body)),
    events,
    spending: reservation,
  })
  const result = runStatelessReply(reply)
  return respondLive(call, events, { result, finished: reservation.settleAfter(result) })
}
