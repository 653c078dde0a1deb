import * as z from 'zod'
import type { Profile } from '#shared/contracts/account.ts'
import type { ChatRequest } from '#shared/contracts/chat.ts'
import { apiFunction, type ApiCall } from '../platform/api-function.ts'
import { parseEnv } from '../platform/env.ts'
import { BadRequest } from '../platform/errors.ts'
import { secretStore } from '../platform/secret-store.ts'
import { openTable } from '../platform/table.ts'
import { RunNotFound } from '../runs/errors.ts'
import { ReplyLog } from '../runs/reply-log.ts'
import { openStores } from '../sessions/stores.ts'
import { profileRepository } from '../settings/profile-repository.ts'
import { settingsRepository } from '../settings/settings-repository.ts'
import { answerRun } from './answer-run.ts'
import { followedAnswer, followedStream, liveAnswer, storedAnswer } from './answers.ts'
import { emptyProgress } from './generate.ts'
import { openModel } from './model.ts'
import { instructions, modelMessages } from './prompt.ts'
import { runReply, runUnsavedReply, type ReplyInput } from './run-reply.ts'
import { startTurn, type Turn } from './start-turn.ts'
import { stopRun } from './stop-run.ts'

const env = parseEnv({
  TABLE_NAME: z.string(),
  ASSISTANT_NAME: z.string(),
  OPENAI_BASE_URL: z.url().optional(),
  OPENAI_MODEL: z.string(),
  MODEL_KEY_SECRET: z.string(),
})
const table = openTable(env.TABLE_NAME)
const stores = openStores(table)
const settings = settingsRepository(table)
const profiles = profileRepository(table)
const secrets = secretStore()
const model = openModel({
  baseUrl: env.OPENAI_BASE_URL,
  model: env.OPENAI_MODEL,
  readKey: () => secrets.read(env.MODEL_KEY_SECRET),
})

/** The text to be answered. @throws BadRequest when the last message is none of a user's with text */
function question(messages: ChatRequest['messages']): string {
  const last = messages.at(-1)
  if (last?.role !== 'user') throw new BadRequest('The last message must be one of the user.')
  if (last.content.trim() === '') throw new BadRequest('The message is empty.')
  return last.content
}

type Said = Parameters<typeof modelMessages>[1]

function replyInput(
  { body, remainingMs, log }: Pick<ApiCall<'chat.send'>, 'body' | 'remainingMs' | 'log'>,
  said: Said,
  profile: Profile | undefined,
): ReplyInput {
  const system = instructions(env.ASSISTANT_NAME, body, new Date(), profile?.display_name)
  return {
    model,
    tools: [],
    messages: modelMessages(system, said),
    progress: emptyProgress(),
    reply: new ReplyLog(),
    remainingMs,
    log,
  }
}

async function answerUnsaved(call: ApiCall<'chat.send'>) {
  question(call.body.messages)
  const input = replyInput(call, call.body.messages, await profiles.find(call.user.sub))
  input.reply.push({ type: 'start', messageId: crypto.randomUUID(), messageMetadata: {} })
  return liveAnswer(call, input.reply, runUnsavedReply(input))
}

function beginReply(
  call: ApiCall<'chat.send'>,
  { run, said, published }: Extract<Turn, { kind: 'started' }>,
  profile: Profile | undefined,
) {
  const input = replyInput(call, run.kept ? said : call.body.messages, profile)
  const { sessionId, runId, replyId, kept } = run
  input.reply.push({
    type: 'start',
    messageId: replyId,
    messageMetadata: { sessionId, runId, ...(!kept && { kept }) },
  })
  const ended = runReply(stores, run, { ...input, published })
  return liveAnswer(call, input.reply, ended, published)
}

export const handler = apiFunction('chat', {
  'chat.send': async (call) => {
    const { sessionId, messageId = crypto.randomUUID(), messages, keep } = call.body
    if (sessionId === undefined) return answerUnsaved(call)
    const content = question(messages)
    const { sub } = call.user
    const unkept = settings.find(sub).then(({ keep_conversations }) => !keep_conversations || keep === false)
    const [turn, profile] = await Promise.all([
      startTurn(stores, { sub, sessionId, messageId, content, unkept }),
      profiles.find(sub),
    ])
    if (turn.kind === 'started') return beginReply(call, turn, profile)
    if (turn.kind === 'running') return followedAnswer(call, stores, turn.run)
    return storedAnswer(call, turn.run, turn.messages)
  },

  'runs.events': async (call) => {
    const run = await stores.runs.find(call.user.sub, call.params.sessionId)
    if (!run) throw new RunNotFound(`no run in ${call.params.sessionId}`)
    return followedStream(call, stores, run)
  },

  'runs.stop': async ({ user, params, body }) => {
    const run = await stopRun(stores, { sub: user.sub, sessionId: params.sessionId, runId: body.runId })
    return { success: true as const, run }
  },

  'runs.answer': (call) => answerRun(call, { stores, profiles, model, assistantName: env.ASSISTANT_NAME }),
})
