import assert from 'node:assert/strict'
import { isDeepStrictEqual } from 'node:util'
import type { ChatRequest } from '#shared/contracts/chat.ts'
import { png } from '../support/document-samples.ts'
import { ask, joinText, listTypes } from '../support/read-along.ts'
import type { StackUser } from '../support/stack-user.ts'
import { uploadFile } from '../support/upload.ts'
import { errors, mail, texts } from './model-fixtures.ts'

interface Input {
  /** with Gmail connected */
  user: StackUser
  /** id of the model, which chooses the API */
  model: string
}

export interface Scenario {
  name: string
  /** needs the answers of model-fixtures.ts; others also ask a real model */
  isScripted: boolean
  /** @throws Error that says what is wrong */
  run: (input: Input) => Promise<void>
}

const stopMs = 3_000

const message = (model: string, content: string): ChatRequest => ({
  model,
  messages: [{ role: 'user', content }],
  sessionId: crypto.randomUUID(),
  messageId: crypto.randomUUID(),
})

const send = (user: StackUser, body: ChatRequest) => user.call('chat.send', { body })

async function answers({ user, model }: Input, words: string, text: string): Promise<void> {
  const { content, error, notices = [] } = await send(user, message(model, words))
  assert.deepEqual({ content, error, notices }, { content: text, error: null, notices: [] })
}

async function streams({ user, model }: Input): Promise<void> {
  const received = await ask(user, message(model, 'JUDGE long')).finished
  assert.equal(joinText(received), texts.long)
  const deltas = received.filter(({ event }) => event !== '[DONE]' && event.type === 'text-delta')
  assert.ok(deltas.length > 2, `${deltas.length} pieces of text`)
}

async function stops({ user, model }: Input): Promise<void> {
  const body = message(model, 'JUDGE slow')
  const reply = ask(user, body)
  await reply.until(({ text }) => text() !== '')
  const params = { sessionId: body.sessionId ?? '' }
  const { run } = await user.call('sessions.read', { params })
  const startedAtMs = performance.now()
  await user.call('runs.stop', { params, body: { runId: run?.run_id ?? '' } })
  await reply.finished
  const tookMs = performance.now() - startedAtMs
  assert.ok(tookMs < stopMs, `the reply ended ${Math.round(tookMs)} ms after it was stopped`)
  const { messages } = await user.call('sessions.read', { params })
  assert.notEqual(messages.at(-1)?.content, '')
}

async function callsTool({ user, model }: Input): Promise<void> {
  const body = message(model, 'JUDGE tool')
  const { content, toolCalls } = await send(user, body)
  assert.equal(content, texts.tool)
  assert.deepEqual(
    toolCalls?.map(({ tool, parameters, result }) => [tool, parameters, result.success]),
    [['gmail_get_emails', { maxResults: 2 }, true]],
  )
  // the calls are part of the next request
  const next = { ...message(model, 'JUDGE plain'), sessionId: body.sessionId }
  assert.equal((await send(user, next)).content, texts.plain)
}

async function asksOnce({ user, model }: Input): Promise<void> {
  const body = message(model, 'JUDGE approval')
  await ask(user, body).finished
  const params = { sessionId: body.sessionId ?? '' }
  const { run } = await user.call('sessions.read', { params })
  const questions = run?.questions ?? []
  assert.equal(questions.length, 1, `${questions.length} questions for one call`)
  const [question] = questions
  assert.ok(
    question?.kind === 'approval' && isDeepStrictEqual(question.arguments, mail),
    JSON.stringify(question),
  )
  const decision = { runId: run?.run_id ?? '', callId: question.call_id, approved: true }
  const { content, toolCalls } = await user.call('runs.answer', { params, body: decision })
  assert.equal(content, texts.approval)
  assert.deepEqual(
    toolCalls?.map(({ tool, result }) => [tool, result.success]),
    [['gmail_send_email', true]],
  )
}

async function callsInParallel({ user, model }: Input): Promise<void> {
  const { content, toolCalls } = await send(user, message(model, 'JUDGE parallel'))
  assert.equal(content, texts.parallel)
  assert.deepEqual(
    toolCalls?.map(({ parameters, result }) => [parameters, result.success]),
    [
      [{ maxResults: 1 }, true],
      [{ maxResults: 3 }, true],
    ],
  )
}

async function showsReasoning({ user, model }: Input): Promise<void> {
  const received = await ask(user, message(model, 'JUDGE reasoning')).finished
  assert.equal(joinText(received), texts.reasoning)
  const reasoning = received
    .map(({ event }) => (event !== '[DONE]' && event.type === 'reasoning-delta' ? event.delta : ''))
    .join('')
  assert.equal(reasoning, texts.thought)
}

/** Scripted servers do not tell what they were sent: that the request is taken, without a notice, is all there is to see. */
async function seesImage({ user, model }: Input): Promise<void> {
  const content = png(20, 20, [255, 0, 0])
  const image = await uploadFile(user, { name: 'dot.png', type: 'image/png', content })
  const body = message(model, 'JUDGE image')
  const [question] = body.messages
  const { content: reply, notices = [] } = await send(user, {
    ...body,
    messages: [{ role: 'user', content: question?.content ?? '', attachments: [image] }],
  })
  assert.deepEqual({ reply, notices }, { reply: texts.image, notices: [] })
}

async function countsTokens({ user, model }: Input): Promise<void> {
  const received = await ask(user, message(model, 'JUDGE plain')).finished
  const usage = received.flatMap(({ event }) =>
    event !== '[DONE]' && event.type === 'message-metadata' ? (event.messageMetadata.usage ?? []) : [],
  )
  const last = usage.at(-1)
  assert.ok(last && last.inputTokens > 0 && last.outputTokens > 0, JSON.stringify(last))
  assert.notEqual(last.estimated, true, 'the tokens are an estimate')
}

const explains =
  (name: string, code: string) =>
  async ({ user, model }: Input): Promise<void> => {
    const body = message(model, `JUDGE error ${name}`)
    const { status, body: answer } = await user.send('chat.send', { body })
    assert.equal((answer as { code?: string }).code, code, `${status} ${JSON.stringify(answer)}`)
    const next = { ...message(model, 'JUDGE plain'), sessionId: body.sessionId }
    assert.equal((await send(user, next)).content, texts.plain, 'the conversation cannot go on')
  }

/** For a real model, whose words nobody knows. */
async function answersSomething({ user, model }: Input): Promise<void> {
  const received = await ask(user, message(model, 'Say hello in one short sentence.')).finished
  assert.ok(joinText(received).trim() !== '', listTypes(received).join(' '))
}

/** What a user of the product does with a model. */
export const scenarios: readonly Scenario[] = [
  { name: 'plain', isScripted: true, run: (input) => answers(input, 'JUDGE plain', texts.plain) },
  { name: 'long', isScripted: true, run: streams },
  { name: 'stop', isScripted: true, run: stops },
  { name: 'tool', isScripted: true, run: callsTool },
  { name: 'approval', isScripted: true, run: asksOnce },
  { name: 'parallel calls', isScripted: true, run: callsInParallel },
  { name: 'reasoning', isScripted: true, run: showsReasoning },
  { name: 'image', isScripted: true, run: seesImage },
  { name: 'usage', isScripted: true, run: countsTokens },
  ...Object.entries(errors).map(([name, { code }]) => ({
    name: `error ${name}`,
    isScripted: true,
    run: explains(name, code),
  })),
  { name: 'plain', isScripted: false, run: answersSomething },
  { name: 'usage', isScripted: false, run: countsTokens },
]
