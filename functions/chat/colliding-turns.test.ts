import { describe, expect, it, vi } from 'vitest'
import { aConversation, aMessage, openSharedStores, toTranscript } from '../../test/support/conversations.ts'
import { withQuickHeartbeats } from '../../test/support/quick-heartbeats.ts'
import { pausing, saying, turnsOn } from '../../test/support/turns.ts'
import { readConversation } from '../conversations/read-conversation.ts'

process.env['LOG_LEVEL'] = 'silent'
const stores = await openSharedStores()
const { start, startRun, startNew, write } = turnsOn(stores)

const queryAll = async ({ sub, sessionId }: ReturnType<typeof aConversation>) =>
  toTranscript((await stores.messages.loadNewest(sub, sessionId)).messages)

/** Lets the next call of a method begin only when it is told to. */
function holdNext<Name extends 'claim' | 'add' | 'deleteUnclaimed'>(name: Name) {
  const on = (name === 'claim' ? stores.runs : stores.messages) as unknown as Record<
    string,
    (...given: unknown[]) => Promise<unknown>
  >
  const original = on[name] as (...given: unknown[]) => Promise<unknown>
  const { promise: shown, resolve: go } = Promise.withResolvers<void>()
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
  vi.spyOn(on, name).mockImplementationOnce(async (...given) => {
    reach()
    await shown
    return original(...given)
  })
  return { reached, go }
}

describe('two writers that meet in a new turn', () => {
  it('who does not get the claim takes its message back', async () => {
    const place = aConversation()
    await write(await startRun(place), saying('Hi!')).ended
    const late = holdNext('claim')
    const lost = start(place, 'm2', 'Lost')
    await late.reached
    await vi.waitUntil(async () => (await queryAll(place)).length === 3)
    const winner = startNew(place, 'm3', 'Won')
    const { run } = await winner
    const { model, goOn } = pausing('Yes.')
    const { ended } = write(run, model)
    late.go()
    await expect(withQuickHeartbeats(stores, place, lost)).rejects.toMatchObject({ code: 'run_in_progress' })
    expect(run.turn).toBe(3)
    goOn()
    await ended
    const { session, messages } = await readConversation(stores, place)
    expect(toTranscript(messages)).toEqual([
      ['user', 'Hello'],
      ['assistant', 'Hi!'],
      ['user', 'Won'],
      ['assistant', 'Yes. And more.'],
    ])
    expect(session.message_count).toBe(4)
  })

  it('what the other one is about to take back is no part of the prompt', async () => {
    const place = aConversation()
    await write(await startRun(place), saying('Hi!')).ended
    const late = holdNext('claim')
    const lost = start(place, 'm2', 'Lost').catch(() => undefined)
    await late.reached
    await vi.waitUntil(async () => (await queryAll(place)).length === 3)
    const turn = await startNew(place, 'm3', 'Won')
    expect(toTranscript(turn.history)).toEqual([
      ['user', 'Hello'],
      ['assistant', 'Hi!'],
      ['user', 'Won'],
    ])
    late.go()
    await write(turn.run, saying('Yes.')).ended
    await lost
  })

  it('who gets the claim writes over what the other one has stored in its turn', async () => {
    const place = aConversation()
    const lateClaim = holdNext('claim')
    const lateRemoval = holdNext('deleteUnclaimed')
    const lost = start(place, 'm1', 'Lost').catch((error: unknown) => error)
    await lateClaim.reached
    await vi.waitUntil(async () => (await queryAll(place)).length === 1)
    // as one that has read before the other one wrote
    vi.spyOn(stores.messages, 'loadNewest').mockResolvedValueOnce({ messages: [], earlier: null })
    const { run } = await startNew(place, 'm2', 'Won')
    expect(run.turn).toBe(1)
    expect(await queryAll(place)).toEqual([['user', 'Won']])
    const { model, goOn } = pausing('Yes.')
    const { ended } = write(run, model)
    lateClaim.go()
    await lateRemoval.reached
    lateRemoval.go()
    expect(await withQuickHeartbeats(stores, place, lost)).toMatchObject({ code: 'run_in_progress' })
    expect(await queryAll(place)).toEqual([['user', 'Won']])
    goOn()
    await ended
    expect((await readConversation(stores, place)).session.message_count).toBe(2)
  })

  it('who has lost the claim while it wrote over others gives up', async () => {
    const place = aConversation()
    await stores.messages.add(place.sub, aMessage({ session_id: place.sessionId, content: 'Other' }), {
      runId: 'other',
      startedAtMs: 1,
    })
    vi.spyOn(stores.messages, 'loadNewest').mockResolvedValueOnce({ messages: [], earlier: null })
    vi.spyOn(stores.runs, 'find').mockResolvedValueOnce(undefined).mockResolvedValueOnce(undefined)
    await expect(start(place, 'm2', 'Late')).rejects.toMatchObject({ code: 'run_lost' })
    expect(await queryAll(place)).toEqual([['user', 'Other']])
  })

  it('a message in the way that is taken back meanwhile is in nobody’s way', async () => {
    const place = aConversation()
    const other = aMessage({ session_id: place.sessionId, content: 'Other' })
    await stores.messages.add(place.sub, other, { runId: 'other', startedAtMs: 1 })
    vi.spyOn(stores.messages, 'loadNewest').mockResolvedValueOnce({ messages: [], earlier: null })
    const unwatched = { ...stores.messages }
    vi.spyOn(stores.messages, 'findWriter').mockImplementationOnce(async (...given) => {
      const writer = await unwatched.findWriter(...given)
      await stores.messages.deleteUnclaimed(place.sub, other, 'other')
      return writer
    })
    const { run } = await startNew(place, 'm2', 'Mine')
    expect(run.turn).toBe(1)
    expect(await queryAll(place)).toEqual([['user', 'Mine']])
  })
})

