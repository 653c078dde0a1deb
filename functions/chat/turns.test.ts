import { afterEach, describe, expect, it, vi } from 'vitest'
import { newConversationIds, openSharedStores, toTranscript } from '../../test/support/conversations.ts'
import { withQuickHeartbeats } from '../../test/support/quick-heartbeats.ts'
import { failingModel, pausingModel, replyingModel, turnRunner, listTypes } from '../../test/support/turns.ts'
import { stopRun } from '../conversations/turns/stop-run.ts'
import { deleteConversation } from '../conversations/delete-conversation.ts'
import { readConversation } from '../conversations/read-conversation.ts'
import type { Model } from '../models/model.ts'

process.env['LOG_LEVEL'] = 'silent'
const stores = await openSharedStores()
const { start, startUnpublishedTurn, startRun, startNew, write } = turnRunner(stores)
afterEach(() => {
  vi.useRealTimers()
})

describe('a turn', () => {
  it('HIST-13 DATA-09 creates the conversation with its first message, and not before', async () => {
    const conversation = newConversationIds()
    expect(await stores.conversations.list(conversation.sub)).toEqual([])
    await expect(readConversation(stores, conversation)).rejects.toMatchObject({ status: 404 })
    await startRun(conversation, 'm1', 'How do I boil an egg?')
    expect(await stores.conversations.list(conversation.sub)).toMatchObject([
      { id: conversation.sessionId, user_id: conversation.sub, title: 'How do I boil an egg?' },
    ])
  })

  it('HIST-17 CHAT-40 stores the message first, which gives the title, then the reply', async () => {
    const conversation = newConversationIds()
    const run = await startRun(conversation, 'm1', 'How do I boil an egg?')
    const begun = await readConversation(stores, conversation)
    expect(begun.session).toMatchObject({ title: 'How do I boil an egg?', message_count: 1 })
    expect(begun.run).toMatchObject({ status: 'running', message_id: 'm1' })
    const { reply, ended } = write(run, replyingModel('In water.'))
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
    const { messages, run: endedRun } = await readConversation(stores, conversation)
    expect(toTranscript(messages)).toEqual([
      ['user', 'How do I boil an egg?'],
      ['assistant', 'In water.'],
    ])
    expect(messages[0]?.id).toBe('m1')
    expect(endedRun).toBeNull()
  })

  it('DEC-005 numbers the turns, with strictly increasing times, and passes on the history', async () => {
    const conversation = newConversationIds()
    await write(await startRun(conversation, 'm1', 'One'), replyingModel('1')).ended
    const turn = await start(conversation, 'm2', 'Two')
    expect(turn.kind === 'started' && toTranscript(turn.history)).toEqual([
      ['user', 'One'],
      ['assistant', '1'],
      ['user', 'Two'],
    ])
    if (turn.kind !== 'started') throw new Error(turn.kind)
    expect(turn.run.turn).toBe(2)
    await write(turn.run, replyingModel('2')).ended
    const { messages } = await readConversation(stores, conversation)
    const times = messages.map(({ created_at }) => Date.parse(created_at))
    expect(times.every((time, index) => index === 0 || time > (times[index - 1] ?? 0))).toBe(true)
  })

  it('HIST-27 reports that a conversation could not be created', async () => {
    const add = vi.spyOn(stores.messages, 'add').mockRejectedValueOnce(new Error('table down'))
    await expect(start(newConversationIds())).rejects.toMatchObject({
      code: 'session_not_created',
      status: 503,
    })
    add.mockRestore()
  })

  it('takes exactly 6 write units, besides those of limits, and one more in a new conversation', async () => {
    // with a frozen clock a slow turn writes no checkpoint
    vi.useFakeTimers({ toFake: ['Date'] })
    const conversation = newConversationIds()
    const measureUnits = async (messageId: string) => {
      const unitsBefore = stores.table.writeUnits()
      await write(await startRun(conversation, messageId), replyingModel('short')).ended
      return stores.table.writeUnits() - unitsBefore
    }
    const firstUnits = await measureUnits('m0')
    for (let turn = 1; turn < 10; turn += 1) await measureUnits(`m${turn}`)
    expect([firstUnits, await measureUnits('m10')]).toEqual([7, 6])
  })

  it('CHAT-41 refuses a second message while a reply is written', async () => {
    const conversation = newConversationIds()
    const { model, modelCalled, resume } = pausingModel('Once')
    const { ended } = write(await startRun(conversation), model)
    await modelCalled
    await expect(withQuickHeartbeats(stores, conversation, start(conversation, 'm2'))).rejects.toMatchObject({
      code: 'run_in_progress',
      status: 409,
    })
    resume()
    await ended
  })

  it('accepts a second message once the earlier run is known to be lost', async () => {
    const conversation = newConversationIds()
    // its function ended just now: nobody can know that yet
    const lostRun = await startRun(conversation)
    const find = vi.spyOn(stores.runs, 'find')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
    const next = startNew(conversation, 'm2', 'Still there?')
    while (find.mock.calls.length < 2) await new Promise((done) => setTimeout(done, 20))
    vi.setSystemTime(lostRun.heartbeatAtMs + 20_001)
    expect((await next).run).toMatchObject({ turn: 2, status: 'running' })
  })

  it('accepts a second message at once after a stop of a lost run', async () => {
    const conversation = newConversationIds()
    const lostRun = await startRun(conversation)
    await stopRun(stores, conversation)
    // a page treats the reply as stopped after 10 s
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 10_000 })
    const { history } = await startNew(conversation, 'm2', 'And now?')
    expect(toTranscript(history)).toEqual([
      ['user', 'Hello'],
      ['assistant', ''],
      ['user', 'And now?'],
    ])
    expect(await stores.runs.find(conversation.sub, conversation.sessionId)).not.toMatchObject({
      runId: lostRun.runId,
    })
  })

  it('returns the running or ended run when the same message is sent again', async () => {
    const conversation = newConversationIds()
    const run = await startRun(conversation)
    expect(await start(conversation)).toMatchObject({ kind: 'running', run: { runId: run.runId } })
    await write(run, replyingModel('Hi!')).ended
    const repeatedTurn = await start(conversation)
    expect(repeatedTurn).toMatchObject({
      kind: 'ended',
      messages: [{ content: 'Hello' }, { content: 'Hi!' }],
    })
    await write(await startRun(conversation, 'm2'), replyingModel('Ho!')).ended
    expect(await start(conversation)).toMatchObject({
      kind: 'ended',
      messages: [{ content: 'Hello' }, { content: 'Hi!' }],
    })
    expect((await readConversation(stores, conversation)).session.message_count).toBe(4)
  })

  it('reports that an earlier message failed when it is sent again', async () => {
    const conversation = newConversationIds()
    await write(await startRun(conversation, 'm1'), failingModel()).ended
    await write(await startRun(conversation, 'm2'), replyingModel('Hi!')).ended
    const repeatedTurn = await start(conversation, 'm1')
    expect(repeatedTurn).toMatchObject({
      kind: 'ended',
      run: { status: 'failed', error: expect.stringContaining('was not answered') as string },
    })
  })

  it('HIST-14 starts one run and creates one conversation for simultaneous requests with the same message', async () => {
    const conversation = newConversationIds()
    const turns = await Promise.all(Array.from({ length: 8 }, () => start(conversation)))
    expect(turns.filter(({ kind }) => kind === 'started')).toHaveLength(1)
    expect(await stores.conversations.list(conversation.sub)).toHaveLength(1)
  })

  it('does not find a deleted conversation, and does not create it again', async () => {
    const conversation = newConversationIds()
    await write(await startRun(conversation), replyingModel('Hi!')).ended
    await deleteConversation(stores, conversation)
    await expect(start(conversation, 'm2')).rejects.toMatchObject({ code: 'session_not_found' })
  })

  it('counts messages that a crash left uncounted', async () => {
    const conversation = newConversationIds()
    const turn = await startUnpublishedTurn(conversation)
    if (turn.kind !== 'started') throw new Error(turn.kind)
    await stores.runs.end(turn.run, 'failed', { error: 'no' })
    await write(await startRun(conversation), replyingModel('Hi!')).ended
    expect(await stores.conversations.list(conversation.sub)).toMatchObject([{ message_count: 2 }])
  })
})

