import * as z from 'zod'
import { chatContracts } from '#shared/contracts/routes/chat.ts'
import type { ChatRequest } from '#shared/contracts/chat.ts'
import { eventStreamsAtOnce, imagesPerDay, repliesAtOnce, tokensPerDay } from '#shared/limits.ts'
import { conversationFiles } from '../files/conversation-files.ts'
import { apiFunction, type ApiCall } from '../platform/api-function.ts'
import { parseEnv } from '../platform/env.ts'
import { BadRequest } from '../platform/errors.ts'
import { gatekeeper } from '../platform/gatekeeper.ts'
import { openObjectStore } from '../platform/object-store.ts'
import { openSlots } from '../platform/open-slots.ts'
import { readingTogether } from '../platform/reading-together.ts'
import { secretStore } from '../platform/secret-store.ts'
import { openTable } from '../platform/table.ts'
import { RunNotFound } from '../runs/errors.ts'
import { ReplyLog } from '../runs/reply-log.ts'
import { openStores } from '../sessions/stores.ts'
import { profileRepository } from '../settings/profile-repository.ts'
import { settingsRepository } from '../settings/settings-repository.ts'
import { answerRun } from './answer-run.ts'
import { followedAnswer, followedStream, liveAnswer, storedAnswer, takeStream } from './answers.ts'
import { resolveAttachments } from './attachments.ts'
import { TooManyEventStreams } from './errors.ts'
import { progressFrom } from './progress.ts'
import { openImageModel } from './image-model.ts'
import { openModel } from './model.ts'
import type { SaidMessage } from './prompt.ts'
import { replyBudget, type Reservation } from './reply-budget.ts'
import { readOfUser, replyInput, type OfUser, type ReplyMeans } from './reply-input.ts'
import { runReply, runUnsavedReply } from './run-reply.ts'
import { startTurn, type Turn } from './start-turn.ts'
import { stopRun } from '../runs/stop-run.ts'
import { estimateTextTokens } from './token-estimate.ts'
import { toolsWhenUsed } from './tools-when-used.ts'

const env = parseEnv({
  TABLE_NAME: z.string(),
  UPLOADS_BUCKET: z.string(),
  ASSISTANT_NAME: z.string(),
  OPENAI_BASE_URL: z.url().optional(),
  OPENAI_MODEL: z.string(),
  OPENAI_IMAGE_MODEL: z.string().optional(),
  MODEL_KEY_SECRET: z.string(),
  OUTBOUND_ALLOW: z.string().optional(),
  REPLIES_AT_ONCE: z.coerce.number().int().positive().optional(),
  TOKENS_PER_DAY: z.coerce.number().int().positive().optional(),
  IMAGES_PER_DAY: z.coerce.number().int().nonnegative().optional(),
  SITE_TOKENS_PER_DAY: z.coerce.number().int().positive().optional(),
  STORAGE_GB_PER_USER: z.coerce.number().positive().optional(),
})
// a turn begins with the reads of several rows, and the user waits for them
const table = readingTogether(openTable(env.TABLE_NAME))
const attached = {
  files: conversationFiles(table, env.STORAGE_GB_PER_USER),
  store: openObjectStore(env.UPLOADS_BUCKET),
}
const stores = openStores(table, attached)
const settings = settingsRepository(table)
const { scaled } = gatekeeper().limits
const budget = replyBudget(table, {
  repliesAtOnce: env.REPLIES_AT_ONCE ?? scaled(repliesAtOnce),
  tokensPerDay: env.TOKENS_PER_DAY ?? scaled(tokensPerDay),
  imagesPerDay: env.IMAGES_PER_DAY ?? scaled(imagesPerDay),
  siteTokensPerDay: env.SITE_TOKENS_PER_DAY,
})
const streams = openSlots(table, {
  name: 'streams',
  most: scaled(eventStreamsAtOnce),
  refused: () => new TooManyEventStreams('too many streams are open'),
})
const secrets = secretStore()
const readKey = () => secrets.read(env.MODEL_KEY_SECRET)
const server = { baseUrl: env.OPENAI_BASE_URL, readKey }
const means: ReplyMeans = {
  model: openModel({ ...server, model: env.OPENAI_MODEL }),
  imageModel:
    env.OPENAI_IMAGE_MODEL === undefined || env.IMAGES_PER_DAY === 0
      ? undefined
      : openImageModel({
          ...server,
          model: env.OPENAI_IMAGE_MODEL,
          outboundAllow: env.OUTBOUND_ALLOW,
        }),
  assistantName: env.ASSISTANT_NAME,
  attached,
  profiles: profileRepository(table),
  settings,
  toolBox: toolsWhenUsed(table),
}

type Said = Pick<ChatRequest, 'messages' | 'continues'>

/** The incomplete reply that ends a request to go on with it. */
function partialOf({ messages, continues }: Said) {
  const last = messages.at(-1)
  return continues && last?.role === 'assistant' ? { content: last.content } : undefined
}

/** The message to be answered. @throws BadRequest when the last message is none of a user's with text or files */
function question(request: Said) {
  const last = request.messages.at(partialOf(request) ? -2 : -1)
  if (last?.role !== 'user') throw new BadRequest('The last message must be one of the user.')
  if (last.content.trim() === '' && !last.attachments?.length) throw new BadRequest('The message is empty.')
  return last
}

