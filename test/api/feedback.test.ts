/** @module-tag long */
import { afterAll, expect, it } from 'vitest'
import type { RouteRequest, RouteResponse } from '#shared/contracts/route-contracts.ts'
import { canaryFor, converse } from '../support/belongings.ts'
import { downloadExport } from '../support/download-export.ts'
import { findOccurrences } from '../support/every-store.ts'
import { grantAdmin } from '../support/grant-admin.ts'
import { says, startFakeModel } from '../support/fake-model-server.ts'
import { startStack } from '../support/local-stack.ts'
import { openStackTable } from '../support/stack-table.ts'
import { signInUser, type StackUser } from '../support/stack-user.ts'
import { unzip } from '../support/unzip.ts'

// a product of its own: it counts the ratings of everybody, and accounts of other files may still be going
const model = await startFakeModel(says('The answer.'))
const stack = await startStack({
  env: { OPENAI_BASE_URL: model.baseUrl, OPENAI_MODEL: 'fake', RATE_LIMIT_FACTOR: '100' },
})
const table = await openStackTable(stack)
afterAll(async () => {
  await stack.stop()
  model.close()
})

const admin = await (async () => {
  const user = await stack.newUser()
  await grantAdmin(stack, user.email)
  return signInUser({ origin: stack.origin, cognito: (await stack.endpoints()).cognito }, user)
})()

type Given = RouteRequest<'sessions.rate'>['feedback']
type Message = RouteResponse<'sessions.read'>['messages'][number]

const readMessages = async (user: StackUser, sessionId: string): Promise<Message[]> =>
  (await user.call('sessions.read', { params: { sessionId } })).messages

/** A conversation of one question, with the ids of its reply. */
async function askOnce(user: StackUser) {
  const sessionId = await converse(user, 'A question')
  const messageId = (await readMessages(user, sessionId)).at(-1)?.id ?? ''
  return { sessionId, messageId }
}
type Reply = Awaited<ReturnType<typeof askOnce>>

const rate = (user: StackUser, params: Reply, feedback: Given) =>
  user.call('sessions.rate', { params, body: { feedback } })
const refuse = async (user: StackUser, params: Reply, feedback: unknown = { rating: 'up' }) => {
  const { status, body } = await user.send('sessions.rate', { params, body: { feedback } })
  return [status, (body as { code: string }).code]
}
const readFeedback = async (user: StackUser, { sessionId, messageId }: Reply) =>
  (await readMessages(user, sessionId)).find(({ id }) => id === messageId)?.feedback

/** What administrators see. @returns the counts of the model, and the texts with the mark */
async function readAsAdmin(mark = 'nothing') {
  const { counts, texts } = await admin.call('admin.feedback')
  const { up = 0, down = 0 } = counts.find(({ model }) => model === 'fake') ?? {}
  return { up, down, texts: texts.filter(({ text }) => text.includes(mark)) }
}
const withText = (text: string, more: object = {}) => ({
  rating: 'down' as const,
  text,
  readable: true,
  ...more,
})

it('a rating is shown with its reply, counts once, and is taken back; a change of mind moves it', async () => {
  const user = await stack.newUser()
  const before = await readAsAdmin()
  const counted = async () => {
    const { up, down } = await readAsAdmin()
    return [up - before.up, down - before.down]
  }
  const reply = await askOnce(user)
  expect((await readMessages(user, reply.sessionId)).some((message) => 'feedback' in message)).toBe(false)
  // a repeated request, and two at once
  await Promise.all([rate(user, reply, { rating: 'up' }), rate(user, reply, { rating: 'up' })])
  expect(await rate(user, reply, { rating: 'up' })).toEqual({ success: true, feedback: { rating: 'up' } })
  expect(await readFeedback(user, reply)).toEqual({ rating: 'up' })
  expect(await counted()).toEqual([1, 0])
  await rate(user, reply, { rating: 'down' })
  expect(await counted()).toEqual([0, 1])
  expect(await rate(user, reply, null)).toEqual({ success: true, feedback: null })
  await rate(user, reply, null)
  expect(await readFeedback(user, reply)).toBeUndefined()
  expect(await counted()).toEqual([0, 0])
})

it('administrators read a text with consent only, without who wrote it unless that was chosen', async () => {
  const user = await stack.newUser()
  const mark = canaryFor(user)
  const reply = await askOnce(user)
  // without consent nothing is stored
  for (const readable of [undefined, null, false])
    expect(await refuse(user, reply, { rating: 'down', text: mark, readable })).toEqual([400, 'bad_request'])
  expect(await findOccurrences(stack, mark)).toEqual([])
  await rate(user, reply, withText(` ${mark} is wrong `))
  const [shown] = (await readAsAdmin(mark)).texts
  expect(shown).toEqual({
    model: 'fake',
    rating: 'down',
    text: `${mark} is wrong`,
    at: expect.any(String) as unknown,
  })
  expect(JSON.stringify(await admin.call('admin.feedback'))).not.toContain(user.email)
  await rate(user, reply, withText(mark, { named: true }))
  expect((await readAsAdmin(mark)).texts).toMatchObject([{ email: user.email, text: mark }])
  // the other thumb takes the text away
  await rate(user, reply, { rating: 'up' })
  expect(await findOccurrences(stack, mark)).toEqual([])
})

