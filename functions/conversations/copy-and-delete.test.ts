import { afterAll, describe, expect, it } from 'vitest'
import { TooManyCalls } from '../platform/errors.ts'
import { dailyBudget, rateLimit } from '../platform/http/rate-limit.ts'
import { copiesPerDay } from '../platform/limits.ts'
import { says } from '../../test/support/fake-model-server.ts'
import { startInProcessFunctions, type InProcessUser } from '../../test/support/in-process-functions.ts'
import { pausableReply } from '../../test/support/pausable-reply.ts'

const backend = await startInProcessFunctions()
afterAll(() => backend.close())

const params = { sessionId: 's1' }
const read = (user: InProcessUser, sessionId = 's1') => user.call('sessions.read', { params: { sessionId } })
const readContents = async (user: InProcessUser, sessionId = 's1') =>
  (await read(user, sessionId)).messages.map(({ content }) => content)
async function say(user: InProcessUser, messageId: string, content: string, replaces?: string) {
  backend.model.behave(says(`Re: ${content}`))
  await user.call('chat.send', {
    body: {
      sessionId: 's1',
      messageId,
      messages: [{ role: 'user', content }],
      ...(replaces !== undefined && { replaces }),
    },
  })
}
/** Three turns, the second of which was edited. */
async function newConversation() {
  const user = await backend.newUser()
  await say(user, 'm1', 'one')
  await say(user, 'm2', 'two')
  await say(user, 'm3', 'three')
  await say(user, 'm4', 'two b', 'm2')
  return user
}
const remove = (user: InProcessUser, messageId: string) =>
  user.send('sessions.deleteTurn', { params: { ...params, messageId } })
const copy = (user: InProcessUser, message_id: string) =>
  user.send('sessions.copy', { params, body: { message_id } })
async function findReplyId(user: InProcessUser, content: string) {
  const { messages } = await read(user)
  return messages.find((message) => message.content === content)?.id ?? ''
}

describe('a conversation that is continued in a new chat', () => {
  it('is copied up to the reply; both go on separately, and the new one answers from its own messages', async () => {
    const user = await newConversation()
    await user.call('sessions.update', { params, body: { title: 'Numbers', pinned: true } })
    const before = await read(user)
    const { status, body } = await copy(user, await findReplyId(user, 'Re: two b'))
    expect(status).toBe(200)
    const { session } = body as Awaited<ReturnType<typeof read>>
    expect(session).toMatchObject({ title: 'Numbers', message_count: 4 })
    expect(session.pinned).toBeUndefined()
    const there = await read(user, session.id)
    expect(there.messages.map(({ content }) => content)).toEqual(['one', 'Re: one', 'two b', 'Re: two b'])
    expect(there.messages.map(({ versions }) => versions)).toEqual(Array(4).fill(undefined))
    expect(there.run).toBeNull()
    const ids = new Set(before.messages.map(({ id }) => id))
    expect(there.messages.filter(({ id }) => ids.has(id))).toEqual([])
    backend.model.behave(says('Yes.'))
    await user.call('chat.send', {
      body: { sessionId: session.id, messageId: 'n1', messages: [{ role: 'user', content: 'And here?' }] },
    })
    expect(
      backend.model.requests
        .at(-1)
        ?.messages.slice(1)
        .map(({ content }) => content),
    ).toEqual(['one', 'Re: one', 'two b', 'Re: two b', 'And here?'])
    expect(await read(user)).toEqual(before)
    expect((await user.call('sessions.list')).sessions).toHaveLength(2)
  })

  it('an earlier version is copied with its own branch', async () => {
    const user = await newConversation()
    const { body } = await copy(user, 'm3')
    const { session } = body as Awaited<ReturnType<typeof read>>
    expect(await readContents(user, session.id)).toEqual([
      'one',
      'Re: one',
      'two',
      'Re: two',
      'three',
      'Re: three',
    ])
  })

  it('earlier replies can be copied while another is written, that one cannot', async () => {
    const user = await newConversation()
    const paused = pausableReply('One,')
    backend.model.behave(paused.behaviour)
    const sending = user.call('chat.send', {
      body: { sessionId: 's1', messageId: 'm5', messages: [{ role: 'user', content: 'five' }] },
    })
    await paused.modelCalled
    expect(await copy(user, 'm4')).toMatchObject({ status: 200 })
    expect(await copy(user, 'm5')).toMatchObject({ status: 409, body: { code: 'run_in_progress' } })
    expect(await remove(user, 'm4')).toMatchObject({ status: 409, body: { code: 'run_in_progress' } })
    paused.finish(' two.')
    await sending
  })

  it(
    'is not copied if one request could not copy all of it, and then nothing is left',
    { tags: 'long' },
    async () => {
      const user = await newConversation()
      const content = 'x'.repeat(100_000)
      const message = { session_id: 's1', role: 'user' as const, kind: 'user' as const }
      const created_at = new Date().toISOString()
      await backend.stores.messages.putAll(
        user.sub,
        Array.from({ length: 210 }, (_, index) => ({
          ...message,
          id: `long${index}`,
          turn: index + 5,
          content,
          created_at,
          attachments: [],
          tool_calls: [],
        })),
      )
      const countRows = async () => (await backend.readRows(user)).length
      const before = await countRows()
      expect(await copy(user, 'long209')).toMatchObject({ status: 409, body: { code: 'session_too_long' } })
      expect(await countRows()).toBe(before)
      expect(await copy(user, 'long20')).toMatchObject({ status: 200 })
    },
  )

  it('is found by its owner only, and limited by the day', async () => {
    const [user, other] = [await newConversation(), await backend.newUser()]
    expect(await copy(other, 'm1')).toMatchObject({ status: 404, body: { code: 'session_not_found' } })
    expect(await copy(user, 'm9')).toMatchObject({ status: 404, body: { code: 'message_not_found' } })
    const budget = dailyBudget('copies', copiesPerDay, TooManyCalls)
    await rateLimit(backend.table, 1).countIn(user.sub, budget, copiesPerDay - 2)
    expect(await copy(user, 'm9')).toMatchObject({ status: 404 })
    expect(await copy(user, 'm9')).toMatchObject({ status: 429 })
  })
})

