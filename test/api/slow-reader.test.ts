/** @module-tag long */
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, it, onTestFinished } from 'vitest'
import { routes } from '#shared/routes.ts'
import { says } from '../support/fake-model-server.ts'
import { pausableReply } from '../support/pausable-reply.ts'
import { startWatchedStack } from '../support/simulated-day.ts'
import { scriptedStack } from '../support/shared-stack.ts'
import { uploadFile } from '../support/upload.ts'

const { model, stack } = await scriptedStack('Fine.')

/**
 * A socket's own buffers hold a whole reply, read or not. But a second request on a connection gets its response only after the first
 * one is over: until then its reader is as slow as possible.
 */
it('CHAT-45 a reader that does not read delays neither its own reply nor anybody else', async () => {
  const user = await stack.newUser()
  const paused = pausableReply('One,')
  const longReply = '0123456789'.repeat(9_000)
  const socket = connect(Number(new URL(stack.origin).port), '127.0.0.1')
  const ask = (sessionId: string, content: string, isLast = false) => {
    const body = JSON.stringify({ messages: [{ role: 'user', content }], sessionId })
    const { method, path } = routes['chat.send']
    socket.write(
      [
        `${method} ${path} HTTP/1.1`,
        'host: 127.0.0.1',
        `authorization: Bearer ${user.accessToken}`,
        'accept: text/event-stream',
        `content-length: ${body.length}`,
        ...(isLast ? ['connection: close'] : []),
        '',
        body,
      ].join('\r\n'),
    )
  }
  const findStoredReply = async (sessionId: string) => {
    const { status, body } = await user.send('sessions.read', { params: { sessionId } })
    const { messages = [], run } = body as { messages?: { content: string }[]; run?: unknown }
    return status === 200 && run === null ? messages[1]?.content : undefined
  }
  const [heldId, longId, otherId] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]

  model.behave(paused.behaviour, says(longReply), says('Fine.'))
  await once(socket, 'connect')
  ask(heldId, 'Held')
  await paused.modelCalled
  ask(longId, 'Long', true)
  await expect.poll(() => findStoredReply(longId)).toBe(longReply)
  expect(await findStoredReply(heldId)).toBeUndefined()
  const otherReply = await user.send('chat.send', {
    body: { messages: [{ role: 'user', content: 'Hi' }], sessionId: otherId },
  })
  expect(otherReply.body).toMatchObject({ success: true, content: 'Fine.' })

  // when it reads at last, it gets everything
  paused.finish(' two.')
  const responses = await text(socket)
  const deltas = [...responses.matchAll(/"delta":"([^"]*)"/g)].map(([, delta]) => delta)
  expect(deltas.join('')).toBe(`One, two.${longReply}`)
  expect(responses.match(/^data: \[DONE\]/gm)).toHaveLength(2)
})

const fileBytes = 110 * 1024 * 1024

it(
  'DEC-033 an export above the streaming limit is a link, and never in memory as a whole',
  { tags: 'trial' },
  async () => {
    const watched = await startWatchedStack()
    onTestFinished(() => watched.stop())
    const user = await watched.stack.newUser()
    const content = Buffer.alloc(fileBytes)
    content.write('ftypisom', 4)
    for (const name of ['one.mp4', 'two.mp4']) await uploadFile(user, { name, type: 'video/mp4', content })
    const before = await watched.measureResources()

    let peakBufferBytes = 0
    let isOver = false
    const watchingMemory = (async () => {
      while (!isOver)
        peakBufferBytes = Math.max(peakBufferBytes, (await watched.measureWithoutGc()).externalBytes)
    })()
    const archive = await user.call('account.export').finally(() => (isOver = true))
    await watchingMemory
    expect(peakBufferBytes - before.externalBytes).toBeLessThan(fileBytes)

    if (!archive.success) throw new Error(archive.error)
    expect(archive.size).toBeGreaterThan(2 * fileBytes)
    const response = await fetch(archive.url, { headers: { range: 'bytes=-22' } })
    expect(response.headers.get('content-range')).toMatch(new RegExp(`/${archive.size}$`))
    const end = Buffer.from(await response.arrayBuffer())
    // a zip ends with its directory, which lists five files
    expect(end.subarray(0, 4).toString('latin1')).toBe('PK\u0005\u0006')
    expect(end.readUInt16LE(10)).toBe(5)

    await user.send('account.erase', { body: { confirm: 'DELETE' } })
    expect((await fetch(archive.url)).status).toBe(404)
  },
)