describe('a writer without the claim that died before it took its message back', () => {
  const orphan = async (turn: number, place = aConversation()) => {
    await stores.messages.add(
      place.sub,
      aMessage({ session_id: place.sessionId, id: 'm9', content: 'Hello again', turn }),
      { runId: 'dead', startedAtMs: Date.now() },
    )
    return place
  }

  it('the same message is answered in its turn, and stands once', async () => {
    const place = aConversation()
    await write(await startRun(place), saying('Hi!')).ended
    await orphan(2, place)
    const { run } = await startNew(place, 'm9', 'Hello again')
    expect(run.turn).toBe(2)
    await write(run, saying('Hi again!')).ended
    const { session, messages } = await readConversation(stores, place)
    expect(toTranscript(messages)).toEqual([
      ['user', 'Hello'],
      ['assistant', 'Hi!'],
      ['user', 'Hello again'],
      ['assistant', 'Hi again!'],
    ])
    expect(session.message_count).toBe(4)
  })

  it('so is the first message of a conversation', async () => {
    const place = await orphan(1)
    const { run } = await startNew(place, 'm9', 'Hello again')
    expect(run.turn).toBe(1)
    await write(run, saying('Hi!')).ended
    const { session, messages } = await readConversation(stores, place)
    expect([messages.length, session.message_count]).toEqual([2, 2])
  })

  it('another message comes after it', async () => {
    const place = aConversation()
    await write(await startRun(place), saying('Hi!')).ended
    await orphan(2, place)
    const { run } = await startNew(place, 'm10', 'Something else')
    expect(run.turn).toBe(3)
  })
})

describe('a message that cannot be stored', () => {
  it('is not there although its write was done, and its run is over', async () => {
    const place = aConversation()
    await write(await startRun(place), saying('Hi!')).ended
    const unwatched = { ...stores.messages }
    vi.spyOn(stores.messages, 'add').mockImplementationOnce(async (...given) => {
      await unwatched.add(...given)
      throw new Error('the answer was lost')
    })
    await expect(start(place, 'm2', 'More')).rejects.toThrow('the answer was lost')
    expect(await stores.runs.find(place.sub, place.sessionId)).toMatchObject({
      messageId: 'm2',
      status: 'failed',
    })
    // the same once more stands once
    await write(await startRun(place, 'm2', 'More'), saying('Yes.')).ended
    const { session, messages } = await readConversation(stores, place)
    expect(toTranscript(messages).slice(2)).toEqual([
      ['user', 'More'],
      ['assistant', 'Yes.'],
    ])
    expect(session.message_count).toBe(4)
  })

  it('is taken back where the claim failed, whatever became of its own write', async () => {
    const place = aConversation()
    const unwatched = { ...stores.messages }
    vi.spyOn(stores.runs, 'claim').mockRejectedValueOnce(new Error('throttled'))
    vi.spyOn(stores.messages, 'add').mockImplementationOnce(async (...given) => {
      await unwatched.add(...given)
      throw new Error('the answer was lost')
    })
    await expect(start(place, 'm1', 'Hello')).rejects.toMatchObject({ code: 'session_not_created' })
    expect(await queryAll(place)).toEqual([])
  })
})