it('is for administrators only, and of the month in which it was given', async () => {
  const user = await stack.newUser()
  await rate(user, await askOnce(user), withText(canaryFor(user)))
  expect((await user.send('admin.feedback')).status).toBe(403)
  expect(await admin.call('admin.feedback', { query: { month: '2024-02' } })).toEqual({
    month: '2024-02',
    counts: [],
    texts: [],
    older_texts: 0,
  })
})

it('nobody rates the reply of another user, a message of their own, or one that is not stored', async () => {
  const [user, other] = await Promise.all([stack.newUser(), stack.newUser()])
  const reply = await askOnce(user)
  expect(await refuse(other, reply)).toEqual([404, 'session_not_found'])
  const own = await askOnce(other)
  expect(await refuse(other, { ...own, messageId: reply.messageId })).toEqual([404, 'message_not_found'])
  const [question] = await readMessages(user, reply.sessionId)
  expect(await refuse(user, { ...reply, messageId: question?.id ?? '' })).toEqual([409, 'reply_not_rated'])
  // a temporary chat
  const sessionId = crypto.randomUUID()
  await user.call('chat.send', {
    body: { messages: [{ role: 'user', content: 'Hello' }], sessionId, keep: false },
  })
  expect(await refuse(user, { sessionId, messageId: crypto.randomUUID() })).toEqual([
    404,
    'session_not_found',
  ])
  expect(await table.readAllAsText()).not.toContain(`FEEDBACK#${user.sub}`)
})

it('each version of a reply has its own rating', async () => {
  const user = await stack.newUser()
  const first = await askOnce(user)
  await rate(user, first, { rating: 'down' })
  const [question] = await readMessages(user, first.sessionId)
  await user.call('chat.send', {
    body: {
      messages: [{ role: 'user', content: 'A question' }],
      sessionId: first.sessionId,
      messageId: crypto.randomUUID(),
      replaces: question?.id,
    },
  })
  const [, second] = await readMessages(user, first.sessionId)
  expect(second).not.toHaveProperty('feedback')
  await rate(user, { ...first, messageId: second?.id ?? '' }, { rating: 'up' })
  const { messages } = await user.call('sessions.showVersion', {
    params: { sessionId: first.sessionId },
    body: { message_id: first.messageId },
  })
  expect(messages.map(({ feedback }) => feedback)).toEqual([undefined, { rating: 'down' }])
})

it('is not in copies, links and files of the conversation, and is in the export of the account', async () => {
  const user = await stack.newUser()
  const mark = canaryFor(user)
  const reply = await askOnce(user)
  const params = { sessionId: reply.sessionId }
  await rate(user, reply, withText(mark))
  const { session } = await user.call('sessions.copy', { params, body: { message_id: reply.messageId } })
  const { share } = await user.call('shares.create', { params, body: { days: 7 } })
  const outside = [
    await user.call('sessions.read', { params: { sessionId: session.id } }),
    await user.call('shares.view', { body: { secret: share.secret, page: 1 } }),
    await user.call('sessions.export', { params, query: { format: 'json' } }),
    await user.call('sessions.export', { params, query: { format: 'markdown' } }),
    await user.call('sessions.corpus'),
  ]
  expect(JSON.stringify(outside)).not.toMatch(new RegExp(`${mark}|feedback`))
  const { bytes } = await downloadExport(await user.call('account.export'))
  const files = unzip(bytes)
  expect(JSON.parse(String(files.get('feedback.json')))).toEqual([
    {
      session_id: reply.sessionId,
      message_id: reply.messageId,
      rating: 'down',
      text: mark,
      model: 'fake',
      at: expect.any(String) as unknown,
    },
  ])
})

it.each<[what: string, remove: (user: StackUser, reply: Reply) => Promise<unknown>]>([
  ['its message', (user, params) => user.call('sessions.deleteTurn', { params })],
  ['its conversation', (user, params) => user.call('sessions.delete', { params })],
  ['all conversations', (user) => user.call('account.forgetConversations')],
  ['its account', (user) => user.call('account.erase', { body: { confirm: 'DELETE' } })],
])('goes with %s', async (_, remove) => {
  const user = await stack.newUser()
  const mark = canaryFor(user)
  const before = await readAsAdmin()
  const reply = await askOnce(user)
  await rate(user, reply, withText(mark, { named: true }))
  expect((await readAsAdmin(mark)).down - before.down).toBe(1)
  await remove(user, reply)
  expect((await readAsAdmin(mark)).texts).toEqual([])
  expect((await readAsAdmin()).down).toBe(before.down)
  expect(await table.readAllAsText()).not.toContain(`FEEDBACK#${user.sub}`)
  expect(await findOccurrences(stack, mark)).toEqual([])
})
