import * as z from 'zod'
import { chatContracts } from '#shared/contracts/routes/chat.ts'
import type { ChatRequest } from '#shared/contracts/chat.ts'
import { repliesAtOnce, tokensPerDay } from '#shared/limits.ts'
import { conversationFiles } from '../files/conversation-files.ts'
import { apiFunction, type ApiCall } from '../platform/api-function.ts'
import { parseEnv } from '../platform/env.ts'
import { BadRequest } from '../platform/errors.ts'
import { gatekeeper } from '../platform/gatekeeper.ts'
import { openObjectStore } from '../platform/object-store.ts'
import { readingTogether } from '../platform/reading-together.ts'
import { secretStore } from '../platform/secret-store.ts'
import { openTable } from '../platform/table.ts'
import { RunNotFound } from '../runs/errors.ts'
import { ReplyLog } from '../runs/reply-log.ts'
import { openStores } from '../sessions/stores.ts'
import { profileRepository } from '../settings/profile-repository.ts'
import { settingsRepository } from '../settings/settings-repository.ts'
import { answerRun } from './answer-run.ts'
import { followedAnswer, followedStream, liveAnswer, storedAnswer } from './answers.ts'
import { resolveAttachments } from './attachments.ts'
import { progressFrom } from './progress.ts'
import { openImageModel } from './image-model.ts'
import { openModel } from './model.ts'
import type { SaidMessage } from './prompt.ts'
import { replyBudget, type Place } from './reply-budget.ts'
import { readOfUser, replyInput, type OfUser, type ReplyMeans } from './reply-input.ts'
import { runReply, runUnsavedReply } from './run-reply.ts'
import { startTurn, type Turn } from './start-turn.ts'
import { stopRun } from './stop-run.ts'
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
})
// a turn begins with the reads of several rows, and the user waits for them
const table = readingTogether(openTable(env.TABLE_NAME))
const attached = { files: conversationFiles(table), store: openObjectStore(env.UPLOADS_BUCKET) }
const stores = openStores(table, attached)
const settings = settingsRepository(table)
const budget = replyBudget(table, {
  repliesAtOnce: env.REPLIES_AT_ONCE ?? gatekeeper().limits.scaled(repliesAtOnce),
  tokensPerDay: env.TOKENS_PER_DAY ?? gatekeeper().limits.scaled(tokensPerDay),
})
const secrets = secretStore()
const readKey = () => secrets.read(env.MODEL_KEY_SECRET)
const server = { baseUrl: env.OPENAI_BASE_URL, readKey }
const means: ReplyMeans = {
  model: openModel({ ...server, model: env.OPENAI_MODEL }),
  imageModel:
    env.OPENAI_IMAGE_MODEL === undefined
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

/** A handler that may begin a reply, within the user's budget of replies at once and tokens a day. */
const withinBudget =
  <Call extends Replying, Answer>(handle: (call: Call, place: Place) => Promise<Answer>) =>
  async (call: Call): Promise<Answer> => {
    const place = budget.take(call.user.sub, call.remainingMs(), call.log)
    try {
      return await handle(call, place)
    } finally {
      await place.leave()
    }
  }

async function answerUnsaved(call: ApiCall<'chat.send'>, place: Place) {
  const { sub } = call.user
  const [said] = await Promise.all([saidInBody(sub, call.body), place.taken])
  const reply = new ReplyLog()
  reply.push({ type: 'start', messageId: crypto.randomUUID(), messageMetadata: {} })
  const input = replyInput(call, means, {
    sub,
    said,
    hints: call.body,
    kept: false,
    ...progressFrom(partialOf(call.body)),
    reply,
  })
  return liveAnswer(call, reply, place.until(runUnsavedReply(input), input.progress))
}

async function beginReply(
  call: ApiCall<'chat.send'>,
  { run, said, partial, stored, published }: Extract<Turn, { kind: 'started' }>,
  saidInRequest: readonly SaidMessage[],
  { ofUser, place }: { ofUser: OfUser; place: Place },
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
    ...progressFrom(kept ? partial : partialOf(call.body)),
    reply,
  }
  const input = replyInput(call, means, to, ofUser)
  const ended = place.until(runReply(stores, run, { ...input, stored, published }), input.progress)
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
  'chat.send': withinBudget(async (call: ApiCall<'chat.send'>, place) => {
    const { sessionId, messageId = crypto.randomUUID(), keep } = call.body
    if (sessionId === undefined) return answerUnsaved(call, place)
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
      admitted: place.taken,
    })
    if (turn.kind === 'started') return beginReply(call, turn, await said, { ofUser, place })
    if (turn.kind === 'running') return followedAnswer(call, stores, turn.run)
    return storedAnswer(call, turn.run, await stores.files.links(sub, turn.messages))
  }),

  'runs.events': async (call) => {
    const run = await stores.runs.find(call.user.sub, call.params.sessionId)
    if (!run) throw new RunNotFound(`no run in ${call.params.sessionId}`)
    return followedStream(call, stores, run)
  },

  'runs.stop': async ({ user, params, body }) => {
    const run = await stopRun(stores, { sub: user.sub, sessionId: params.sessionId, runId: body.runId })
    return { success: true as const, run }
  },

  'runs.answer': withinBudget((call: ApiCall<'runs.answer'>, place) =>
    answerRun(call, { ...means, stores, place }),
  ),
})
