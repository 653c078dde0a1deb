import { afterEach, describe, expect, it, vi } from 'vitest'
import { aConversation, openSharedStores, toTranscript } from '../../test/support/conversations.ts'
import { withQuickHeartbeats } from '../../test/support/quick-heartbeats.ts'
import { failing, pausing, saying, turnsOn, listTypes } from '../../test/support/turns.ts'
import { stopRun } from '../runs/stop-run.ts'
import { deleteConversation } from '../conversations/delete-conversation.ts'
import { readConversation } from '../conversations/read-conversation.ts'
import type { Model } from './model/model.ts'

process.env['LOG_LEVEL'] = 'silent'
const stores = await openSharedStores()
const { start, startHidden, startRun, startNew, write } = turnsOn(stores)
afterEach(() => {
  vi.useRealTimers()
})

describe('a turn', () => {
  it('HIST-13 DATA-09 makes the conversation with its first message, and not before', async () => {
    const place = aConversation()
    expect(await stores.conversations.list(place.sub)).toEqual([])
    await expect(readConversation(stores, place)).rejects.toMatchObject({ status: 404 })
    await startRun(place, 'm1', 'How do I boil an egg?')
    expect(await stores.conversations.list(place.sub)).toMatchObject([
      { id: place.sessionId, user_id: place.sub, title: 'How do I boil an egg?' },
    ])
  })

  it('HIST-17 CHAT-40 stores the message first, which gives the title, then the reply', async () => {
    const place = aConversation()
    const run = await startRun(place, 'm1', 'How do I boil an egg?')
    const before = await readConversation(stores, place)
    expect(before.session).toMatchObject({ title: 'How do I boil an egg?', message_count: 1 })
    expect(before.run).toMatchObject({ status: 'running', message_id: 'm1' })
    const { reply, ended } = write(run, saying('In water.'))
    expect(await ended).toEqual({ success: true, content: 'In water.', toolCalls: [], error: null })
    expect(listTypes(reply)).toEqual([
      'start',
      'start-step',
      'text-start',
      'text',
      'text-end',
      'message-metadata',
      'finish-step',
      'data-session',
      'finish',
    ])
    const { messages, run: after } = await readConversation(stores, place)
    expect(toTranscript(messages)).toEqual([
      ['user', 'How do I boil an egg?'],
      ['assistant', 'In water.'],
    ])
    expect(messages[0]?.id).toBe('m1')
    expect(after).toBeNull()
  })

  it('DEC-005 turns are numbered, times strictly increase, and the model gets what was said', async () => {
    const place = aConversation()
    await write(await startRun(place, 'm1', 'One'), saying('1')).ended
    const turn = await start(place, 'm2', 'Two')
    expect(turn.kind === 'started' && toTranscript(turn.history)).toEqual([
      ['user', 'One'],
      ['assistant', '1'],
      ['user', 'Two'],
    ])
    if (turn.kind === 'started') await write(turn.run, saying('2')).ended
    const { messages } = await readConversation(stores, place)
    const times = messages.map(({ created_at }) => Date.parse(created_at))
    expect(times.every((time, index) => index === 0 || time > (times[index - 1] ?? 0))).toBe(true)
  })

  it('HIST-27 a conversation that cannot be made is reported as such', async () => {
    const broken = vi.spyOn(stores.messages, 'add').mockRejectedValueOnce(new Error('table down'))
    await expect(start(aConversation())).rejects.toMatchObject({ code: 'session_not_created', status: 503 })
    broken.mockRestore()
  })

  it('costs no more than 7 write units, limits aside, whatever came before', async () => {
    const place = aConversation()
    const cost = async (messageId: string) => {
      const before = stores.table.writeUnits()
      await write(await startRun(place, messageId), saying('short')).ended
      return stores.table.writeUnits() - before
    }
    const first = await cost('m0')
    for (let turn = 1; turn < 10; turn += 1) await cost(`m${turn}`)
    expect([first, await cost('m10')]).toEqual([6, 6])
  })

  it('CHAT-41 refuses a second message while a reply is written', async () => {
    const place = aConversation()
    const { model, modelCalled: speaking, goOn } = pausing('Once')
    const { ended } = write(await startRun(place), model)
    await speaking
    await expect(withQuickHeartbeats(stores, place, start(place, 'm2'))).rejects.toMatchObject({
      code: 'run_in_progress',
      status: 409,
    })
    goOn()
    await ended
  })

  it('takes a second message once the run before it turns out to be lost', async () => {
    const place = aConversation()
    // its function was ended just now: nobody can know that yet
    const lost = await startRun(place)
    const looked = vi.spyOn(stores.runs, 'find')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const next = startNew(place, 'm2', 'Still there?')
    while (looked.mock.calls.length < 2) await new Promise((done) => setTimeout(done, 20))
    vi.setSystemTime(lost.heartbeatAtMs + 20_001)
    expect((await next).run).toMatchObject({ turn: 2, status: 'running' })
  })

  it('takes a second message at once after a stop that nobody was there to hear', async () => {
    const place = aConversation()
    const lost = await startRun(place)
    await stopRun(stores, place)
    // a page takes the reply for stopped after 10 s
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 })
    const { history } = await startNew(place, 'm2', 'And now?')
    expect(toTranscript(history)).toEqual([
      ['user', 'Hello'],
      ['assistant', 'Generation stopped by user.'],
      ['user', 'And now?'],
    ])
    expect(await stores.runs.find(place.sub, place.sessionId)).not.toMatchObject({ runId: lost.runId })
  })

  it('the same message again gets the same run, or its reply', async () => {
    const place = aConversation()
    const run = await startRun(place)
    expect(await start(place)).toMatchObject({ kind: 'running', run: { runId: run.runId } })
    await write(run, saying('Hi!')).ended
    const again = await start(place)
    expect(again).toMatchObject({ kind: 'ended', messages: [{ content: 'Hello' }, { content: 'Hi!' }] })
    await write(await startRun(place, 'm2'), saying('Ho!')).ended
    expect(await start(place)).toMatchObject({
      kind: 'ended',
      messages: [{ content: 'Hello' }, { content: 'Hi!' }],
    })
    expect((await readConversation(stores, place)).session.message_count).toBe(4)
  })

  it('a message that failed before the conversation went on is reported as such when it is sent again', async () => {
    const place = aConversation()
    await write(await startRun(place, 'm1'), failing()).ended
    await write(await startRun(place, 'm2'), saying('Hi!')).ended
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

  it('a deleted conversation is not found, and not created again', async () => {
    const place = aConversation()
    await write(await startRun(place), saying('Hi!')).ended
    await deleteConversation(stores, place)
    await expect(start(place, 'm2')).rejects.toMatchObject({ code: 'session_not_found' })
  })

  it('counts what a crash between message and row left uncounted', async () => {
    const place = aConversation()
    const turn = await startHidden(place)
    if (turn.kind !== 'started') throw new Error(turn.kind)
    await stores.runs.end(turn.run, 'failed', 'no')
    await write(await startRun(place), saying('Hi!')).ended
    expect(await stores.conversations.list(place.sub)).toMatchObject([{ message_count: 2 }])
  })
})

