import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import type { ChatEvent } from '#shared/chat-events.ts'
import {
  aConversation,
  aRun,
  openTestStores,
  said,
  type TestStores,
} from '../../test/support/conversations.ts'
import { conversationFiles } from '../files/conversation-files.ts'
import { logger } from '../platform/logger.ts'
import { openObjectStore } from '../platform/object-store.ts'
import { ReplyLog } from '../runs/reply-log.ts'
import type { Run } from '../runs/run.ts'
import { deleteSession } from '../sessions/delete-session.ts'
import { readSession } from '../sessions/read-session.ts'
import { answerRun } from './answer-run.ts'
import { followRun } from './follow-run.ts'
import { emptyProgress } from './generate.ts'
import { faults, ModelFault } from './model-faults.ts'
import type { Model } from './model.ts'
import { runReply } from './run-reply.ts'
import { startTurn } from './start-turn.ts'
import { stopRun } from './stop-run.ts'
import type { Tool } from './tools.ts'

let stores: TestStores
beforeAll(async () => {
  process.env['LOG_LEVEL'] = 'silent'
  stores = await openTestStores()
})
afterAll(() => stores.close())

const round = { text: '', toolCalls: [], truncated: false, inputTokens: 0, outputTokens: 0 }
const saying = (text: string): Model => ({
  async complete({ onText }) {
    onText(text)
    return { ...round, text }
  },
})
const failing = (text = ''): Model => ({
  async complete({ onText }) {
    if (text) onText(text)
    throw new ModelFault(faults.busy, 'test')
  },
})
/** Says this much, then goes on only when it is told to. */
function pausing(text: string) {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const { promise: more, resolve: goOn } = Promise.withResolvers<void>()
  const model: Model = {
    async complete({ onText, signal }) {
      onText(text)
      begin()
      const aborted = new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error)),
      )
      await Promise.race([more, aborted])
      onText(' And more.')
      return { ...round, text: `${text} And more.` }
    },
  }
  return { model, begun, goOn }
}

const means = () => ({
  stores,
  profiles: { find: async () => undefined },
  settings: { find: async () => ({ keep_conversations: true, store_uploads: true, theme: null }) },
  imageModel: undefined,
  assistantName: 'Ada',
  attached: { files: conversationFiles(stores.table), store: openObjectStore('none') },
})

type Place = ReturnType<typeof aConversation>

async function start(place: Place, messageId = 'm1', content = 'Hello') {
  const turn = await startTurn(stores, { ...place, messageId, content })
  if (turn.kind === 'started') await turn.published
  return turn
}

async function started(place: Place, messageId?: string, content?: string): Promise<Run> {
  const turn = await start(place, messageId, content)
  if (turn.kind !== 'started') throw new Error(`not started but ${turn.kind}`)
  return turn.run
}

function write(run: Run, model: Model, tools: Tool[] = [], remainingMs = 300_000) {
  const reply = new ReplyLog()
  reply.push({ type: 'start', messageId: run.replyId, messageMetadata: {} })
  const ended = runReply(stores, run, {
    model,
    tools,
    messages: [{ role: 'user', content: 'Hello' }],
    said: [{ role: 'user', content: 'Hello' }],
    progress: emptyProgress(),
    reply,
    remainingMs: () => remainingMs,
    log: logger,
  })
  return { reply, ended }
}

const typesOf = (reply: ReplyLog) =>
  reply.after(0).flatMap((part) => ('event' in part ? [part.event.type] : ['text']))

type Received = (ChatEvent | '[DONE]')[]

/** @param received grows while the frames come */
async function eventsOf(frames: AsyncIterable<string>, received: Received): Promise<Received> {
  for await (const frame of frames)
    for (const [, data = ''] of frame.matchAll(/^data: (.*)$/gm))
      received.push(data === '[DONE]' ? data : (JSON.parse(data) as ChatEvent))
  return received
}

const follow = (run: Run, after = 0, received: Received = []) =>
  eventsOf(followRun(stores, { run, after, isOver: () => false }), received)