describe('faults', () => {
  it('ERR-05 keeps the message and the incomplete reply, and returns the error message', async () => {
    const conversation = newConversationIds()
    const { reply, ended } = write(await startRun(conversation), failingModel('Half a'))
    const message = "Service error: The assistant's model is busy. Please try again in a moment."
    expect(await ended).toMatchObject({ success: false, content: 'Half a', error: message })
    expect(listTypes(reply).slice(-3)).toEqual(['data-session', 'error', 'finish'])
    const failedConversation = await readConversation(stores, conversation)
    expect(failedConversation.run).toMatchObject({ status: 'failed', error: message })
    expect(failedConversation.messages.at(-1)).toMatchObject({ content: 'Half a', ended: 'failed' })
  })

  it('HIST-15 DATA-12 DEC-004 a retry stays in the same turn: the new reply replaces the failed one', async () => {
    const conversation = newConversationIds()
    await write(await startRun(conversation), failingModel('Half a')).ended
    expect((await readConversation(stores, conversation)).messages).toHaveLength(2)
    await write(await startRun(conversation), replyingModel('Whole.')).ended
    const { messages, session } = await readConversation(stores, conversation)
    expect(toTranscript(messages)).toEqual([
      ['user', 'Hello'],
      ['assistant', 'Whole.'],
    ])
    expect(session.message_count).toBe(2)
  })

  it('leaves an incomplete reply when the function’s time is up', async () => {
    const conversation = newConversationIds()
    const { model } = pausingModel('Once')
    const { ended } = write(await startRun(conversation), model, [], { remainingMs: 10_050 })
    expect(await ended).toMatchObject({ success: true, content: 'Once', incompleteReason: 'time' })
    const { messages, run } = await readConversation(stores, conversation)
    expect(messages.at(-1)).toMatchObject({ content: 'Once', ended: 'incomplete', incomplete_reason: 'time' })
    expect(run).toMatchObject({ status: 'incomplete' })
  })

  it('DEC-049 a write whose response was lost is repeated, and counted once', async () => {
    const conversation = newConversationIds()
    const run = await startRun(conversation)
    const original = { ...stores.conversations }
    // the write succeeds, but its response is lost
    const recordActivity = vi
      .spyOn(stores.conversations, 'recordActivity')
      .mockImplementationOnce(async (...args) => {
        await original.recordActivity(...args)
        throw new Error('table down')
      })
    expect(await write(run, replyingModel('Hi!')).ended).toMatchObject({ success: true, content: 'Hi!' })
    recordActivity.mockRestore()
    expect(await stores.conversations.list(conversation.sub)).toMatchObject([{ message_count: 2 }])
  })
})