describe('faults', () => {
  it('ERR-05 keeps the message and what was written, and tells the sentence', async () => {
    const place = aConversation()
    const { reply, ended } = write(await startRun(place), failing('Half a'))
    const sentence = "Service error: The assistant's model is busy. Please try again in a moment."
    expect(await ended).toMatchObject({ success: false, content: 'Half a', error: sentence })
    expect(listTypes(reply).slice(-3)).toEqual(['data-session', 'error', 'finish'])
    const failed = await readConversation(stores, place)
    expect(failed.run).toMatchObject({ status: 'failed', error: sentence })
    expect(failed.messages.at(-1)).toMatchObject({ content: 'Half a', ended: 'failed' })
  })

  it('HIST-15 DATA-12 DEC-004 tries again in the same turn: the new reply takes the place of the failed one', async () => {
    const place = aConversation()
    await write(await startRun(place), failing('Half a')).ended
    expect((await readConversation(stores, place)).messages).toHaveLength(2)
    await write(await startRun(place), saying('Whole.')).ended
    const { messages, session } = await readConversation(stores, place)
    expect(toTranscript(messages)).toEqual([
      ['user', 'Hello'],
      ['assistant', 'Whole.'],
    ])
    expect(session.message_count).toBe(2)
  })

  it('a function that has to end leaves an incomplete reply', async () => {
    const place = aConversation()
    const { model } = pausing('Once')
    const { ended } = write(await startRun(place), model, [], { remainingMs: 10_050 })
    expect(await ended).toMatchObject({ success: true, content: 'Once' })
    const { messages, run } = await readConversation(stores, place)
    expect(messages.at(-1)).toMatchObject({ content: 'Once', ended: 'incomplete' })
    expect(run).toMatchObject({ status: 'incomplete' })
  })

  it('DEC-049 a table that falters is tried on, and the count is right', async () => {
    const place = aConversation()
    const run = await startRun(place)
    const untouched = { ...stores.conversations }
    // the answer to a write that was done is lost
    const broken = vi
      .spyOn(stores.conversations, 'recordActivity')
      .mockImplementationOnce(async (...given) => {
        await untouched.recordActivity(...given)
        throw new Error('table down')
      })
    expect(await write(run, saying('Hi!')).ended).toMatchObject({ success: true, content: 'Hi!' })
    broken.mockRestore()
    expect(await stores.conversations.list(place.sub)).toMatchObject([{ message_count: 2 }])
  })
})