describe('a turn', () => {
  it('HIST-13 HIST-17 CHAT-40 DATA-09 makes the conversation, stores the message first, then the reply', async () => {
    const place = aConversation()
    const run = await started(place, 'm1', 'How do I boil an egg?')
    const before = await readSession(stores, place)
    expect(before.session).toMatchObject({ title: 'How do I boil an egg?', message_count: 1 })
    expect(before.run).toMatchObject({ status: 'running', message_id: 'm1' })
    const { reply, ended } = write(run, saying('In water.'))
    expect(await ended).toEqual({ success: true, content: 'In water.', toolCalls: [], error: null })
    expect(typesOf(reply)).toEqual(['start', 'text-start', 'text', 'text-end', 'data-session', 'finish'])
    const { messages, run: after } = await readSession(stores, place)
    expect(said(messages)).toEqual([
      ['user', 'How do I boil an egg?'],
      ['assistant', 'In water.'],
    ])
    expect(messages[0]?.id).toBe('m1')
    expect(after).toBeNull()
  })

  it('DEC-005 turns are numbered, times strictly increase, and the model gets what was said', async () => {
    const place = aConversation()
    await write(await started(place, 'm1', 'One'), saying('1')).ended
    const turn = await start(place, 'm2', 'Two')
    expect(turn.kind === 'started' && said(turn.said)).toEqual([
      ['user', 'One'],
      ['assistant', '1'],
      ['user', 'Two'],
    ])
    if (turn.kind === 'started') await write(turn.run, saying('2')).ended
    const { messages } = await readSession(stores, place)
    const times = messages.map(({ created_at }) => Date.parse(created_at))
    expect(times.every((time, index) => index === 0 || time > (times[index - 1] ?? 0))).toBe(true)
  })

  it('HIST-27 a conversation that cannot be made is told as such', async () => {
    const broken = vi.spyOn(stores.messages, 'put').mockRejectedValueOnce(new Error('table down'))
    await expect(start(aConversation())).rejects.toMatchObject({ code: 'session_not_created', status: 503 })
    broken.mockRestore()
  })

  it('costs no more than 7 write units, limits aside, whatever came before', async () => {
    const place = aConversation()
    const cost = async (messageId: string) => {
      const before = stores.table.writeUnits()
      await write(await started(place, messageId), saying('short')).ended
      return stores.table.writeUnits() - before
    }
    const first = await cost('m0')
    for (let turn = 1; turn < 10; turn += 1) await cost(`m${turn}`)
    expect([first, await cost('m10')]).toEqual([6, 6])
  })

  it('CHAT-41 refuses a second message while a reply is written', async () => {
    const place = aConversation()
    await started(place)
    await expect(start(place, 'm2')).rejects.toMatchObject({ code: 'run_in_progress', status: 409 })
  })

  it('the same message again gets the same run, or its reply', async () => {
    const place = aConversation()
    const run = await started(place)
    expect(await start(place)).toMatchObject({ kind: 'running', run: { runId: run.runId } })
    await write(run, saying('Hi!')).ended
    const again = await start(place)
    expect(again).toMatchObject({ kind: 'ended', messages: [{ content: 'Hello' }, { content: 'Hi!' }] })
    await write(await started(place, 'm2'), saying('Ho!')).ended
    expect(await start(place)).toMatchObject({
      kind: 'ended',
      messages: [{ content: 'Hello' }, { content: 'Hi!' }],
    })
    expect((await readSession(stores, place)).session.message_count).toBe(4)
  })

  it('a message that failed before the conversation went on is told as such when it is sent again', async () => {
    const place = aConversation()
    await write(await started(place, 'm1'), failing()).ended
    await write(await started(place, 'm2'), saying('Hi!')).ended
    const again = await start(place, 'm1')
    expect(again).toMatchObject({
      kind: 'ended',
      run: { status: 'failed', error: expect.stringContaining('was not answered') as string },
    })
  })

  it('HIST-14 many requests for the same message at once start one run, and make one conversation', async () => {
    const place = aConversation()
    const turns = await Promise.all(Array.from({ length: 8 }, () => start(place)))
    expect(turns.filter(({ kind }) => kind === 'started')).toHaveLength(1)
  })

  it('a deleted conversation is not found, and not made anew', async () => {
    const place = aConversation()
    await write(await started(place), saying('Hi!')).ended
    await deleteSession(stores, place)
    await expect(start(place, 'm2')).rejects.toMatchObject({ code: 'session_not_found' })
  })

  it('counts what a crash between message and row left uncounted', async () => {
    const place = aConversation()
    const crash = vi.spyOn(stores.sessions, 'publish').mockRejectedValueOnce(new Error('killed'))
    const turn = await startTurn(stores, { ...place, messageId: 'm1', content: 'Hello' })
    await expect(turn.kind === 'started' && turn.published).rejects.toThrow('killed')
    crash.mockRestore()
    const run = turn.kind === 'started' ? turn.run : undefined
    if (run) await stores.runs.end(run, 'failed', 'no')
    await write(await started(place), saying('Hi!')).ended
    expect(await stores.sessions.list(place.sub)).toMatchObject([{ message_count: 2 }])
  })
})

