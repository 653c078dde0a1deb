import { describe, expect, it, vi } from 'vitest'
import {
  newConversationIds,
  aMessage,
  openSharedStores,
  toTranscript,
} from '../../test/support/conversations.ts'
import { withQuickHeartbeats } from '../../test/support/quick-heartbeats.ts'
import { pausingModel, replyingModel, turnRunner } from '../../test/support/turns.ts'
import { readConversation } from '../conversations/read-conversation.ts'

process.env['LOG_LEVEL'] = 'silent'
const stores = await openSharedStores()
const { start, startRun, startNew, write } = turnRunner(stores)

const queryAll = async ({ sub, sessionId }: ReturnType<typeof newConversationIds>) =>
  toTranscript((await stores.messages.loadNewest(sub, sessionId)).messages)

/** Blocks the next call of a method until the test releases it. */
function holdNext<Name extends 'claim' | 'add' | 'deleteUnclaimed'>(name: Name) {
  const repository = (name === 'claim' ? stores.runs : stores.messages) as unknown as Record<
    string,
    (...args: unknown[]) => Promise<unknown>
  >
  const original = repository[name] as (...args: unknown[]) => Promise<unknown>
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>()
  vi.spyOn(repository, name).mockImplementationOnce(async (...args) => {
    reach()
    await released
    return original(...args)
  })
  return { reached, release }
}

describe('two writers that collide in a new turn', () => {
  it('the one without the claim removes its message', async () => {
    const conversation = newConversationIds()
    await write(await startRun(conversation), replyingModel('Hi!')).ended
    const heldClaim = holdNext('claim')
    const lost = start(conversation, 'm2', 'Lost')
    await heldClaim.reached
    await vi.waitUntil(async () => (await queryAll(conversation)).length === 3)
    const winner = startNew(conversation, 'm3', 'Won')
    const { run } = await winner
    const { model, resume } = pausingModel('Yes.')
    const { ended } = write(run, model)
    heldClaim.release()
    await expect(withQuickHeartbeats(stores, conversation, lost)).rejects.toMatchObject({
      code: 'run_in_progress',
    })
    expect(run.turn).toBe(3)
    resume()
    await ended
    const { session, messages } = await readConversation(stores, conversation)
    expect(toTranscript(messages)).toEqual([
      ['user', 'Hello'],
      ['assistant', 'Hi!'],
      ['user', 'Won'],
      ['assistant', 'Yes. And more.'],
    ])
    expect(session.message_count).toBe(4)
  })

  it('the prompt leaves out the message that the other one will remove', async () => {
    const conversation = newConversationIds()
    await write(await startRun(conversation), replyingModel('Hi!')).ended
    const heldClaim = holdNext('claim')
    const lost = start(conversation, 'm2', 'Lost').catch(() => undefined)
    await heldClaim.reached
    await vi.waitUntil(async () => (await queryAll(conversation)).length === 3)
    const turn = await startNew(conversation, 'm3', 'Won')
    expect(toTranscript(turn.history)).toEqual([
      ['user', 'Hello'],
      ['assistant', 'Hi!'],
      ['user', 'Won'],
    ])
    heldClaim.release()
    await write(turn.run, replyingModel('Yes.')).ended
    await lost
  })

  it('the one with the claim overwrites what the other one has stored in its turn', async () => {
    const conversation = newConversationIds()
    const lateClaim = holdNext('claim')
    const lateRemoval = holdNext('deleteUnclaimed')
    const lost = start(conversation, 'm1', 'Lost').catch((error: unknown) => error)
    await lateClaim.reached
    await vi.waitUntil(async () => (await queryAll(conversation)).length === 1)
    // as a writer that has read before the other one wrote
    vi.spyOn(stores.messages, 'loadNewest').mockResolvedValueOnce({ messages: [], earlier: null })
    const { run } = await startNew(conversation, 'm2', 'Won')
    expect(run.turn).toBe(1)
    expect(await queryAll(conversation)).toEqual([['user', 'Won']])
    const { model, resume } = pausingModel('Yes.')
    const { ended } = write(run, model)
    lateClaim.release()
    await lateRemoval.reached
    lateRemoval.release()
    expect(await withQuickHeartbeats(stores, conversation, lost)).toMatchObject({ code: 'run_in_progress' })
    expect(await queryAll(conversation)).toEqual([['user', 'Won']])
    resume()
    await ended
    expect((await readConversation(stores, conversation)).session.message_count).toBe(2)
  })

  it('the one that loses the claim while it overwrites gives up', async () => {
    const conversation = newConversationIds()
    await stores.messages.add(
      conversation.sub,
      aMessage({ session_id: conversation.sessionId, content: 'Other' }),
      {
        runId: 'other',
        startedAtMs: 1,
      },
    )
    vi.spyOn(stores.messages, 'loadNewest').mockResolvedValueOnce({ messages: [], earlier: null })
    vi.spyOn(stores.runs, 'find').mockResolvedValueOnce(undefined).mockResolvedValueOnce(undefined)
    await expect(start(conversation, 'm2', 'Late')).rejects.toMatchObject({ code: 'run_lost' })
    expect(await queryAll(conversation)).toEqual([['user', 'Other']])
  })

  it('a message that its writer has removed meanwhile does not block the other one', async () => {
    const conversation = newConversationIds()
    const other = aMessage({ session_id: conversation.sessionId, content: 'Other' })
    await stores.messages.add(conversation.sub, other, { runId: 'other', startedAtMs: 1 })
    vi.spyOn(stores.messages, 'loadNewest').mockResolvedValueOnce({ messages: [], earlier: null })
    const originalMessages = { ...stores.messages }
    vi.spyOn(stores.messages, 'findRunId').mockImplementationOnce(async (...args) => {
      const runId = await originalMessages.findRunId(...args)
      await stores.messages.deleteUnclaimed(conversation.sub, other, 'other')
      return runId
    })
    const { run } = await startNew(conversation, 'm2', 'Mine')
    expect(run.turn).toBe(1)
    expect(await queryAll(conversation)).toEqual([['user', 'Mine']])
  })
})