describe('an incomplete reply', () => {
  const incomplete = async () => {
    const place = aConversation()
    const run = await startRun(place)
    const { ended } = write(run, saying('Once upon a ti', true))
    expect(await ended).toMatchObject({ success: true, content: 'Once upon a ti' })
    return { place, run }
  }

  it('goes on in the middle of a word, as the same reply of the same turn', async () => {
    const { place, run } = await incomplete()
    const { run: next, partial } = await startNew(place, 'm1', 'Hello', { continues: true })
    expect(next).toMatchObject({ turn: run.turn, replyId: run.replyId })
    const given: unknown[] = []
    const rest: Model = {
      complete: async (request) => {
        given.push(...request.messages)
        return saying('me.').complete(request)
      },
    }
    const { reply, ended } = write(next, rest, [], { partial })
    expect(await ended).toMatchObject({ success: true, content: 'Once upon a time.' })
    expect(given.at(-2)).toEqual({ role: 'assistant', content: 'Once upon a ti' })
    expect(given.at(-1)).toMatchObject({ role: 'user' })
    expect(reply.readAfter(0)).toMatchObject([
      {},
      {},
      {},
      { text: 'Once upon a time.' },
      ...Array.from({ length: 5 }, () => ({})),
    ])
    const { messages, session } = await readConversation(stores, place)
    expect(toTranscript(messages)).toEqual([
      ['user', 'Hello'],
      ['assistant', 'Once upon a time.'],
    ])
    expect(messages.at(-1)).not.toHaveProperty('ended')
    expect(session.message_count).toBe(2)
  })

  it('is complete by now, or was never started: what is there is the answer, or the message is answered', async () => {
    const { place } = await incomplete()
    const { run, partial } = await startNew(place, 'm1', 'Hello', { continues: true })
    await expect(start(place, 'm1', 'Hello', { continues: true })).resolves.toMatchObject({ kind: 'running' })
    await write(run, saying('me.'), [], { partial }).ended
    await expect(start(place, 'm1', 'Hello', { continues: true })).resolves.toMatchObject({ kind: 'ended' })
    const fresh = await startNew(aConversation(), 'm1', 'Hello', { continues: true })
    expect(fresh.partial).toBeUndefined()
  })

  it('stays as it was when the model fails before it goes on', async () => {
    const { place } = await incomplete()
    const { run, partial } = await startNew(place, 'm1', 'Hello', { continues: true })
    expect(await write(run, failing(), [], { partial }).ended).toMatchObject({ success: false })
    const { messages } = await readConversation(stores, place)
    expect(messages.at(-1)).toMatchObject({ content: 'Once upon a ti', ended: 'incomplete' })
    const again = await startNew(place, 'm1', 'Hello', { continues: true })
    expect(again.partial).toMatchObject({ content: 'Once upon a ti' })
  })
})
