import * as z from 'zod'
import type { ChatRequest } from '#shared/contracts/chat.ts'
import { apiFunction, type ApiCall } from '../platform/api-function.ts'
import { parseEnv } from '../platform/env.ts'
import { BadRequest } from '../platform/errors.ts'
import { secretStore } from '../platform/secret-store.ts'
import { openTable } from '../platform/table.ts'
import { RunNotFound } from '../runs/errors.ts'
import { ReplyLog } from '../runs/reply-log.ts'
import type { Run } from '../runs/run.ts'
import { openStores } from '../sessions/stores.ts'
import { answerRun } from './answer-run.ts'
import { followedAnswer, followedStream, liveAnswer, storedAnswer } from './answers.ts'
import { emptyProgress } from './generate.ts'
import { openModel } from './model.ts'
import { instructions, modelMessages } from './prompt.ts'
import { runReply, runUnsavedReply, type ReplyInput } from './run-reply.ts'
import { startTurn } from './start-turn.ts'
import { stopRun } from './stop-run.ts'

const env = parseEnv({
  TABLE_NAME: z.string(),
  ASSISTANT_NAME: z.string(),
  OPENAI_BASE_URL: z.url().optional(),
  OPENAI_MODEL: z.string(),
  MODEL_KEY_SECRET: z.string(),
})
const stores = openStores(openTable(env.TABLE_NAME))
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
): ReplyInput {
  const system = instructions(env.ASSISTANT_NAME, body, new Date())
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

function answerUnsaved(call: ApiCall<'chat.send'>) {
  question(call.body.messages)
  const input = replyInput(call, call.body.messages)
  input.reply.push({ type: 'start', messageId: crypto.randomUUID(), messageMetadata: {} })
  return liveAnswer(call, input.reply, runUnsavedReply(input))
}

function beginReply(call: ApiCall<'chat.send'>, run: Run, said: Said, published: Promise<unknown>) {
  const input = replyInput(call, said)
  const { sessionId, runId, replyId } = run
  input.reply.push({ type: 'start', messageId: replyId, messageMetadata: { sessionId, runId } })
  const ended = runReply(stores, run, { ...input, published })
  return liveAnswer(call, input.reply, ended, published)
}

export const handler = apiFunction('chat', {
  'chat.send': async (call) => {
    const { sessionId, messageId = crypto.randomUUID(), messages } = call.body
    if (sessionId === undefined) return answerUnsaved(call)
    const content = question(messages)
    const turn = await startTurn(stores, { sub: call.user.sub, sessionId, messageId, content })
    if (turn.kind === 'started') return beginReply(call, turn.run, turn.said, turn.published)
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

  'runs.answer': (call) => answerRun(call, { stores, model, assistantName: env.ASSISTANT_NAME }),
})
