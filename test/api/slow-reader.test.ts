import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { routes } from '#shared/routes.ts'
import { beginStream, chunk, startFakeModel } from '../support/fake-model-server.ts'
import { type LocalStack, startStack } from '../support/local-stack.ts'

let model: Awaited<ReturnType<typeof startFakeModel>>
let stack: LocalStack

/** Each of its units takes six bytes in an event: the reply is far larger than what sockets hold for a reader. */
const piece = '\u0001'.repeat(90)
const pieces = 1_000
let modelDone: Promise<unknown>

beforeAll(async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  modelDone = promise
  model = await startFakeModel(async (response) => {
    beginStream(response)
    for (let sent = 0; sent < pieces; sent += 1)
      if (!response.write(chunk({ content: piece }))) await once(response, 'drain')
    response.write(chunk({}, 'stop'))
    response.end('data: [DONE]\n\n', resolve)
  })
  stack = await startStack({ env: { OPENAI_BASE_URL: model.baseUrl } })
})
afterAll(async () => {
  await stack.stop()
  model.close()
})

it('LIB-15 readers that do not read hold up neither their replies nor anybody else', async () => {
  const user = await stack.newUser()
  const asked = Array.from({ length: 20 }, () => crypto.randomUUID())
  const sockets = asked.map((sessionId) => {
    const body = JSON.stringify({ messages: [{ role: 'user', content: 'Long' }], sessionId })
    const { method, path } = routes['chat.send']
    const socket = connect(Number(new URL(stack.origin).port), '127.0.0.1')
    // never read from
    socket.pause()
    socket.write(
      [
        `${method} ${path} HTTP/1.1`,
        'host: 127.0.0.1',
        `authorization: Bearer ${user.accessToken}`,
        'accept: text/event-stream',
        `content-length: ${body.length}`,
        '',
        body,
      ].join('\r\n'),
    )
    return socket
  })
  try {
    await modelDone
    for (const sessionId of asked) {
      const params = { sessionId }
      await expect
        .poll(async () => (await user.send('sessions.read', { params })).status, { timeout: 20_000 })
        .toBe(200)
      await expect
        .poll(async () => (await user.call('sessions.read', { params })).run, { timeout: 20_000 })
        .toBeNull()
      const { messages } = await user.call('sessions.read', { params })
      expect(messages[1]?.content.length).toBe(piece.length * pieces)
    }
  } finally {
    for (const socket of sockets) socket.destroy()
  }
})
