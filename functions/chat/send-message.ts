import type { ChatRequest } from '#shared/contracts/chat.ts'
import type { ApiCall } from '../platform/http/api-function.ts'
import { BadRequest } from '../platform/errors.ts'
import type { OpenSlots } from '../platform/dynamodb/open-slots.ts'
import { waitForAll } from '../platform/wait-for-all.ts'
import { loadTurn } from '../runs/load-turn.ts'
import { ReplyLog } from '../runs/reply-log.ts'
import { startTurn } from '../runs/start-turn.ts'
import type { Stores } from '../conversations/stores.ts'
import { followedAnswer, liveAnswer, storedAnswer } from './response/reply-response.ts'
import { resolveAttachments } from './prompt/resolve-attachments.ts'
import { progressFrom } from './progress.ts'
import type { SaidMessage } from './prompt/prompt.ts'
import type { Reservation } from './reply-budget.ts'
import { readUser, replyInput, type ReplyMeans } from './reply-input.ts'
import { runReply, runUnsavedReply } from './run-reply.ts'

type SendCall = ApiCall<'chat.send'>

interface Means extends ReplyMeans {
  stores: Stores
  reservation: Reservation
  streams: OpenSlots
  /** reads the model's key, which is held for minutes */
  readKey: () => Promise<string>
}

/** The incomplete reply that ends a request to go on with it. */
function findPartial({ messages, continues }: Pick<ChatRequest, 'messages' | 'continues'>) {
  const last = messages.at(-1)
  return continues && last?.role === 'assistant' ? { content: last.content } : undefined
}

/** The message to be answered. @throws BadRequest when the last message is none of a user's with text or files */
function findQuestion(request: ChatRequest) {
  const last = request.messages.at(findPartial(request) ? -2 : -1)
  if (last?.role !== 'user') throw new BadRequest('The last message must be one of the user.')
  if (last.content.trim() === '' && !last.attachments?.length) throw new BadRequest('The message is empty.')
  return last
}

/** The question's files. @throws AttachmentNotFound, AttachmentUnfinished for one that is none of the caller's, or not there yet */
function readQuestionFiles({ attached }: ReplyMeans, { user, body }: SendCall) {
  const isStored = body.sessionId !== undefined && body.keep !== false
  return resolveAttachments(
    attached.files,
    user.sub,
    findQuestion(body).attachments,
    isStored ? 'refused' : 'by text',
  )
}

/** The model asks for it next. Where it cannot be read, the model's request tells so. */
const readKeyAhead = ({ readKey }: Pick<Means, 'readKey'>) => readKey().catch(() => undefined)

/** The conversation up to the question, as the request has it: what is not stored comes along each time. */
async function readRequestMessages(
  { attached }: ReplyMeans,
  { user, body }: SendCall,
  questionFiles: SaidMessage['attachments'],
): Promise<SaidMessage[]> {
  const question = findQuestion(body)
  const before = body.messages.slice(0, body.messages.lastIndexOf(question))
  const said = before.map(async ({ role, content, attachments }) => ({
    role,
    content,
    attachments: await resolveAttachments(attached.files, user.sub, attachments, 'by name'),
  }))
  return [
    ...(await waitForAll(said)),
    { role: 'user', content: question.content, attachments: [...(questionFiles ?? [])] },
  ]
}

/**
 * Answers a message. Two steps of requests to the table stand before the model: what the turn depends on is read while the call and the
 * reply are admitted; then the run is claimed and the message stored (ADR 0042).
 * @throws BadRequest, AttachmentNotFound, AttachmentUnfinished, SessionNotFound, RunInProgress, what refuses the call or the reply
 */
export async function sendMessage(call: SendCall, means: Means) {
  const { body } = call
  const { sub } = call.user
  if (body.sessionId === undefined) return sendUnsaved(call, means)
  const { stores, reservation, streams } = means
  const { sessionId, messageId = crypto.randomUUID(), keep, replaces, continues } = body
  const question = findQuestion(body)
  const [, , attachments, loaded, user] = await waitForAll([
    call.guard(),
    reservation.admit(),
    readQuestionFiles(means, call),
    loadTurn(stores, { sub, sessionId, messageId, replaces }),
    readUser(means, sub),
    readKeyAhead(means),
  ])

  const request = {
    sub,
    sessionId,
    messageId,
    content: question.content,
    attachments,
    replaces,
    continues,
    unkept: keep === false || !user.settings.keep_conversations,
  }
  const turn = await startTurn(stores, request, loaded)
  if (turn.kind === 'running') return followedAnswer(call, { stores, streams }, turn.run)
  if (turn.kind === 'ended') return storedAnswer(call, turn.run, await stores.files.links(sub, turn.messages))

  const { run } = turn
  const { kept } = run
  const reply = new ReplyLog()
  reply.push({
    type: 'start',
    messageId: run.replyId,
    messageMetadata: { sessionId, runId: run.runId, ...(!kept && { kept }) },
  })
  const input = replyInput(call, means, {
    sub,
    user,
    said: kept ? turn.said : await readRequestMessages(means, call, attachments),
    hints: body,
    kept,
    ...progressFrom(kept ? turn.partial : findPartial(body), turn.done),
    reply,
    spending: reservation,
  })
  const ended = runReply(stores, run, input, kept ? turn : undefined)
  return liveAnswer(call, reply, reservation.until(ended))
}

/** Answers a message of a chat without an id: the body of the request is all there is. */
async function sendUnsaved(call: SendCall, means: Means) {
  const { body } = call
  const { sub } = call.user
  const { reservation } = means
  findQuestion(body)
  const [, , attachments, user] = await waitForAll([
    call.guard(),
    reservation.admit(),
    readQuestionFiles(means, call),
    readUser(means, sub),
    readKeyAhead(means),
  ])
  const reply = new ReplyLog()
  reply.push({ type: 'start', messageId: crypto.randomUUID(), messageMetadata: {} })
  const input = replyInput(call, means, {
    sub,
    user,
    said: await readRequestMessages(means, call, attachments),
    hints: body,
    kept: false,
    ...progressFrom(findPartial(body)),
    reply,
    spending: reservation,
  })
  return liveAnswer(call, reply, reservation.until(runUnsavedReply(input)))
}