describe('a message that is deleted with its reply', () => {
  it('is gone for the reader, the model, the count and the search; the rest stays', async () => {
    const user = await newConversation()
    const { status, body } = await remove(user, await findReplyId(user, 'Re: one'))
    expect(status).toBe(200)
    expect(body).toMatchObject({ session: { message_count: 2 }, run: null })
    expect(await readContents(user)).toEqual(['two b', 'Re: two b'])
    expect((await read(user)).messages[0]?.versions).toEqual({ shown: 2, count: 2 })
    await say(user, 'm5', 'five')
    expect(
      backend.model.requests
        .at(-1)
        ?.messages.slice(1)
        .map(({ content }) => content),
    ).toEqual(['two b', 'Re: two b', 'five'])
    const corpus = await user.call('sessions.corpus')
    expect(corpus.messages.filter(({ content }) => /one/.test(content))).toEqual([])
    expect(await remove(user, 'm1')).toMatchObject({ status: 404, body: { code: 'message_not_found' } })
  })

  it('one of two versions: the other one is shown; the one that others follow leaves them in place', async () => {
    const user = await newConversation()
    await remove(user, 'm4')
    const all = ['one', 'Re: one', 'two', 'Re: two', 'three', 'Re: three']
    expect(await readContents(user)).toEqual(all)
    expect((await read(user)).messages.some(({ versions }) => versions)).toBe(false)
    await say(user, 'm6', 'two c', 'm2')
    await remove(user, 'm2')
    await user.call('sessions.showVersion', { params, body: { message_id: 'm3' } })
    expect(await readContents(user)).toEqual(['one', 'Re: one', 'three', 'Re: three'])
    expect((await read(user)).messages[2]?.versions).toEqual({ shown: 1, count: 2 })
    await user.call('sessions.showVersion', { params, body: { message_id: 'm3', version: 2 } })
    expect(await readContents(user)).toEqual(['one', 'Re: one', 'two c', 'Re: two c'])
  })

  it('takes a failed reply along, and the next message continues before it', async () => {
    const user = await newConversation()
    backend.model.behave((response) => response.writeHead(401).end('{}'))
    await user.send('chat.send', {
      body: {
        sessionId: 's1',
        messageId: 'm5',
        messages: [{ role: 'user', content: 'five' }],
        replaces: 'm4',
      },
    })
    expect((await read(user)).run).toMatchObject({ status: 'failed' })
    expect(await remove(user, 'm5')).toMatchObject({ status: 200, body: { run: null } })
    await say(user, 'm6', 'six')
    expect(await readContents(user)).toEqual(['one', 'Re: one', 'two b', 'Re: two b', 'six', 'Re: six'])
  })
})
