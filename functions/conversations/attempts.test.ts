import { afterAll, expect, it } from 'vitest'
import type { ChatRequest } from '#shared/contracts/chat.ts'
import { beginStream, says, type ModelBehaviour } from '../../test/support/fake-model-server.ts'
import { startInProcessFunctions, type InProcessUser } from '../../test/support/in-process-functions.ts'
import { snapshotReader } from '../shares/snapshot-reader.ts'

const backend = await startInProcessFunctions()
afterAll(() => backend.close())

const refuses: ModelBehaviour = (response) => response.writeHead(429, { 'retry-after': '60' }).end('{}')
const saysNothing: ModelBehaviour = (response) => {
  beginStream(response)
  response.end('data: [DONE]\n\n')
}

const params = { sessionId: 's1' }
const say = (user: InProcessUser, content: string, messageId: string, changes: Partial<ChatRequest> = {}) =>
  user.send('chat.send', {
    body: { ...params, messageId, messages: [{ role: 'user', content }], ...changes },
  })

/** What was said, as each reader of the conversation tells it. */
async function readEverywhere(user: InProcessUser) {
  const { messages, session } = await user.call('sessions.read', { params })
  const exported = await user.call('sessions.export', { params, query: { format: 'json' } })
  const { share } = await user.call('shares.create', { params, body: { days: 7 } })
  const shared = await snapshotReader(backend.table).loadPage(share.secret, 1)
  const copy = await user.call('sessions.copy', { params, body: { message_id: messages.at(-1)?.id ?? '' } })
  const copied = await user.call('sessions.read', { params: { sessionId: copy.session.id } })
  const contents = messages.map(({ content }) => content)
  const listed = (await user.call('sessions.list', {})).sessions.find(({ id }) => id === 's1')
  expect(listed).toMatchObject({ title: session.title, message_count: contents.length })
  expect(JSON.parse(exported.content)).toMatchObject({ messages: contents.map((content) => ({ content })) })
  expect(exported.content).not.toContain('other_versions')
  expect(shared?.map(({ content }) => content)).toEqual(contents)
  expect(copied.messages.map(({ content }) => content)).toEqual(contents)
  return { title: session.title, contents }
}

it.each([
  ['refused by the model', refuses],
  ['empty', saysNothing],
])(
  'an edit whose reply is %s leaves the conversation as it was, and goes with the next message',
  async (_, behaviour) => {
    backend.model.behave(says('Fine.'), says('Two.'), behaviour, says('Hotels.'))
    const user = await backend.newUser()
    await say(user, 'Flights to Oslo', 'm1')
    await say(user, 'And trains?', 'm2')
    const before = await readEverywhere(user)
    await say(user, 'Flights to Bergen', 'm3', { replaces: 'm1' })
    expect(await readEverywhere(user)).toEqual(before)
    const read = await user.call('sessions.read', { params })
    expect(read).toMatchObject({
      run: { status: 'failed', message_id: 'm3', replaces: 'm1' },
      attempt: { id: 'm3', content: 'Flights to Bergen' },
    })
    await say(user, 'And hotels?', 'm4')
    expect(
      backend.model.requests
        .at(-1)
        ?.messages.slice(1)
        .map(({ content }) => content),
    ).toEqual(['Flights to Oslo', 'Fine.', 'And trains?', 'Two.', 'And hotels?'])
    const after = await readEverywhere(user)
    expect(after).toEqual({ title: before.title, contents: [...before.contents, 'And hotels?', 'Hotels.'] })
    expect(
      (await user.call('sessions.corpus', {})).messages.filter(({ session_id }) => session_id === 's1'),
    ).toHaveLength(6)
  },
)