describe('a writer without the claim that crashed before it removed its message', () => {
  const storeOrphan = async (turn: number, conversation = newConversationIds()) => {
    await stores.messages.add(
      conversation.sub,
      aMessage({ session_id: conversation.sessionId, id: 'm9', content: 'Hello again', turn }),
      { runId: 'dead', startedAtMs: Date.now() },
    )
    return conversation
  }

  it('the same message sent again is answered in its turn, and stored once', async () => {
    const conversation = newConversationIds()
    await write(await startRun(conversation), replyingModel('Hi!')).ended
    await storeOrphan(2, conversation)
    const { run } = await startNew(conversation, 'm9', 'Hello again')
    expect(run.turn).toBe(2)
    await write(run, replyingModel('Hi again!')).ended
    const { session, messages } = await readConversation(stores, conversation)
    expect(toTranscript(messages)).toEqual([
      ['user', 'Hello'],
      ['assistant', 'Hi!'],
      ['user', 'Hello again'],
      ['assistant', 'Hi again!'],
    ])
    expect(session.message_count).toBe(4)
  })

  it('the same first message of a conversation sent again is answered in its turn, and stored once', async () => {
    const conversation = await storeOrphan(1)
    const { run } = await startNew(conversation, 'm9', 'Hello again')
    expect(run.turn).toBe(1)
    await write(run, replyingModel('Hi!')).ended
    const { session, messages } = await readConversation(stores, conversation)
    expect([messages.length, session.message_count]).toEqual([2, 2])
  })

  it('another message comes after it', async () => {
    const conversation = newConversationIds()
    await write(await startRun(conversation), replyingModel('Hi!')).ended
    await storeOrphan(2, conversation)
    const { run } = await startNew(conversation, 'm10', 'Something else')
    expect(run.turn).toBe(3)
  })
})

describe('a message that is stored although its write reports an error', () => {
  it('stays, with a failed run, and is stored once when it is sent again', async () => {
    const conversation = newConversationIds()
    await write(await startRun(conversation), replyingModel('Hi!')).ended
    const originalMessages = { ...stores.messages }
    vi.spyOn(stores.messages, 'add').mockImplementationOnce(async (...args) => {
      await originalMessages.add(...args)
      throw new Error('the answer was lost')
    })
    await expect(start(conversation, 'm2', 'More')).rejects.toThrow('the answer was lost')
    expect(await stores.runs.find(conversation.sub, conversation.sessionId)).toMatchObject({
      messageId: 'm2',
      status: 'failed',
    })
    expect(await queryAll(conversation)).toHaveLength(3)
    await write(await startRun(conversation, 'm2', 'More'), replyingModel('Yes.')).ended
    const { session, messages } = await readConversation(stores, conversation)
    expect(toTranscript(messages).slice(2)).toEqual([
      ['user', 'More'],
      ['assistant', 'Yes.'],
    ])
    expect(session.message_count).toBe(4)
  })

  it('is removed when the claim has failed, too', async () => {
    const conversation = newConversationIds()
    const originalMessages = { ...stores.messages }
    vi.spyOn(stores.runs, 'claim').mockRejectedValueOnce(new Error('throttled'))
    vi.spyOn(stores.messages, 'add').mockImplementationOnce(async (...args) => {
      await originalMessages.add(...args)
      throw new Error('the answer was lost')
    })
    await expect(start(conversation, 'm1', 'Hello')).rejects.toMatchObject({ code: 'session_not_created' })
    expect(await queryAll(conversation)).toEqual([])
  })
})
