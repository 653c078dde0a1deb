/** @module-tag long */
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChatResponse } from '#shared/contracts/chat.ts'
import {
  beginStream,
  chunk,
  says,
  startFakeModel,
  type ModelBehaviour,
} from '../support/fake-model-server.ts'
import { type LocalStack, startStack } from '../support/local-stack.ts'
import { ask, reattach, joinText, findOnlyEvent, listTypes } from '../support/read-along.ts'
import type { StackUser } from '../support/stack-user.ts'

let model: Awaited<ReturnType<typeof startFakeModel>>
let stack: LocalStack
let ann: StackUser
beforeAll(async () => {
  model = await startFakeModel(says('Fine.'))
  stack = await startStack({
    env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_API_KEY: 'sk-wrong-key', RATE_LIMIT_FACTOR: '10' },
  })
  ann = await stack.newUser()
})
afterAll(async () => {
  await stack.stop()
  model.close()
})

/** An error in OpenAI's format, with words that users must not see. */
const failsWith =
  (code: number, headers: Record<string, string> = {}): ModelBehaviour =>
  (response) => {
    const message = `Incorrect API key provided: sk-wrong-key, your session expired, please sign in (${code})`
    response.writeHead(code, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify({ error: { message, type: 'error', param: null, code: 'secret_code' } }))
  }

const sends =
  (type: string, ...parts: string[]): ModelBehaviour =>
  async (response) => {
    response.writeHead(200, { 'content-type': type })
    // a caller that disconnects early is no failure of the model
    await pipeline(Readable.from(parts), response).catch(() => undefined)
  }

const events = (...parts: string[]) => sends('text/event-stream', ...parts)

/** Resolves when the page has received what was sent: unread data is lost with the connection. */
let untilRead: Promise<void> = Promise.resolve()

/** Sends this much of a reply, then breaks the connection. */
const breaksAfter =
  (...texts: string[]): ModelBehaviour =>
  async (response: ServerResponse) => {
    beginStream(response)
    for (const text of texts) response.write(chunk({ content: text }))
    await new Promise((sent) => response.write(': read so far\n\n', sent))
    await untilRead
    response.destroy()
  }

const megabyte = 'x'.repeat(1024 * 1024)

const keyRefusedText = "The assistant's model refused this product's key. Please tell the people who run it."
const brokenText = "The assistant's model had a problem. Please try again in a moment."
const notModelServerText =
  "The address of the assistant's model does not answer as a model does. Please tell the people who run this assistant."
const emptyText = "The assistant's model sent an empty reply. Please try again."
const unreadableText = "The assistant's model sent a reply that could not be read. Please try again."
const cutText = 'The reply was cut off. Please try again.'

interface Fault {
  name: string
  behaviour: ModelBehaviour
  userMessage: string
  code: string
  status: number
  /** the text that was written by then */
  text?: string
}