describe('an incomplete reply', () => {
  const writeIncompleteReply = async () => {
    const conversation = newConversationIds()
    const run = await startRun(conversation)
    const { ended } = write(run, replyingModel('Once upon a ti', true))
    expect(await ended).toMatchObject({ success: true, content: 'Once upon a ti' })
    return { conversation, run }
  }

  it('continues in the middle of a word, as the same reply of the same turn', async () => {
    const { conversation, run } = await writeIncompleteReply()
    const { run: next, partialReply } = await startNew(conversation, 'm1', 'Hello', { continues: true })
    expect(next).toMatchObject({ turn: run.turn, replyId: run.replyId })
    const prompt: unknown[] = []
    const continuingModel: Model = {
      complete: async (request) => {
        prompt.push(...request.messages)
        return replyingModel('me.').complete(request)
      },
    }
    const { reply, ended } = write(next, continuingModel, [], { partialReply })
    expect(await ended).toMatchObject({ success: true, content: 'Once upon a time.' })
    expect(prompt.at(-2)).toEqual({ role: 'assistant', content: 'Once upon a ti' })
    expect(prompt.at(-1)).toMatchObject({ role: 'user' })
    expect(reply.readAfter(0)).toMatchObject([
      {},
      {},
      {},
      {},
      { text: 'Once upon a time.' },
      ...Array.from({ length: 5 }, () => ({})),
    ])
    const { messages, session } = await readConversation(stores, conversation)
    expect(toTranscript(messages)).toEqual([
      ['user', 'Hello'],
      ['assistant', 'Once upon a time.'],
    ])
    expect(messages.at(-1)).not.toHaveProperty('ended')
    expect(session.message_count).toBe(2)
  })

  it('is returned when it is being continued, or is complete by now', async () => {
    const { conversation } = await writeIncompleteReply()
    const { run, partialReply } = await startNew(conversation, 'm1', 'Hello', { continues: true })
    await expect(start(conversation, 'm1', 'Hello', { continues: true })).resolves.toMatchObject({
      kind: 'running',
    })
    await write(run, replyingModel('me.'), [], { partialReply }).ended
    await expect(start(conversation, 'm1', 'Hello', { continues: true })).resolves.toMatchObject({
      kind: 'ended',
    })
  })

  it('that does not exist is started anew', async () => {
    const turn = await startNew(newConversationIds(), 'm1', 'Hello', { continues: true })
    expect(turn.partialReply).toBeUndefined()
  })

  it('stays as it was when the model fails before it continues', async () => {
    const { conversation } = await writeIncompleteReply()
    const { run, partialReply } = await startNew(conversation, 'm1', 'Hello', { continues: true })
    expect(await write(run, failingModel(), [], { partialReply }).ended).toMatchObject({ success: false })
    const { messages } = await readConversation(stores, conversation)
    expect(messages.at(-1)).toMatchObject({ content: 'Once upon a ti', ended: 'incomplete' })
    const continuedTurn = await startNew(conversation, 'm1', 'Hello', { continues: true })
    expect(continuedTurn.partialReply).toMatchObject({ content: 'Once upon a ti' })
  })
})
