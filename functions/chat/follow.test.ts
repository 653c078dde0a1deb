import { DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { streamEnd } from '#shared/chat-events.ts'
import { streamHeartbeatMs } from '#shared/limits.ts'
import { foldReply } from '#shared/reply/fold-reply.ts'
import { emptyReply } from '#shared/reply/reply-state.ts'
import { aMessage, aRun } from '../../test/support/conversations.ts'
import { says } from '../../test/support/fake-model-server.ts'
import {
  failTable,
  startInProcessFunctions,
  type InProcessUser,
} from '../../test/support/in-process-functions.ts'
import { pausableReply } from '../../test/support/pausable-reply.ts'
import { ask, reattach, findOnlyEvent } from '../../test/support/read-along.ts'
import type { Run } from '../conversations/store/run.ts'

const backend = await startInProcessFunctions()
afterAll(() => backend.close())
afterEach(() => {
  vi.useRealTimers()
})

const params = { sessionId: 's1' }
const message = {
  sessionId: 's1',
  messageId: 'm1',
  messages: [{ role: 'user' as const, content: 'Tell me' }],
}
const read = (user: InProcessUser) => user.call('sessions.read', { params })

/** Stores a run of another invocation, with its question and the conversation's row. */
async function runElsewhere(user: InProcessUser, changes: Partial<Run> = {}) {
  const run = await backend.stores.runs.claim(
    aRun({ sub: user.sub, sessionId: 's1', messageId: 'm1', ...changes }),
    undefined,
  )
  const question = aMessage({ session_id: 's1', id: 'm1', content: 'Tell me' })
  await backend.stores.messages.put(user.sub, question, run.startedAtMs)
  await backend.stores.conversations.upsert(user.sub, 's1', {
    title: 'Tell me',
    addedMessages: 1,
    at: question.created_at,
    replacesTitle: false,
  })
  return run
}
const textPart = (from: number, words: string) => ({
  from,
  to: from + words.length,
  textId: 'text-0',
  text: words,
})
const startPart = (run: Run) =>
  ({ from: 0, to: 1, event: { type: 'start', messageId: run.replyId, messageMetadata: {} } }) as const

it('reasoning whose beginning the model did not mark is reasoning for who reads along, and after a reload', async () => {
  backend.model.behave(says('They greet me.\n</think>\n\nHello.'))
  const user = await backend.newUser()
  const live = await ask(user, message).finished
  const shown = live
    .flatMap(({ event }) => (event === streamEnd ? [] : [event]))
    .filter(({ type }) => type !== 'finish')
    .reduce(foldReply, emptyReply)
  expect([shown.text, shown.reasoning?.text]).toEqual(['Hello.', 'They greet me.'])
  const stored = await read(user)
  expect(stored.messages[1]).toMatchObject({ content: 'Hello.', reasoning: { text: 'They greet me.' } })
})

describe('a stop', () => {
  it('ends a running reply within three seconds; its text stays, marked as stopped, and a line says that the user stopped it', async () => {
    const paused = pausableReply('Once upon')
    backend.model.behave(paused.behaviour, says('Well.'))
    const user = await backend.newUser()
    const reading = ask(user, message)
    await paused.modelCalled
    await reading.until(({ text }) => text() === 'Once upon')
    const { run } = await user.call('runs.stop', { params, body: {} })
    expect(run).toMatchObject({ status: 'running', message_id: 'm1' })
    const received = await reading.finished
    await paused.cut
    expect(reading.types().slice(-4)).toEqual(['data-session', 'abort', 'finish', '[DONE]'])
    expect(findOnlyEvent(received, 'finish').messageMetadata).toMatchObject({
      success: true,
      content: 'Once upon',
      error: null,
    })
    const stored = await read(user)
    expect(stored.messages.slice(1)).toMatchObject([
      { role: 'assistant', content: 'Once upon', ended: 'stopped' },
    ])
    expect(stored.run).toMatchObject({ status: 'stopped' })
    expect(await user.call('runs.stop', { params, body: {} })).toMatchObject({ run: { status: 'stopped' } })
    const secondReading = ask(user, message)
    expect((await secondReading.finished).length).toBeGreaterThan(3)
    expect(secondReading.types()).toContain('abort')
    expect(secondReading.text()).toBe('Once upon')
    await user.call('chat.send', { body: { ...message, messageId: 'm2' } })
    expect(
      backend.model.requests
        .at(-1)
        ?.messages.slice(1)
        .map(({ content }) => content),
    ).toEqual(['Tell me', 'Once upon', 'Tell me'])
  })

  it('of an older run, or without a run, is not found', async () => {
    const user = await backend.newUser()
    const notFound = { status: 404, body: { code: 'run_not_found' } }
    expect(await user.send('runs.stop', { params, body: {} })).toMatchObject(notFound)
    const run = await runElsewhere(user)
    expect(await user.send('runs.stop', { params, body: { runId: 'other' } })).toMatchObject(notFound)
    expect(await backend.stores.runs.find(user.sub, 's1')).not.toHaveProperty('stopRequestedAtMs')
    await user.call('runs.stop', { params, body: { runId: run.runId } })
    expect(await backend.stores.runs.find(user.sub, 's1')).toMatchObject({
      stopRequestedAtMs: expect.any(Number) as number,
      status: 'running',
    })
  })

  it('of a lost run reports that it was interrupted', async () => {
    const user = await backend.newUser()
    await runElsewhere(user, { heartbeatAtMs: Date.now() - 60_000 })
    expect(await user.call('runs.stop', { params, body: {} })).toMatchObject({
      run: { status: 'interrupted' },
    })
  })
})

describe('following a reply from another page', () => {
  it('is not found without a run, and takes no stream slot', async () => {
    const user = await backend.newUser()
    for (let attempt = 0; attempt < 6; attempt += 1)
      expect(await user.send('runs.events', { params })).toMatchObject({
        status: 404,
        body: { code: 'run_not_found' },
      })
  })

  it('takes no stream slot when the run cannot be read', async () => {
    const user = await backend.newUser()
    failTable((command, { Key }) => command === 'GetCommand' && Key?.['SK'] === 'RUN#s1', 4)
    for (let attempt = 0; attempt < 4; attempt += 1)
      expect(await user.send('runs.events', { params })).toMatchObject({ status: 500 })
    expect(await user.send('runs.events', { params })).toMatchObject({ status: 404 })
  })

  it('sends its checkpoints with their positions, then new text, then the stored reply', async () => {
    const user = await backend.newUser()
    const run = await runElsewhere(user)
    await backend.stores.logs.append(run, [startPart(run), textPart(1, 'Once upon')])
    const reading = reattach(user, 's1')
    await reading.until(({ received }) => received.length >= 2)
    expect(reading.received).toEqual([
      { id: '1', event: { type: 'start', messageId: run.replyId, messageMetadata: {} } },
      { id: '10', event: { type: 'text-delta', id: 'text-0', delta: 'Once upon' } },
    ])
    await vi.waitUntil(
      async () =>
        ((await backend.stores.runs.find(user.sub, 's1'))?.watchedUntilMs ?? 0) > Date.now() + 15_000,
    )
    await backend.stores.logs.append(run, [textPart(10, ' a time')])
    await reading.until(({ text }) => text() === 'Once upon a time')
    await backend.stores.messages.put(
      user.sub,
      aMessage({ session_id: 's1', role: 'assistant', content: 'Once upon a time.', kind: 'reply' }),
      run.startedAtMs,
    )
    await backend.stores.runs.end(run, 'done')
    const received = await reading.finished
    const { data } = findOnlyEvent(received, 'data-reply')
    expect(data.messages.map(({ content }) => content)).toEqual(['Tell me', 'Once upon a time.'])
    expect(data.messages[0]).not.toHaveProperty('conversation')
    expect(data.run).toMatchObject({ status: 'done', run_id: run.runId })
    // the last events do not count towards the reply's positions
    expect(received.slice(-3).map(({ id }) => id)).toEqual(['17', '17', undefined])
    expect(reading.types().slice(-3)).toEqual(['data-reply', 'finish', '[DONE]'])
  })

  it.each([
    ['4', 'e upon'],
    ['10', ''],
    ['', 'Once upon'],
    ['abc', 'Once upon'],
    ['1234567890', 'Once upon'],
  ])('continues after the reader’s position %s', async (position, rest) => {
    const user = await backend.newUser()
    const run = await runElsewhere(user)
    await backend.stores.logs.append(run, [startPart(run), textPart(1, 'Once upon')])
    await backend.stores.runs.end(run, 'stopped')
    const reading = reattach(user, 's1', position)
    await reading.finished
    expect(reading.text()).toBe(rest)
  })

  it('ends without its last events when another run has replaced this one', async () => {
    const user = await backend.newUser()
    const run = await runElsewhere(user)
    await backend.stores.logs.append(run, [startPart(run)])
    const reading = reattach(user, 's1')
    await reading.until(({ received }) => received.length > 0)
    await backend.stores.runs.end(run, 'done')
    const endedRun = await backend.stores.runs.find(user.sub, 's1')
    await backend.stores.runs.claim(aRun({ sub: user.sub, sessionId: 's1', turn: 2 }), endedRun)
    await reading.finished
    expect(reading.types()).toEqual(['start', '[DONE]'])
  })

  it('sends the error message of a failed run', async () => {
    const user = await backend.newUser()
    const run = await runElsewhere(user)
    await backend.stores.runs.end(run, 'failed', { error: 'Service error: no.' })
    const reading = reattach(user, 's1')
    const received = await reading.finished
    expect(reading.types()).toEqual(['start', 'data-reply', 'error', 'finish', '[DONE]'])
    expect(findOnlyEvent(received, 'start')).toEqual({
      type: 'start',
      messageId: run.replyId,
      messageMetadata: { sessionId: 's1', runId: run.runId },
    })
    expect(findOnlyEvent(received, 'error').errorText).toBe('Service error: no.')
    expect(findOnlyEvent(received, 'finish').messageMetadata).toEqual({
      success: false,
      content: '',
      toolCalls: [],
      error: 'Service error: no.',
    })
  })

  it('recovers a lost run, and says that it was interrupted', async () => {
    const user = await backend.newUser()
    const run = await runElsewhere(user, {
      heartbeatAtMs: Date.now() - 60_000,
      startedAtMs: Date.now() - 90_000,
    })
    const start = { from: 1, to: 2, event: { type: 'text-start', id: 'text-0' } } as const
    await backend.stores.logs.append(run, [startPart(run), start, textPart(2, 'Once upon')])
    const reading = reattach(user, 's1', '11')
    const received = await reading.finished
    expect(findOnlyEvent(received, 'data-reply').data).toMatchObject({
      messages: [{ content: 'Tell me' }, { content: 'Once upon', ended: 'interrupted' }],
      run: { status: 'interrupted' },
    })
    expect(findOnlyEvent(received, 'finish').messageMetadata).toMatchObject({
      success: false,
      content: 'Once upon',
      error: expect.stringContaining("I'm having trouble connecting") as string,
    })
  })

  it('allows four streams at once; one that has ended makes room for another', async () => {
    const user = await backend.newUser()
    const run = await runElsewhere(user)
    await backend.stores.logs.append(run, [startPart(run)])
    const readings = Array.from({ length: 4 }, () => reattach(user, 's1'))
    await Promise.all(readings.map((reading) => reading.until(({ received }) => received.length > 0)))
    const refusal = await user.send('runs.events', { params })
    expect(refusal).toMatchObject({
      status: 429,
      body: {
        code: 'too_many_streams',
        error: 'You are following too many replies at once. Please close a tab, or wait a moment.',
      },
    })
    expect(refusal.headers.get('retry-after')).toBe('5')
    expect(await user.send('chat.send', { body: message })).toMatchObject({ status: 429 })
    await backend.stores.runs.end(run, 'done')
    await Promise.all(readings.map(({ finished }) => finished))
    expect((await reattach(user, 's1').finished).at(-1)?.event).toBe('[DONE]')
  })

  it('sends heartbeats while nothing happens, and closes the stream when its time is up', async () => {
    const user = await backend.newUser()
    await runElsewhere(user)
    const now = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now })
    const send = vi.spyOn(DynamoDBDocumentClient.prototype, 'send')
    const countReads = () => send.mock.calls.filter(([command]) => command instanceof QueryCommand).length
    const reply = user.send('runs.events', { params })
    await vi.waitUntil(
      async () => ((await backend.stores.runs.find(user.sub, 's1'))?.watchedUntilMs ?? 0) > 0,
      {
        interval: 20,
      },
    )
    vi.setSystemTime(now + streamHeartbeatMs)
    // the first of these may have started before
    const reads = countReads()
    await vi.waitUntil(() => countReads() >= reads + 2, { interval: 10 })
    const watchedRun = await backend.stores.runs.find(user.sub, 's1')
    expect(watchedRun?.watchedUntilMs).toBeGreaterThanOrEqual(now + 20_000)
    // the run is alive when the time of its readers is up
    if (watchedRun) await backend.stores.runs.heartbeat(watchedRun, now + 15_000)
    vi.setSystemTime(now + 25_000)
    const { body } = await reply
    expect(String(body)).toBe(': heartbeat\n\n')
    send.mockRestore()
  })
})