const faults: Fault[] = [
  {
    name: '401',
    behaviour: failsWith(401),
    userMessage: keyRefusedText,
    code: 'model_key_refused',
    status: 502,
  },
  {
    name: '403',
    behaviour: failsWith(403),
    userMessage: keyRefusedText,
    code: 'model_key_refused',
    status: 502,
  },
  {
    name: '404',
    behaviour: failsWith(404),
    userMessage: notModelServerText,
    code: 'model_server_missing',
    status: 502,
  },
  {
    name: '400',
    behaviour: failsWith(400),
    userMessage: keyRefusedText,
    code: 'model_key_refused',
    status: 502,
  },
  {
    name: '429',
    behaviour: failsWith(429, { 'retry-after': '21' }),
    userMessage: "The assistant's model is busy. Please try again in 21 seconds.",
    code: 'model_busy',
    status: 503,
  },
  { name: '500', behaviour: failsWith(500), userMessage: brokenText, code: 'model_broken', status: 502 },
  { name: '503', behaviour: failsWith(503), userMessage: brokenText, code: 'model_broken', status: 502 },
  { name: 'nothing at all', behaviour: events(), userMessage: emptyText, code: 'model_empty', status: 502 },
  {
    name: 'an empty reply',
    behaviour: events(chunk({ content: '' }), chunk({}, 'stop'), 'data: [DONE]\n\n'),
    userMessage: emptyText,
    code: 'model_empty',
    status: 502,
  },
  {
    name: 'white space only',
    behaviour: events(chunk({ content: ' \n ' }), chunk({}, 'stop'), 'data: [DONE]\n\n'),
    userMessage: emptyText,
    code: 'model_empty',
    status: 502,
    text: ' \n ',
  },
  {
    name: 'a web page',
    behaviour: sends('text/html', '<!doctype html><title>Please sign in</title>'),
    userMessage: notModelServerText,
    code: 'model_server_missing',
    status: 502,
  },
  {
    name: 'a web page of 10 MB',
    behaviour: sends('text/html', ...Array.from({ length: 10 }, () => megabyte)),
    userMessage: notModelServerText,
    code: 'model_server_missing',
    status: 502,
  },
  {
    name: 'events that are no JSON',
    behaviour: events('data: {"choices":[{"delta":{"content":"Hel\n\n'),
    userMessage: unreadableText,
    code: 'model_unreadable',
    status: 502,
  },
  {
    name: 'events that are no chunks',
    behaviour: events('data: 7\n\n', 'data: {"choices":{}}\n\n', 'data: [DONE]\n\n'),
    userMessage: emptyText,
    code: 'model_empty',
    status: 502,
  },
  {
    name: 'chunks whose choice is null',
    behaviour: events('data: {"choices":[null]}\n\n', 'data: [DONE]\n\n'),
    userMessage: emptyText,
    code: 'model_empty',
    status: 502,
  },
  {
    name: 'content that is no text',
    behaviour: events(chunk({ content: { secret: 1 } }), chunk({}, 'stop'), 'data: [DONE]\n\n'),
    userMessage: emptyText,
    code: 'model_empty',
    status: 502,
  },
  {
    name: 'an error within the stream',
    behaviour: events('data: {"error":{"message":"secret_code","type":"server_error"}}\n\n'),
    userMessage: brokenText,
    code: 'model_broken',
    status: 502,
  },
  {
    name: 'a connection that breaks at once',
    behaviour: (response) => response.destroy(),
    userMessage: "The assistant's model could not be reached. Please try again in a moment.",
    code: 'model_unreachable',
    status: 502,
  },
  {
    name: 'a connection that breaks half-way',
    behaviour: breaksAfter('Half of ', 'the answer'),
    userMessage: cutText,
    code: 'model_cut',
    status: 502,
    text: 'Half of the answer',
  },
  {
    name: 'a stream that stops without a finish reason',
    behaviour: events(chunk({ content: 'Half of it' })),
    userMessage: cutText,
    code: 'model_cut',
    status: 502,
    text: 'Half of it',
  },
  {
    name: 'an error half-way',
    behaviour: events(chunk({ content: 'Half of it' }), 'data: {"error":{"message":"secret_code"}}\n\n'),
    userMessage: cutText,
    code: 'model_cut',
    status: 502,
    text: 'Half of it',
  },
  {
    name: 'nonsense half-way',
    behaviour: events(chunk({ content: 'Half of it' }), 'data: {{{\n\n'),
    userMessage: cutText,
    code: 'model_cut',
    status: 502,
    text: 'Half of it',
  },
]

const question = () => ({
  messages: [{ role: 'user' as const, content: 'What is it?' }],
  sessionId: crypto.randomUUID(),
  messageId: crypto.randomUUID(),
})

/** Words of the model server, of keys and of sessions, which no error message may contain. */
const innerWords = /sk-wrong|secret|session|sign in|expired|127\.0\.0\.1|ECONN|chunk/i

/**
 * Must hold after any fault: it is reported in a sentence, the text so far is stored, and sending the same message again succeeds.
 * @returns the second reply
 */
