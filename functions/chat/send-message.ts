import type { ChatRequest } from '#shared/contracts/chat.ts'
import type { ApiCall } from '../platform/http/api-function.ts'
import { BadRequest } from '../platform/errors.ts'
import type { OpenSlots } from '../platform/dynamodb/open-slots.ts'
import { waitForAll } from '../platform/wait-for-all.ts'
import { loadTurn, type TurnRequest } from '../runs/load-turn.ts'
import { ReplyLog } from '../runs/reply-log.ts'
import { startTurn } from '../runs/start-turn.ts'
import type { Stores } from '../conversations/stores.ts'
import { respondFollowing, respondLive, respondStored } from './response/reply-response.ts'
import { resolveAttachments } from './prompt/resolve-attachments.ts'
import { progressFrom } from './progress.ts'
import type { PromptMessage } from './prompt/prompt.ts'
import type { Reservation } from './reply-budget.ts'
import { loadUserContext, buildReplyInput, type ReplyDeps } from './reply-input.ts'
import { runReply, runStatelessReply } from './run-reply.ts'

type SendCall = ApiCall<'chat.send'>

interface SendMessageDeps extends ReplyDeps {
  stores: Stores
  reservation: Reservation
  streams: OpenSlots
  /** reads the model's key, which is held for minutes */
  readKey: () => Promise<string>
}

/** The incomplete reply that ends a request to go on with it. */
function findPartialReply({ messages, continues }: Pick<ChatRequest, 'messages' | 'continues'>) {
  const last = messages.at(-1)
  return continues && last?.role === 'assistant' ? { content: last.content } : undefined
}

/** The message to be answered. @throws BadRequest when the last message is none of a user's with text or files */
function findUserMessage(request: ChatRequest) {
  const last = request.messages.at(findPartialReply(request) ? -2 : -1)
  if (last?.role !== 'user') throw new BadRequest('The last message must be one of the user.')
  if (last.content.trim() === '' && !last.attachments?.length) throw new BadRequest('The message is empty.')
  return last
}

/** The question's files. @throws AttachmentNotFound, AttachmentUnfinished for one that is none of the caller's, or not there yet */
function resolveMessageFiles({ fileDeps }: ReplyDeps, { user, body }: SendCall) {
  const isStored = body.sessionId !== undefined && body.keep !== false
  return resolveAttachments(
    fileDeps.files,
    user.sub,
    findUserMessage(body).attachments,
    isStored ? 'refused' : 'by text',
  )
}

/** The model asks for it next. Where it cannot be read, the model's request tells so. */
const prefetchKey = ({ readKey }: Pick<SendMessageDeps, 'readKey'>) => readKey().catch(() => undefined)

/** The conversation up to the question, as the request has it: what is not stored comes along each time. */
async function resolveRequestHistory(
  { fileDeps }: ReplyDeps,
  { user, body }: SendCall,
  messageFiles: PromptMessage['attachments'],
): Promise<PromptMessage[]> {
  const userMessage = findUserMessage(body)
  const before = body.messages.slice(0, body.messages.lastIndexOf(userMessage))
  const history = before.map(async ({ role, content, attachments }) => ({
    role,
    content,
    attachments: await resolveAttachments(fileDeps.files, user.sub, attachments, 'by name'),
  }))
  return [
    ...(await waitForAll(history)),
    { role: 'user', content: userMessage.content, attachments: [...(messageFiles ?? [])] },
  ]
}

/**
 * Answers a message. Two steps of requests to the table stand before the model: what the turn depends on is read while the call and the
 * reply are admitted; then the run is claimed and the message stored (ADR 0042).
 * @throws BadRequest, AttachmentNotFound, AttachmentUnfinished, SessionNotFound, RunInProgress, what refuses the call or the reply
 */
export async function sendMessage(call: SendCall, deps: SendMessageDeps) {
  const { body } = call
  const { sub } = call.user
  if (body.sessionId === undefined) return sendStateless(call, deps)
  const { stores, reservation, streams } = deps
  const { sessionId, messageId = crypto.randomUUID(), keep, replaces, continues } = body
  const userMessage = findUserMessage(body)
  const [, , attachments, loaded, user] = await waitForAll([
    call.admit(),
    reservation.admit(),
    resolveMessageFiles(deps, call),
    loadTurn(stores, { sub, sessionId, messageId, replaces }),
    loadUserContext(deps, sub),
    prefetchKey(deps),
  ])

  const request: TurnRequest = {
    sub,
    sessionId,
    messageId,
    content: userMessage.content,
    attachments,
    replaces,
    continues,
    isTemporary: keep === false || !user.settings.keep_conversations,
  }
  const turn = await startTurn(stores, request, loaded)
  if (turn.kind === 'running') return respondFollowing(call, { stores, streams }, turn.run)
  if (turn.kind === 'ended')
    return respondStored(call, turn.run, await stores.files.addLinks(sub, turn.messages))

  const { run } = turn
  const { kept: isSaved } = run
  const events = new ReplyLog()
  events.push({
    type: 'start',
    messageId: run.replyId,
    messageMetadata: { sessionId, runId: run.runId, ...(!isSaved && { kept: isSaved }) },
  })
  const input = buildReplyInput(call, deps, {
    sub,
    user,
    history: isSaved ? turn.history : await resolveRequestHistory(deps, call, attachments),
    hints: body,
    isSaved,
    ...progressFrom(isSaved ? turn.partial : findPartialReply(body), turn.earlierCalls),
    events,
    spending: reservation,
  })
  const ended = runReply(stores, run, input, isSaved ? turn : undefined)
  return respondLive(call, events, reservation.settleAfter(ended))
}

/** Answers a message of a chat without an id: the body of the request is all there is. */
async function sendStateless(call: SendCall, deps: SendMessageDeps) {
  const { body } = call
  const { sub } = call.user
  const { reservation } = deps
  findUserMessage(body)
  const [, , attachments, user] = await waitForAll([
    call.admit(),
    reservation.admit(),
    resolveMessageFiles(deps, call),
    loadUserContext(deps, sub),
    prefetchKey(deps),
  ])
  const events = new ReplyLog()
  events.push({ type: 'start', messageId: crypto.randomUUID(), messageMetadata: {} })
  const input = buildReplyInput(call, deps, {
    sub,
    user,
    history: await resolveRequestHistory(deps, call, attachments),
    hints: body,
    isSaved: false,
    ...progressFrom(findPartialReply(body)),
    events,
    spending: reservation,
  })
  return respondLive(call, events, reservation.settleAfter(runStatelessReply(input)))
}
