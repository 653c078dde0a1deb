import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { routes } from '#shared/routes.ts'
import { says, startFakeModel } from '../support/fake-model-server.ts'
import { heldReply } from '../support/held-reply.ts'
import { type LocalStack, startStack } from '../support/local-stack.ts'

let model: Awaited<ReturnType<typeof startFakeModel>>
let stack: LocalStack
beforeAll(async () => {
  model = await startFakeModel(says('Fine.'))
  stack = await startStack({ env: { OPENAI_BASE_URL: model.baseUrl } })
})
afterAll(async () => {
  await stack.stop()
  model.close()
})

/**
 * A socket's own buffers take a whole reply, read or not. But what is asked second on a connection is sent only when the first
 * answer is over: until then its reader is as slow as one can be.
 */
it('CHAT-45 a reader that does not read holds up neither its own reply nor anybody else', async () => {
  const user = await stack.newUser()
  const held = heldReply('One,')
  const long = '0123456789'.repeat(9_000)
  const socket = connect(Number(new URL(stack.origin).port), '127.0.0.1')
  const ask = (sessionId: string, content: string, last = false) => {
    const body = JSON.stringify({ messages: [{ role: 'user', content }], sessionId })
    const { method, path } = routes['chat.send']
    socket.write(
      [
        `${method} ${path} HTTP/1.1`,
        'host: 127.0.0.1',
        `authorization: Bearer ${user.accessToken}`,
        'accept: text/event-stream',
        `content-length: ${body.length}`,
        ...(last ? ['connection: close'] : []),
        '',
        body,
      ].join('\r\n'),
    )
  }
  const storedReply = async (sessionId: string) => {
    const { status, body } = await user.send('sessions.read', { params: { sessionId } })
    const { messages = [], run } = body as { messages?: { content: string }[]; run?: unknown }
    return status === 200 && run === null ? messages[1]?.content : undefined
  }
  const [first, second, other] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]

  model.behave(held.behaviour, says(long), says('Fine.'))
  await once(socket, 'connect')
  ask(first, 'Held')
  await held.begun
  ask(second, 'Long', true)
  await expect.poll(() => storedReply(second), { timeout: 10_000 }).toBe(long)
  expect(await storedReply(first)).toBeUndefined()
  const elsewhere = await user.send('chat.send', {
    body: { messages: [{ role: 'user', content: 'Hi' }], sessionId: other },
  })
  expect(elsewhere.body).toMatchObject({ success: true, content: 'Fine.' })

  // and when it reads at last, it gets everything
  held.finish(' two.')
  const answers = await text(socket)
  const deltas = [...answers.matchAll(/"delta":"([^"]*)"/g)].map(([, delta]) => delta)
  expect(deltas.join('')).toBe(`One, two.${long}`)
  expect(answers.match(/^data: \[DONE\]/gm)).toHaveLength(2)
})
