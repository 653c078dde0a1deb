import { afterAll, describe, expect, it, vi } from 'vitest'
import type { ChatRequest } from '#shared/contracts/chat.ts'
import { says } from '../../test/support/fake-model-server.ts'
import {
  delayTable,
  startInProcessFunctions,
  type InProcessUser,
} from '../../test/support/in-process-functions.ts'
import { pausableReply } from '../../test/support/pausable-reply.ts'
import { snapshotReader } from '../shares/snapshot-reader.ts'

const backend = await startInProcessFunctions()
afterAll(() => backend.close())

const params = { sessionId: 's1' }
const read = (user: InProcessUser) => user.call('sessions.read', { params })
const readContents = async (user: InProcessUser) => (await read(user)).messages.map(({ content }) => content)
const show = (user: InProcessUser, message_id: string, version?: number) =>
  user.send('sessions.showVersion', {
    params,
    body: { message_id, ...(version !== undefined && { version }) },
  })
const body = (messageId: string, content: string, changes: Partial<ChatRequest> = {}): ChatRequest => ({
  sessionId: 's1',
  messageId,
  messages: [{ role: 'user', content }],
  ...changes,
})
async function say(user: InProcessUser, messageId: string, content: string, replaces?: string) {
  backend.model.behave(says(`Re: ${content}`))
  await user.call('chat.send', { body: body(messageId, content, replaces === undefined ? {} : { replaces }) })
}
/** The messages of the last request to the model, without its instructions. */
const listPrompt = () =>
  (backend.model.requests.at(-1)?.messages ?? []).slice(1).map(({ content }) => content)

/** A conversation of three messages, the second of which was edited twice. */
async function newConversationIds() {
  const user = await backend.newUser()
  await say(user, 'm1', 'one')
  await say(user, 'm2', 'two')
  await say(user, 'm3', 'three')
  await say(user, 'm4', 'two b', 'm2')
  await say(user, 'm5', 'two c', 'm4')
  return user
}
const firstBranch = ['one', 'Re: one', 'two', 'Re: two', 'three', 'Re: three']
const lastBranch = ['one', 'Re: one', 'two c', 'Re: two c']

describe('versions of a message', () => {
  it('are counted on the user’s message, and the newest is shown', async () => {
    const user = await newConversationIds()
    const { messages, session } = await read(user)
    expect(messages.map(({ content }) => content)).toEqual(lastBranch)
    expect(messages.map(({ versions }) => versions)).toEqual([
      undefined,
      undefined,
      { shown: 3, count: 3 },
      undefined,
    ])
    expect(session.message_count).toBe(4)
  })

  it('a regenerated reply is another version of its turn', async () => {
    const user = await backend.newUser()
    await say(user, 'm1', 'one')
    await say(user, 'm2', 'one', 'm1')
    expect((await read(user)).messages[0]).toMatchObject({ id: 'm2', versions: { shown: 2, count: 2 } })
  })

  it('an earlier one can be shown, with its count and all messages that followed it', async () => {
    const user = await newConversationIds()
    const { status, body: response } = await show(user, 'm5', 1)
    expect(status).toBe(200)
    expect(response).toMatchObject({ session: { message_count: 6 }, run: null })
    expect(await readContents(user)).toEqual(firstBranch)
    expect((await read(user)).messages[2]).toMatchObject({ id: 'm2', versions: { shown: 1, count: 3 } })
    await show(user, 'm2', 2)
    expect(await readContents(user)).toEqual(['one', 'Re: one', 'two b', 'Re: two b'])
    await show(user, 'm4', 3)
    expect(await readContents(user)).toEqual(lastBranch)
  })

  it('the next message continues the branch that is shown, and the model gets only that branch', async () => {
    const user = await newConversationIds()
    await show(user, 'm5', 1)
    await say(user, 'm6', 'four')
    expect(listPrompt()).toEqual([...firstBranch, 'four'])
    expect(await readContents(user)).toEqual([...firstBranch, 'four', 'Re: four'])
    await show(user, 'm2', 3)
    expect(await readContents(user)).toEqual(lastBranch)
    await say(user, 'm7', 'five')
    expect(listPrompt()).toEqual([...lastBranch, 'five'])
    await show(user, 'm5', 1)
    expect(await readContents(user)).toEqual([...firstBranch, 'four', 'Re: four'])
  })

  it('a message that is shown can be edited in its branch; one that is not shown cannot', async () => {
    const user = await newConversationIds()
    await show(user, 'm5', 1)
    await say(user, 'm6', 'three b', 'm3')
    expect(listPrompt()).toEqual(['one', 'Re: one', 'two', 'Re: two', 'three b'])
    expect((await read(user)).messages.map(({ versions }) => versions?.count)).toEqual([
      undefined,
      undefined,
      3,
      undefined,
      2,
      undefined,
    ])
    expect(await user.send('chat.send', { body: body('m7', 'two d', { replaces: 'm5' }) })).toMatchObject({
      status: 404,
      body: { code: 'message_not_found' },
    })
  })

  it('any message can be shown, in its own branch', async () => {
    const user = await newConversationIds()
    expect(await show(user, 'm3')).toMatchObject({ status: 200 })
    expect(await readContents(user)).toEqual(firstBranch)
    const { messages } = await read(user)
    await show(user, 'm4')
    expect(await show(user, messages[5]?.id ?? '')).toMatchObject({ status: 200 })
    expect(await readContents(user)).toEqual(firstBranch)
  })

  it('a failed message is tried again in its own branch', async () => {
    const user = await newConversationIds()
    await show(user, 'm5', 1)
    backend.model.behave((response) => response.writeHead(400).end('{}'))
    expect((await user.send('chat.send', { body: body('m6', 'four') })).status).toBe(502)
    await show(user, 'm2', 3)
    backend.model.behave(says('Re: four'))
    await user.call('chat.send', { body: body('m6', 'four') })
    expect(listPrompt()).toEqual([...firstBranch, 'four'])
    expect(await readContents(user)).toEqual([...firstBranch, 'four', 'Re: four'])
  })
})