/** The conversation as a request tells it, up to the question; a file that is none of the caller's fails the question alone. */
async function saidInBody(sub: string, request: ChatRequest): Promise<SaidMessage[]> {
  const last = question(request)
  const unkept = request.sessionId === undefined || request.keep === false
  return Promise.all(
    request.messages.slice(0, request.messages.lastIndexOf(last) + 1).map(async (message) => {
      const { role, content } = message
      const missing = message !== last ? 'by name' : unkept ? 'by text' : 'refused'
      return {
        role,
        content,
        attachments: await resolveAttachments(attached.files, sub, message.attachments, missing),
      }
    }),
  )
}

type Replying = ApiCall<'chat.send'> | ApiCall<'runs.answer'>

/** A handler that may begin a reply, within the budgets of its user and of everybody together. */
const withinBudget =
  <Call extends Replying, Answer>(handle: (call: Call, reservation: Reservation) => Promise<Answer>) =>
  async (call: Call): Promise<Answer> => {
    const forMs = call.remainingMs()
    const reservation = budget.take(call.user.sub, { forMs, questionTokens: questionTokens(call) }, call.log)
    try {
      return await handle(call, reservation)
    } finally {
      await reservation.leave()
    }
  }

/** Of the messages that a request is about: all of them where nothing is stored, else the last one. */
function questionTokens({ body }: Replying): number {
  if (!('messages' in body)) return 0
  const messages = body.sessionId === undefined ? body.messages : body.messages.slice(-1)
  return messages.reduce((sum, { content }) => sum + estimateTextTokens(content), 0)
}

async function answerUnsaved(call: ApiCall<'chat.send'>, reservation: Reservation) {
  const { sub } = call.user
  const [said] = await Promise.all([saidInBody(sub, call.body), reservation.admitted])
  const reply = new ReplyLog()
  reply.push({ type: 'start', messageId: crypto.randomUUID(), messageMetadata: {} })
  const input = replyInput(call, means, {
    sub,
    said,
    hints: call.body,
    kept: false,
    ...progressFrom(partialOf(call.body)),
    reply,
    spending: reservation,
  })
  return liveAnswer(call, reply, reservation.until(runUnsavedReply(input)))
}

async function beginReply(
  call: ApiCall<'chat.send'>,
  { run, said, partial, done, stored, published }: Extract<Turn, { kind: 'started' }>,
  saidInRequest: readonly SaidMessage[],
  { ofUser, reservation }: { ofUser: OfUser; reservation: Reservation },
) {
  const { sub, sessionId, runId, replyId, kept } = run
  const reply = new ReplyLog()
  reply.push({
    type: 'start',
    messageId: replyId,
    messageMetadata: { sessionId, runId, ...(!kept && { kept }) },
  })
  const to = {
    sub,
    said: kept ? said : saidInRequest,
    hints: call.body,
    kept,
    ...progressFrom(kept ? partial : partialOf(call.body), done),
    reply,
    spending: reservation,
  }
  const input = replyInput(call, means, to, ofUser)
  const ended = reservation.until(runReply(stores, run, { ...input, stored, published }))
  try {
    await stored
  } catch (error) {
    // the reply that was begun comes to its end first: nothing works on when the function has answered
    await ended
    // nobody writes it any more: the same message may be sent again at once
    await stores.runs.end(run, partial ? 'incomplete' : 'failed').catch(() => undefined)
    throw error
  }
  return liveAnswer(call, reply, ended, published)
}

export const handler = apiFunction('chat', chatContracts, {
  'chat.send': withinBudget(async (call: ApiCall<'chat.send'>, reservation) => {
    const { sessionId, messageId = crypto.randomUUID(), keep } = call.body
    if (sessionId === undefined) return answerUnsaved(call, reservation)
    const { sub } = call.user
    const { content } = question(call.body)
    // everything that does not depend on anything else is on its way at once: the user waits for the first word
    const said = saidInBody(sub, call.body)
    const ofUser = readOfUser(means, { sub, message: content, hints: call.body })
    const turn = await startTurn(stores, {
      sub,
      sessionId,
      messageId,
      content,
      attachments: said.then((messages) => [...(messages.at(-1)?.attachments ?? [])]),
      replaces: call.body.replaces,
      continues: call.body.continues,
      unkept: settings.find(sub).then(({ keep_conversations }) => !keep_conversations || keep === false),
      admitted: reservation.admitted,
    })
    if (turn.kind === 'started') return beginReply(call, turn, await said, { ofUser, reservation })
    if (turn.kind === 'running') return followedAnswer(call, { stores, streams }, turn.run)
    return storedAnswer(call, turn.run, await stores.files.links(sub, turn.messages))
  }),

  'runs.events': async (call) => {
    const [run, slot] = await Promise.all([
      stores.runs.find(call.user.sub, call.params.sessionId),
      takeStream(streams, call),
    ])
    if (run) return followedStream(call, stores, run, slot)
    await slot.release()
    throw new RunNotFound(`no run in ${call.params.sessionId}`)
  },

  'runs.stop': async ({ user, params, body }) => {
    const run = await stopRun(stores, { sub: user.sub, sessionId: params.sessionId, runId: body.runId })
    return { success: true as const, run }
  },

  'runs.answer': withinBudget((call: ApiCall<'runs.answer'>, reservation) =>
    answerRun(call, { ...means, stores, reservation, streams }),
  ),
})
