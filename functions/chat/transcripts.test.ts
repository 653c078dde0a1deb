import { afterAll, describe, expect, it } from 'vitest'
import type { ChatRequest } from '#shared/contracts/chat.ts'
import { beginStream, chunk, says, type ModelBehaviour } from '../../test/support/fake-model-server.ts'
import { startInProcessFunctions, type InProcessUser } from '../../test/support/in-process-functions.ts'
import { aReadDocument } from '../../test/support/read-documents.ts'
import { ask } from '../../test/support/read-along.ts'
import { textKey } from '../files/file-links.ts'
import { putObject } from '../platform/s3/object-writer.ts'

/*
 * The rows that hold what a model was given and has given: each way by which they come, are read, copied and go, and those by which they
 * must not leave.
 */

const text = 'A long page. '.repeat(300)
const backend = await startInProcessFunctions({
  MODELS: JSON.stringify([{ id: 'test-model' }, { id: 'other-model' }]),
})
afterAll(() => backend.close())

const params = { sessionId: 's1' }

/** A user with a document that tools can read. */
async function newUser(): Promise<InProcessUser> {
  const user = await backend.newUser()
  const { files, store } = backend.attached
  await putObject(store, { key: textKey(user.sub, 'f1'), body: Buffer.from(text), type: 'text/plain' })
  await files.put(user.sub, aReadDocument('f1', text))
  return user
}
const message = (messageId: string, more: Partial<ChatRequest> = {}): ChatRequest => ({
  sessionId: 's1',
  messageId,
  messages: [{ role: 'user', content: `Message ${messageId}` }],
  ...more,
})
const say = (user: InProcessUser, messageId: string, more: Partial<ChatRequest> = {}) =>
  user.call('chat.send', { body: message(messageId, more) })

/** A call with what Gemini wants back, with text before it. */
const reads: ModelBehaviour = (response) => {
  const called = { name: 'read_attachment', arguments: '{ "id": "f1" }' }
  const call = { index: 0, id: 'call_0', type: 'function', function: called }
  beginStream(response)
  response.write(chunk({ content: 'I look.', reasoning_content: 'Secret thought.' }))
  response.write(
    chunk({ tool_calls: [{ ...call, extra_content: { google: { thought_signature: 'sealed' } } }] }),
  )
  response.end(`${chunk({}, 'tool_calls')}data: [DONE]\n\n`)
}
const page = expect.stringContaining(text) as string
/** Begins an answer, and breaks off. */
const breaksOff: ModelBehaviour = (response) => {
  beginStream(response)
  response.write(chunk({ content: 'It begins' }))
  setImmediate(() => response.destroy())
}

/** The messages of the last request, after the instructions. */
const lastMessages = () => backend.model.requests.at(-1)?.messages.slice(1) ?? []
const listRoles = () => lastMessages().map(({ role }) => role)
const listKeys = async (user: InProcessUser, prefix = 'TURN#') =>
  (await backend.readRows(user)).map(({ SK }) => String(SK)).filter((key) => key.startsWith(prefix))

/** A conversation whose first turn has called a tool. */
async function converse(user: InProcessUser) {
  backend.model.behave(reads, says('Found it.'))
  await say(user, 'm1')
  return JSON.stringify(lastMessages())
}

describe('the next message', () => {
  it('has the turn before as the model was given it and has given it, whole', async () => {
    const user = await newUser()
    const before = await converse(user)
    backend.model.behave(says('Yes.'))
    await say(user, 'm2')
    expect(JSON.stringify(lastMessages()).startsWith(before.slice(0, -1))).toBe(true)
    expect(lastMessages()).toMatchObject([
      { role: 'user', content: 'Message m1' },
      {
        reasoning_content: 'Secret thought.',
        role: 'assistant',
        content: 'I look.',
        tool_calls: [
          {
            id: 'call_0',
            function: { arguments: '{ "id": "f1" }' },
            extra_content: { google: { thought_signature: 'sealed' } },
          },
        ],
      },
      { role: 'tool', tool_call_id: 'call_0', content: page },
      { role: 'assistant', content: 'Found it.' },
      { role: 'user', content: 'Message m2' },
    ])
  })

  it('to another model has text, calls and results alone; the first model gets its own again', async () => {
    const user = await newUser()
    await converse(user)
    backend.model.behave(says('Yes.'), says('No.'))
    await say(user, 'm2', { model: 'other-model' })
    expect(JSON.stringify(lastMessages())).not.toMatch(/sealed|Secret/)
    expect(lastMessages()).toMatchObject([
      {},
      { role: 'assistant', content: 'I look.', tool_calls: [{ id: '000001000' }] },
      { role: 'tool', tool_call_id: '000001000', content: page },
      { role: 'assistant', content: 'Found it.' },
      {},
    ])
    await say(user, 'm3', { model: 'test-model' })
    expect(JSON.stringify(lastMessages())).toMatch(/sealed/)
  })

  it('of plain text needs no rows of its own', async () => {
    const user = await newUser()
    backend.model.behave(says('Hi!'))
    await say(user, 'm1')
    expect(await listKeys(user)).toEqual([])
  })

  it('has what a reply had written and called when it broke off, and so has its continuation', async () => {
    const user = await newUser()
    backend.model.behave(reads, breaksOff)
    await user.send('chat.send', { body: message('m1') })
    backend.model.behave(says(' and ends.'), says('Yes.'))
    await say(user, 'm1', { continues: true })
    const continued = JSON.stringify(lastMessages())
    expect(lastMessages()).toMatchObject([
      {},
      { content: 'I look.', reasoning_content: 'Secret thought.' },
      { role: 'tool', content: page },
      { role: 'assistant', content: 'It begins' },
      { role: 'user', content: expect.stringContaining('cut off') as string },
    ])
    await say(user, 'm2')
    expect(JSON.stringify(lastMessages()).startsWith(continued.slice(0, -1))).toBe(true)
    expect(await listKeys(user)).toHaveLength(2)
  })

  it('has a result for a call that was stopped', async () => {
    const user = await newUser()
    let stop: (() => Promise<unknown>) | undefined
    backend.model.behave(reads, (response) => {
      beginStream(response)
      response.write(chunk({ content: 'Half' }))
      void stop?.()
    })
    stop = () => user.call('runs.stop', { params, body: {} })
    await ask(user, message('m1')).finished
    backend.model.behave(says('Yes.'))
    await say(user, 'm2')
    expect(listRoles()).toEqual(['user', 'assistant', 'tool', 'assistant', 'user'])
    expect(lastMessages().at(-2)).toEqual({ role: 'assistant', content: 'Half' })
  })
})