describe('faults', () => {
  it('ERR-05 HIST-15 DATA-12 DEC-004 keeps the message and what was written, tells the sentence, and tries again in the same turn', async () => {
    const place = aConversation()
    const { reply, ended } = write(await started(place), failing('Half a'))
    const sentence = "Service error: The assistant's model is busy. Please try again in a moment."
    expect(await ended).toMatchObject({ success: false, content: 'Half a', error: sentence })
    expect(typesOf(reply).slice(-3)).toEqual(['data-session', 'error', 'finish'])
    const failed = await readSession(stores, place)
    expect(failed.run).toMatchObject({ status: 'failed', error: sentence })
    expect(failed.messages.at(-1)).toMatchObject({ content: 'Half a', ended: 'failed' })
    await write(await started(place), saying('Whole.')).ended
    const { messages, session } = await readSession(stores, place)
    expect(said(messages)).toEqual([
      ['user', 'Hello'],
      ['assistant', 'Whole.'],
    ])
    expect(session.message_count).toBe(2)
  })

  it('a function that has to end leaves an incomplete reply', async () => {
    const place = aConversation()
    const { model } = pausing('Once')
    const { ended } = write(await started(place), model, [], 10_050)
    expect(await ended).toMatchObject({ success: true, content: 'Once' })
    const { messages, run } = await readSession(stores, place)
    expect(messages.at(-1)).toMatchObject({ content: 'Once', ended: 'incomplete' })
    expect(run).toMatchObject({ status: 'incomplete' })
  })

  it('a reply that cannot be stored is told as such', async () => {
    const run = await started(aConversation())
    const broken = vi.spyOn(stores.messages, 'put').mockRejectedValueOnce(new Error('table down'))
    expect(await write(run, saying('Hi!')).ended).toMatchObject({ success: false, content: 'Hi!' })
    broken.mockRestore()
  })
})

describe('stop', () => {
  it('CHAT-46 CHAT-47 CHAT-48 CHAT-49 ends the model call within 3 s and keeps what was written', async () => {
    const place = aConversation()
    const run = await started(place)
    const { model, begun } = pausing('Once upon')
    const { reply, ended } = write(run, model)
    await begun
    expect(await stopRun(stores, place)).toMatchObject({ run_id: run.runId })
    expect(await ended).toMatchObject({ success: true, content: 'Once upon' })
    expect(typesOf(reply).slice(-3)).toEqual(['data-session', 'abort', 'finish'])
    expect(said((await readSession(stores, place)).messages)).toEqual([
      ['user', 'Hello'],
      ['assistant', 'Once upon'],
      ['assistant', 'Generation stopped by user.'],
    ])
    expect(await stopRun(stores, place)).toMatchObject({ status: 'stopped' })
  })

  it('is not found without a run, for another run, and for a stranger', async () => {
    const place = aConversation()
    await expect(stopRun(stores, place)).rejects.toMatchObject({ status: 404 })
    await started(place)
    await expect(stopRun(stores, { ...place, runId: 'other' })).rejects.toMatchObject({ status: 404 })
    await expect(stopRun(stores, { ...place, sub: 'stranger' })).rejects.toMatchObject({ status: 404 })
  })

  it('DEC-006 a deletion stops the writer, which leaves nothing', async () => {
    const place = aConversation()
    const { model, begun } = pausing('Once upon')
    const { ended } = write(await started(place), model)
    await begun
    await deleteSession(stores, place)
    expect(await ended).toMatchObject({ success: false })
    expect((await stores.messages.newest(place.sub, place.sessionId)).messages).toEqual([])
  })
})