describe('a version cannot be shown', () => {
  it.each([
    ['of a missing message', 'm9', 1, 'message_not_found'],
    ['that the message does not have', 'm5', 4, 'version_not_found'],
    ['of a message with only one version', 'm1', 2, 'version_not_found'],
  ])('%s', async (_, messageId, version, code) => {
    const user = await newConversationIds()
    expect(await show(user, messageId, version)).toMatchObject({ status: 404, body: { code } })
    expect(await readContents(user)).toEqual(lastBranch)
  })

  it('of another user’s conversation', async () => {
    const user = await newConversationIds()
    const other = await backend.newUser()
    expect(await show(other, 'm5', 1)).toMatchObject({ status: 404, body: { code: 'session_not_found' } })
    expect(await readContents(user)).toEqual(lastBranch)
  })

  it.each([{}, { message_id: 'a b' }, { message_id: 'm5', version: 0 }, { message_id: 'm5', more: 1 }])(
    'with the invalid request %j',
    async (invalidBody) => {
      const user = await newConversationIds()
      const response = await user.send('sessions.showVersion', { params, body: invalidBody as never })
      expect(response.status).toBe(400)
    },
  )

  it('while a reply is being written', async () => {
    const user = await newConversationIds()
    const paused = pausableReply('Still')
    backend.model.behave(paused.behaviour)
    const reply = user.call('chat.send', { body: body('m6', 'four') })
    await paused.modelCalled
    expect(await show(user, 'm5', 1)).toMatchObject({ status: 409, body: { code: 'run_in_progress' } })
    paused.finish()
    await reply
    expect(await readContents(user)).toHaveLength(6)
  })
})

describe('all versions', () => {
  /** Exports a conversation that shows the first version of its second turn. */
  async function exportFile(format: 'json' | 'markdown') {
    const user = await newConversationIds()
    await show(user, 'm5', 1)
    const parts: string[] = []
    for (let after: string | null | undefined; after !== null;) {
      const query = { format, ...(after !== undefined && { after }) }
      const part = await user.call('sessions.export', { params, query })
      parts.push(part.content)
      // showing another version between two parts does not change the file
      await show(user, 'm2', parts.length + 1)
      after = part.next
    }
    expect(parts).toHaveLength(2)
    return parts.join('')
  }
  const others = ['two b', 'Re: two b', 'two c', 'Re: two c']

  it('are in an export as JSON, separate from the branch that is shown', async () => {
    const file = JSON.parse(await exportFile('json')) as Record<
      'messages' | 'other_versions',
      { content: string; versions?: object }[]
    >
    expect(file.messages.map(({ content }) => content)).toEqual(firstBranch)
    expect(file.other_versions.map(({ content }) => content)).toEqual(others)
    expect(file.messages[2]?.versions).toEqual({ shown: 1, count: 3 })
    expect(file.other_versions.map(({ versions }) => versions)).toEqual([
      { shown: 2, count: 3 },
      undefined,
      { shown: 3, count: 3 },
      undefined,
    ])
  })

  it('are in an export as Markdown, under their own heading', async () => {
    const [shownPart = '', otherPart = ''] = (await exportFile('markdown')).split('\n# Other versions\n')
    const lines = (text: string) => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    expect(lines(shownPart).slice(1)).toEqual(firstBranch)
    expect(lines(otherPart)).toEqual(others)
    expect(otherPart).toMatch(/## You, .* UTC, version 2 of 3\n/)
  })

  it('are searched', async () => {
    const user = await newConversationIds()
    const { messages } = await user.call('sessions.corpus', { query: {} })
    expect(messages.map(({ content }) => content).toSorted()).toEqual([...firstBranch, ...others].toSorted())
  })

  it('except the shown one are missing from a shared link', async () => {
    const user = await newConversationIds()
    await show(user, 'm5', 2)
    const { share } = await user.call('shares.create', { params, body: { days: 7 } })
    const page = await snapshotReader(backend.table).loadPage(share.secret, 1)
    expect(page?.map(({ content }) => content)).toEqual(['one', 'Re: one', 'two b', 'Re: two b'])
  })

  it('are deleted with their conversation', async () => {
    const user = await newConversationIds()
    await user.call('sessions.delete', { params })
    expect((await backend.readRows(user)).filter(({ SK }) => String(SK).startsWith('M#'))).toEqual([])
  })
})

it('the model gets the branch that a message is stored in, although another one is shown at the same moment', async () => {
  const user = await newConversationIds()
  backend.model.behave(says('Re: four'))
  // the other version is shown after the message has read the conversation and before its claim
  const conversationRead = Promise.withResolvers<void>()
  const otherShown = Promise.withResolvers<void>()
  let isBlocked = true
  delayTable(async (command, { UpdateExpression = '' }) => {
    if (!isBlocked || command !== 'UpdateCommand' || !UpdateExpression.includes('#messageId')) return
    isBlocked = false
    conversationRead.resolve()
    await otherShown.promise
  })
  const sent = user.call('chat.send', { body: body('m6', 'four') })
  await conversationRead.promise
  expect(await show(user, 'm5', 1)).toMatchObject({ status: 200 })
  otherShown.resolve()
  await sent
  vi.restoreAllMocks()
  expect(listPrompt()).toEqual([...firstBranch, 'four'])
  expect(await readContents(user)).toEqual([...firstBranch, 'four', 'Re: four'])
})