describe('a version of a message', () => {
  it('has what the earlier one had before it, and nothing of its own turn; both stay', async () => {
    const user = await newUser()
    await converse(user)
    backend.model.behave(reads, says('Two.'), says('Better.'), says('Again.'))
    await say(user, 'm2')
    await say(user, 'm3', { replaces: 'm2' })
    expect(listRoles()).toEqual(['user', 'assistant', 'tool', 'assistant', 'user'])
    await user.call('sessions.showVersion', { params, body: { message_id: 'm3', version: 1 } })
    await say(user, 'm4')
    expect(listRoles().join(' ')).toBe('user assistant tool assistant user assistant tool assistant user')
    // an id that an earlier answer had is another one in a request
    const ids = lastMessages().flatMap(({ tool_call_id: id }) => id ?? [])
    expect(new Set(ids).size).toBe(2)
  })
})

describe('a copy', () => {
  it('goes on with the same, and counts in the storage', async () => {
    const user = await newUser()
    const before = await converse(user)
    const copy = await user.call('sessions.copy', { params, body: { message_id: 'm1' } })
    const sessionId = copy.session.id
    expect(await listKeys(user, `TURN#${sessionId}#`)).toHaveLength(1)
    await user.call('sessions.delete', { params })
    expect(await listKeys(user, 'TURN#s1#')).toEqual([])
    backend.model.behave(says('Yes.'))
    await say(user, 'm9', { sessionId })
    expect(JSON.stringify(lastMessages()).startsWith(before.slice(0, -1))).toBe(true)
    const texts = (await backend.readRows(user)).filter(({ SK }) => String(SK) === `TEXT#${sessionId}`)
    expect(Number(texts[0]?.['bytes'])).toBeGreaterThan(300)
  })
})

describe('a deletion', () => {
  it('of a message takes the rows of its turn, and no others', async () => {
    const user = await newUser()
    await converse(user)
    backend.model.behave(reads, says('Two.'), says('Three.'))
    await say(user, 'm2')
    expect(await listKeys(user)).toHaveLength(2)
    await user.call('sessions.deleteTurn', { params: { ...params, messageId: 'm1' } })
    expect(await listKeys(user)).toEqual([expect.stringContaining('#000002#')])
    await say(user, 'm3')
    expect(listRoles()).toEqual(['user', 'assistant', 'tool', 'assistant', 'user'])
  })

  it('of the conversation takes all', async () => {
    const user = await newUser()
    await converse(user)
    await user.call('sessions.delete', { params })
    expect(await listKeys(user)).toEqual([])
  })
})

it('nothing of them leaves by a page, an export or a link', async () => {
  const user = await newUser()
  await converse(user)
  const { share } = await user.call('shares.create', { params, body: { days: 7 } })
  const left = [
    await user.call('sessions.read', { params }),
    await user.call('sessions.export', { params, query: { format: 'json' } }),
    await user.call('sessions.export', { params, query: { format: 'markdown' } }),
    share,
  ]
  expect(JSON.stringify(left)).not.toMatch(/sealed|transcript|call_0/)
  expect(JSON.stringify(await backend.readRows(user))).not.toContain('sealed')
})

it('another user’s conversation of the same id has none of them', async () => {
  const [ann, ben] = [await newUser(), await newUser()]
  await converse(ann)
  backend.model.behave(says('Hi!'))
  await say(ben, 'm2')
  expect(lastMessages()).toEqual([{ role: 'user', content: 'Message m2' }])
})