describe('reattach', () => {
  it('LIB-16 follows a run from elsewhere, from its start and from a position, to its end', async () => {
    const place = aConversation()
    const run = await started(place)
    const { model, begun, goOn } = pausing('Once upon')
    const { ended } = write(run, model)
    await begun
    const received: Received[] = [[], []]
    const [whole, rest] = [follow(run, 0, received[0]), follow(run, 7, received[1])]
    await vi.waitUntil(() => received.every(({ length }) => length > 0), { timeout: 10_000 })
    goOn()
    await ended
    const seen = await whole
    expect(seen.slice(0, 3)).toEqual([
      expect.objectContaining({ type: 'start' }),
      { type: 'text-start', id: 'text-0' },
      { type: 'text-delta', id: 'text-0', delta: 'Once upon' },
    ])
    expect(seen.at(-1)).toBe('[DONE]')
    expect(seen.find((event) => event !== '[DONE]' && event.type === 'data-reply')).toMatchObject({
      data: { messages: [{ content: 'Hello' }, { content: 'Once upon And more.' }], run: { status: 'done' } },
    })
    expect((await rest)[0]).toEqual({ type: 'text-delta', id: 'text-0', delta: 'upon' })
  })

  it('gives a reader from the start the whole of a reply that is over', async () => {
    const run = await started(aConversation())
    await write(run, saying('Hi!')).ended
    const ended = await stores.runs.find(run.sub, run.sessionId)
    const events = await follow(ended as Run)
    expect(events.map((event) => (event === '[DONE]' ? event : event.type))).toEqual([
      'start',
      'text-start',
      'text-delta',
      'text-end',
      'data-reply',
      'finish',
      '[DONE]',
    ])
  })

  it('tells of a run that lost its function', async () => {
    const place = aConversation()
    const run = await started(place)
    await stores.runs.beat(run, Date.now() - 60_000)
    const events = await follow(run)
    expect(events.find((event) => event !== '[DONE]' && event.type === 'error')).toBeDefined()
    expect(await readSession(stores, place)).toMatchObject({ run: { status: 'interrupted' } })
    expect(await start(place)).toMatchObject({ kind: 'started', run: { turn: 1 } })
  })
})

describe('waiting', () => {
  const sent: unknown[] = []
  const tool: Tool = {
    name: 'send',
    description: 'Sends',
    parameters: z.object({ to: z.string() }),
    needsApproval: true,
    timeoutMs: 1_000,
    run: async (input) => sent.push(input),
  }
  const asking: Model = {
    complete: async () => ({
      ...round,
      toolCalls: [{ id: 'c1', name: 'send', arguments: '{"to":"ann"}' }],
    }),
  }
  const answer = (run: Run, approved: boolean, sub = run.sub) =>
    answerRun(
      {
        user: { sub, username: sub, issuedAt: 0, signedInAt: 0 },
        params: { sessionId: run.sessionId },
        query: undefined,
        body: { runId: run.runId, callId: 'c1', approved },
        headers: {},
        requestId: 'r',
        remainingMs: () => 300_000,
        log: logger,
      },
      { ...means(), model: saying('Sent.'), tools: [tool] },
    )

  async function waiting() {
    const run = await started(aConversation())
    await write(run, asking, [tool]).ended
    return run
  }

  it('a call that needs approval parks the run; the answer starts it again, once', async () => {
    const run = await waiting()
    expect(sent).toEqual([])
    expect((await readSession(stores, run)).run).toMatchObject({ status: 'waiting' })
    expect((await follow(run)).at(-2)).toMatchObject({ type: 'data-run', data: { status: 'waiting' } })
    await expect(answer(run, true, 'stranger')).rejects.toMatchObject({ status: 404 })
    expect(await answer(run, true)).toMatchObject({ success: true, content: 'Sent.' })
    await expect(answer(run, true)).rejects.toMatchObject({ status: 404 })
    expect(sent).toEqual([{ to: 'ann' }])
    const { messages } = await readSession(stores, run)
    expect(messages.at(-1)).toMatchObject({ content: 'Sent.', tool_calls: [{ tool: 'send' }] })
  })

  it('a denied call never runs', async () => {
    sent.length = 0
    const run = await waiting()
    expect(await answer(run, false)).toMatchObject({
      toolCalls: [{ result: { success: false, error: 'The user denied this call.' } }],
    })
    expect(sent).toEqual([])
  })

  it('a waiting run is stopped without a writer', async () => {
    const run = await waiting()
    expect(await stopRun(stores, run)).toMatchObject({ status: 'stopped' })
    expect(said((await readSession(stores, run)).messages).at(-1)).toEqual([
      'assistant',
      'Generation stopped by user.',
    ])
  })
})

