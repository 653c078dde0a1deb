import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { routes, type Route, type RouteName } from '#shared/routes.ts'
import { says, startFakeModel } from '../support/fake-model-server.ts'
import { heldReply } from '../support/held-reply.ts'
import { type LocalStack, startStack } from '../support/local-stack.ts'
import { ask, reattach, textOf, theEvent } from '../support/read-along.ts'
import { openStackTable } from '../support/stack-table.ts'
import type { StackUser } from '../support/stack-user.ts'

const withId = (Object.entries(routes) as [RouteName, Route][]).filter(([, { path }]) =>
  path.includes('{sessionId}'),
)

let model: Awaited<ReturnType<typeof startFakeModel>>
let stack: LocalStack
let ann: StackUser
let bob: StackUser
beforeAll(async () => {
  model = await startFakeModel(says('The answer.'))
  stack = await startStack({ env: { OPENAI_BASE_URL: model.baseUrl } })
  ann = await stack.newUser({ name: 'Ann' })
  bob = await stack.newUser({ name: 'Bob' })
})
afterAll(async () => {
  await stack.stop()
  model.close()
})

const said = (content: string) => ({
  messages: [{ role: 'user' as const, content }],
  messageId: crypto.randomUUID(),
})

async function rowsOf(user: StackUser) {
  const table = await openStackTable(stack)
  try {
    return await table.rowsOf(user.sub)
  } finally {
    table.close()
  }
}

/** Whatever a route takes that names what is there. */
const bodyFor = (runId: string): Partial<Record<RouteName, object>> => ({
  'runs.stop': { runId },
  'runs.answer': { runId, callId: 'call', approved: true },
  'sessions.rename': { title: 'A title' },
})

it('the control: every route with an id knows the owner’s', async () => {
  const sessionId = crypto.randomUUID()
  model.behave(says('The answer.'))
  const received = await ask(ann, { ...said('Mine'), sessionId }).finished
  const runId = theEvent(received, 'start').messageMetadata.runId ?? ''
  for (const [name] of withId) {
    if (name === 'runs.answer' || name === 'sessions.delete') continue
    const { status } = await ann.send(name, { params: { sessionId }, body: bodyFor(runId)[name] })
    expect({ name, status }).toEqual({ name, status: 200 })
  }
})

describe('DEC-100 HIST-25 another’s conversation', () => {
  it.each(withId)('DATA-40 DEC-100 %s knows nothing of it, and changes nothing', async (name) => {
    const sessionId = crypto.randomUUID()
    model.behave(says('The answer.'))
    const received = await ask(ann, { ...said('My secret plan'), sessionId }).finished
    const runId = theEvent(received, 'start').messageMetadata.runId ?? ''
    const before = await rowsOf(ann)
    const other = await bob.send(name, { params: { sessionId }, body: bodyFor(runId)[name] })
    const nobody = await bob.send(name, {
      params: { sessionId: crypto.randomUUID() },
      body: bodyFor(crypto.randomUUID())[name],
    })
    expect(other.status).toBe(404)
    // what is another's cannot be told from what is nobody's
    const { requestId: _, ...answer } = other.body as Record<string, unknown>
    expect(nobody.body).toMatchObject(answer)
    expect(JSON.stringify(answer)).not.toContain('secret')
    expect(await rowsOf(ann)).toEqual(before)
  })

  it.each(withId)('%s does not reach a reply that is being written', async (name) => {
    const sessionId = crypto.randomUUID()
    const held = heldReply('One,')
    model.behave(held.behaviour)
    const reading = ask(ann, { ...said('My secret plan'), sessionId })
    await held.begun
    await reading.until(({ text }) => text() === 'One,')
    const runId = theEvent(reading.received, 'start').messageMetadata.runId ?? ''
    const other = await bob.send(name, { params: { sessionId }, body: bodyFor(runId)[name] })
    expect(other.status).toBe(404)
    held.finish(' two.')
    expect(textOf(await reading.finished)).toBe('One, two.')
    expect(theEvent(reading.received, 'finish').messageMetadata.success).toBe(true)
  })

  it('a message with another’s id begins a conversation of one’s own', async () => {
    const sessionId = crypto.randomUUID()
    const hers = said('My secret plan')
    model.behave(says('Her answer.'))
    await ask(ann, { ...hers, sessionId }).finished
    const before = await rowsOf(ann)

    model.behave(says('His answer.'))
    // even with the very id of her message, which would otherwise give her reply
    const received = await ask(bob, { ...said('Go on'), messageId: hers.messageId, sessionId }).finished
    expect(textOf(received)).toBe('His answer.')
    expect(model.requests).toHaveLength(1)
    expect(JSON.stringify(model.requests)).not.toMatch(/secret|Her answer/)
    const his = await bob.call('sessions.read', { params: { sessionId } })
    expect(his.session).toMatchObject({ user_id: bob.sub, title: 'Go on', message_count: 2 })
    expect(his.messages.map(({ content }) => content)).toEqual(['Go on', 'His answer.'])
    expect(await rowsOf(ann)).toEqual(before)

    await bob.call('sessions.delete', { params: { sessionId } })
    expect(await rowsOf(ann)).toEqual(before)
    expect(await ann.send('sessions.read', { params: { sessionId } })).toMatchObject({ status: 200 })
  })

  it('two people hold replies under one id, each their own', async () => {
    const sessionId = crypto.randomUUID()
    const hers = heldReply('hers')
    const his = heldReply('his')
    model.behave(hers.behaviour, his.behaviour)
    const she = ask(ann, { ...said('Hers'), sessionId })
    await hers.begun
    const he = ask(bob, { ...said('His'), sessionId })
    await his.begun
    await bob.call('runs.stop', { params: { sessionId }, body: {} })
    await his.cut
    await he.finished
    hers.finish(' only')
    expect(textOf(await she.finished)).toBe('hers only')
    expect(textOf(await reattach(ann, sessionId).finished)).toBe('hers only')
    expect(textOf(await reattach(bob, sessionId).finished)).toContain('his')
  })
})