async function expectFaultThenRetry(
  { userMessage, text = '' }: Pick<Fault, 'userMessage' | 'text'>,
  recover: () => Promise<void> | void,
) {
  const body = question()
  const params = { sessionId: body.sessionId }
  const read = Promise.withResolvers<void>()
  untilRead = read.promise
  const reading = ask(ann, body)
  await reading.until((reply) => reply.text() === text)
  read.resolve()
  const received = await reading.finished
  const error = `Service error: ${userMessage}`
  expect(findOnlyEvent(received, 'error').errorText).toBe(error)
  expect(error).not.toMatch(innerWords)
  expect(joinText(received)).toBe(text)
  expect(findOnlyEvent(received, 'finish').messageMetadata).toMatchObject({
    success: false,
    content: text,
    toolCalls: [],
    error,
    code: expect.stringMatching(/^model_/) as string,
  })
  expect(listTypes(received).slice(-3)).toEqual(['error', 'finish', '[DONE]'])

  const { messages, run, session } = await ann.call('sessions.read', { params })
  const storedReplies = text.trim() === '' ? [] : [{ role: 'assistant', content: text, ended: 'failed' }]
  expect(messages).toMatchObject([
    { role: 'user', content: 'What is it?', id: body.messageId },
    ...storedReplies,
  ])
  expect(run).toMatchObject({ status: 'failed', error, message_id: body.messageId })
  expect(session.message_count).toBe(1 + storedReplies.length)
  expect(findOnlyEvent(await reattach(ann, body.sessionId).finished, 'error').errorText).toBe(error)

  await recover()
  const retriedText = joinText(await ask(ann, body).finished)
  const after = await ann.call('sessions.read', { params })
  expect(after.messages.map(({ content, ended }) => [content, ended])).toEqual([
    ['What is it?', undefined],
    [retriedText, undefined],
  ])
  expect(after.run).toBeNull()
  expect(after.session.message_count).toBe(2)
  return retriedText
}

const behaveAgain = () => model.behave(says('It is this.'))

describe('ERR-05 DEC-019 DEC-109 a faulty response of the model', () => {
  it.each(faults)('$name, while the page streams', async (fault) => {
    model.behave(fault.behaviour)
    expect(await expectFaultThenRetry(fault, behaveAgain)).toBe('It is this.')
  })

  it.each(faults)(
    '$name, and the caller asked for JSON: $status',
    async ({ behaviour, userMessage, code, status }) => {
      model.behave(behaviour)
      const reply = await ann.send('chat.send', { body: { messages: question().messages } })
      expect(reply.status).toBe(status)
      expect(reply.body).toMatchObject({
        success: false,
        error: userMessage,
        code,
        requestId: expect.any(String) as string,
      })
    },
  )
})

describe('an unreachable model', () => {
  const userMessage = "The assistant's model could not be reached. Please try again in a moment."

  it('ERR-05 refused connections are reported, and the next attempt succeeds', async () => {
    await model.goDown()
    const reply = await expectFaultThenRetry({ userMessage }, async () => {
      await model.comeBack()
      behaveAgain()
    })
    expect(reply).toBe('It is this.')
  })

  it('DEC-106 as JSON: 502', async () => {
    await model.goDown()
    const reply = await ann.send('chat.send', { body: question() })
    expect(reply).toMatchObject({
      status: 502,
      body: { success: false, code: 'model_unreachable', error: userMessage },
    })
    await model.comeBack()
  })
})

describe('a model that writes too much', () => {
  const tooMuch = Array.from({ length: 10 }, () => chunk({ content: megabyte }))
  const expectCut = ({ success, content, error }: ChatResponse) => {
    expect({ success, error }).toEqual({ success: true, error: null })
    expect(content.length).toBeGreaterThan(50_000)
    expect(content.length).toBeLessThanOrEqual(100_000)
  }

  it.each([
    ['many pieces', Array.from({ length: 40_000 }, () => chunk({ content: '€'.repeat(250) }))],
    ['ten pieces', tooMuch],
    ['one piece', [chunk({ content: '€'.repeat(10 * 1024 * 1024) })]],
  ])('10 MB in %s are cut at the limit of a reply, stored, and marked incomplete', async (_, parts) => {
    let connectionClosed: Promise<unknown> = Promise.resolve()
    const send = events(...parts)
    model.behave((response, request, body) => {
      connectionClosed = once(response, 'close')
      return send(response, request, body)
    })
    const body = question()
    const received = await ask(ann, body).finished
    const { content } = findOnlyEvent(received, 'finish').messageMetadata
    expectCut(findOnlyEvent(received, 'finish').messageMetadata)
    expect(joinText(received)).toBe(content)
    expect(findOnlyEvent(received, 'data-run').data.status).toBe('incomplete')
    await connectionClosed
    const { messages } = await ann.call('sessions.read', { params: { sessionId: body.sessionId } })
    expect(messages[1]?.ended).toBe('incomplete')
    expect(messages[1]?.content).toBe(content)
  })
})

it('none of this was an unexpected error, and the key is in no line of the terminal', () => {
  expect(stack.output()).not.toMatch(/unhandled|function failed/)
  expect(stack.output()).not.toContain('sk-wrong-key')
})
