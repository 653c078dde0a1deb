import { describe, expect, it } from 'vitest'
import { routes, type Route, type RouteName } from '#shared/routes.ts'
import { says } from '../support/fake-model-server.ts'
import { pausableReply } from '../support/pausable-reply.ts'
import { ask, reattach, joinText, findOnlyEvent } from '../support/read-along.ts'
import { scriptedStack } from '../support/shared-stack.ts'

const conversationRoutes = (Object.entries(routes) as [RouteName, Route][]).filter(([, { path }]) =>
  path.includes('{sessionId}'),
)

const { model, stack, table } = await scriptedStack('The answer.')
const ann = await stack.newUser({ name: 'Ann' })
const bob = await stack.newUser({ name: 'Bob' })

const toBody = (content: string) => ({
  messages: [{ role: 'user' as const, content }],
  messageId: crypto.randomUUID(),
})

/** The bodies of the routes that need one. */
const buildBodies = (runId: string): Partial<Record<RouteName, object>> => ({
  'runs.stop': { runId },
  'runs.answer': { runId, callId: 'call', approved: true },
  'runs.checkTask': { runId, callId: 'call' },
  'sessions.update': { title: 'A title' },
  'sessions.showVersion': { message_id: 'm1' },
  'sessions.copy': { message_id: 'm1' },
  'shares.create': { days: 7 },
})

/** Stored data is covered by tenancy.test.ts; here replies are being written. */
describe('DEC-100 HIST-25 another user’s conversation', () => {
  it.each(conversationRoutes)('%s does not reach a reply that is being written', async (name) => {
    const sessionId = crypto.randomUUID()
    const paused = pausableReply('One,')
    model.behave(paused.behaviour)
    const reading = ask(ann, { ...toBody('My secret plan'), sessionId })
    await paused.modelCalled
    await reading.until(({ text }) => text() === 'One,')
    const runId = findOnlyEvent(reading.received, 'start').messageMetadata.runId ?? ''
    const other = await bob.send(name, { params: { sessionId }, body: buildBodies(runId)[name] })
    expect(other.status).toBe(404)
    paused.finish(' two.')
    expect(joinText(await reading.finished)).toBe('One, two.')
    expect(findOnlyEvent(reading.received, 'finish').messageMetadata.success).toBe(true)
  })

  it('a message with the id of another user’s conversation starts the sender’s own', async () => {
    const sessionId = crypto.randomUUID()
    const herMessage = toBody('My secret plan')
    model.behave(says('Her answer.'))
    await ask(ann, { ...herMessage, sessionId }).finished
    const before = await table.readRows(ann.sub)

    model.behave(says('His answer.'))
    // even with the id of her message, which would otherwise return her reply
    const received = await ask(bob, { ...toBody('Go on'), messageId: herMessage.messageId, sessionId })
      .finished
    expect(joinText(received)).toBe('His answer.')
    expect(model.requests).toHaveLength(1)
    expect(JSON.stringify(model.requests)).not.toMatch(/secret|Her answer/)
    const hisConversation = await bob.call('sessions.read', { params: { sessionId } })
    expect(hisConversation.session).toMatchObject({ user_id: bob.sub, title: 'Go on', message_count: 2 })
    expect(hisConversation.messages.map(({ content }) => content)).toEqual(['Go on', 'His answer.'])
    expect(await table.readRows(ann.sub)).toEqual(before)

    await bob.call('sessions.delete', { params: { sessionId } })
    expect(await table.readRows(ann.sub)).toEqual(before)
    expect(await ann.send('sessions.read', { params: { sessionId } })).toMatchObject({ status: 200 })
  })

  it('two users have conversations with the same id, each with replies of their own', async () => {
    const sessionId = crypto.randomUUID()
    const herReply = pausableReply('hers')
    const hisReply = pausableReply('his')
    model.behave(herReply.behaviour, hisReply.behaviour)
    const herReading = ask(ann, { ...toBody('Hers'), sessionId })
    await herReply.modelCalled
    const hisReading = ask(bob, { ...toBody('His'), sessionId })
    await hisReply.modelCalled
    await bob.call('runs.stop', { params: { sessionId }, body: {} })
    await hisReply.cut
    await hisReading.finished
    herReply.finish(' only')
    expect(joinText(await herReading.finished)).toBe('hers only')
    expect(joinText(await reattach(ann, sessionId).finished)).toBe('hers only')
    expect(joinText(await reattach(bob, sessionId).finished)).toContain('his')
  })
})