describe('DEC-033 SET-12 a chat that is not kept', () => {
  const secret = 'CANARY-7f3a'
  const begin = (place: Place, messageId = 'm1') =>
    startTurn(stores, { ...place, messageId, content: secret, unkept: Promise.resolve(true) })

  async function begun(place: Place, messageId?: string): Promise<Run> {
    const turn = await begin(place, messageId)
    if (turn.kind !== 'started') throw new Error(`not started but ${turn.kind}`)
    return turn.run
  }

  /** every row of the table that belongs to a user */
  async function rowsOf(sub: string) {
    const { Items = [] } = await stores.table.client.send(
      new QueryCommand({
        TableName: stores.table.name,
        KeyConditionExpression: 'PK = :pk',
        ExpressionAttributeValues: { ':pk': `U#${sub}` },
      }),
    )
    return Items
  }

  it('has nothing but its run in the table while it goes on, and nothing after', async () => {
    const place = aConversation()
    const run = await begun(place)
    const { model, begun: speaking, goOn } = pausing(`${secret} too.`)
    const { reply, ended } = write(run, model)
    await speaking
    const rows = await rowsOf(place.sub)
    expect(rows.map(({ SK }) => SK)).toEqual([`RUN#${place.sessionId}`])
    expect(JSON.stringify(rows)).not.toContain(secret)
    expect(Number(rows[0]?.['ttl'])).toBeGreaterThan(Date.now() / 1000)
    goOn()
    expect(await ended).toMatchObject({ success: true, content: `${secret} too. And more.` })
    expect(typesOf(reply)).not.toContain('data-session')
    expect(await rowsOf(place.sub)).toEqual([])
  })

  it('can be stopped', async () => {
    const place = aConversation()
    const run = await begun(place)
    const { model, begun: speaking } = pausing('Half a')
    const { reply, ended } = write(run, model)
    await speaking
    await stopRun(stores, run)
    expect(await ended).toMatchObject({ content: 'Half a' })
    expect(typesOf(reply)).toContain('abort')
    expect(await rowsOf(place.sub)).toEqual([])
  })

  it('takes one message at a time', async () => {
    const place = aConversation()
    await begun(place)
    await expect(begin(place, 'm2')).rejects.toMatchObject({ code: 'run_in_progress' })
    await expect(begin(place, 'm1')).rejects.toMatchObject({ code: 'run_in_progress' })
  })

  it('leaves nothing when its function is lost, and goes on with the next message', async () => {
    const place = aConversation()
    await stores.runs.claim(
      aRun({ ...place, kept: false, heartbeatAtMs: Date.now() - 60_000, startedAtMs: Date.now() - 60_000 }),
      undefined,
    )
    const run = await begun(place, 'm2')
    await write(run, saying('Hi.')).ended
    expect(await rowsOf(place.sub)).toEqual([])
  })

  it('waits for an answer with what was said in its run, and forgets it then', async () => {
    const place = aConversation()
    const sent: unknown[] = []
    const tool: Tool = {
      name: 'send',
      description: 'Sends',
      parameters: z.object({ to: z.string() }),
      needsApproval: true,
      timeoutMs: 1_000,
      run: async (input) => sent.push(input),
    }
    const asking: Model = {
      complete: async () => ({
        ...round,
        toolCalls: [{ id: 'c1', name: 'send', arguments: '{"to":"ann"}' }],
      }),
    }
    const run = await begun(place)
    await write(run, asking, [tool]).ended
    expect((await rowsOf(place.sub)).map(({ SK }) => SK)).toEqual([`RUN#${place.sessionId}`])
    const given: unknown[] = []
    const hearing: Model = {
      complete: async ({ messages, onText }) => {
        given.push(...messages)
        onText('Sent.')
        return { ...round, text: 'Sent.' }
      },
    }
    await answerRun(
      {
        user: { sub: place.sub, username: place.sub, issuedAt: 0, signedInAt: 0 },
        params: { sessionId: place.sessionId },
        query: undefined,
        body: { runId: run.runId, callId: 'c1', approved: true },
        headers: {},
        requestId: 'r',
        remainingMs: () => 300_000,
        log: logger,
      },
      { ...means(), model: hearing, tools: [tool] },
    )
    expect(sent).toEqual([{ to: 'ann' }])
    expect(given).toContainEqual({ role: 'user', content: 'Hello' })
    expect(await rowsOf(place.sub)).toEqual([])
  })

  it('a waiting one is stopped without a trace', async () => {
    const place = aConversation()
    const run = await begun(place)
    await stores.runs.wait(run, [], {
      messages: [],
      content: secret,
      toolCalls: [],
      attachments: [],
      position: 1,
    })
    expect(await stopRun(stores, run)).toMatchObject({ status: 'stopped' })
    expect(await rowsOf(place.sub)).toEqual([])
  })

  it('one that is in the history stays there, whatever the setting says by now', async () => {
    const place = aConversation()
    await write(await started(place), saying('Hi.')).ended
    const run = await begun(place, 'm2')
    await write(run, saying('Still here.')).ended
    expect((await readSession(stores, place)).session.message_count).toBe(4)
    expect((await rowsOf(place.sub)).every(({ ttl }) => ttl === undefined)).toBe(true)
  })
})
