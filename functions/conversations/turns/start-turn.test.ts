import { describe, expect, it, vi } from 'vitest'
import {
  newConversationIds,
  aMessage,
  aRun,
  openSharedStores,
  toTranscript,
} from '../../../test/support/conversations.ts'
import { replyingModel, turnRunner } from '../../../test/support/turns.ts'
import { RunChanged } from '../store/errors.ts'
import { loadTurn } from './load-turn.ts'
import { startTurn } from './start-turn.ts'

process.env['LOG_LEVEL'] = 'silent'
const stores = await openSharedStores()
const turns = turnRunner(stores)

const toRunChanged = () => new RunChanged('somebody was faster')

/** A message whose conversation was loaded while another reply, of a temporary chat, ran. */
async function loadWithOtherRun() {
  const conversation = newConversationIds()
  const otherRun = () => aRun({ ...conversation, isSaved: false, messageId: 'other' })
  const request = {
    ...conversation,
    messageId: 'm1',
    content: 'Hello',
    historyLimits: { maxCharacters: 48_000, maxMessages: 100 },
  }
  return { request, otherRun, state: { ...(await loadTurn(stores, request)), run: otherRun() } }
}

describe('a message that collides with another one', () => {
  it('is planned again, and accepted after two collisions', async () => {
    const conversation = newConversationIds()
    vi.spyOn(stores.runs, 'claim').mockRejectedValueOnce(toRunChanged()).mockRejectedValueOnce(toRunChanged())
    const { run } = await turns.startNew(conversation)
    expect(await stores.runs.find(conversation.sub, conversation.sessionId)).toMatchObject({
      runId: run.runId,
      turn: 1,
      status: 'running',
    })
  })

  it('is refused with a reason after three collisions', async () => {
    const claim = vi.spyOn(stores.runs, 'claim').mockRejectedValue(toRunChanged())
    await expect(turns.start(newConversationIds())).rejects.toMatchObject({ code: 'run_changed' })
    expect(claim).toHaveBeenCalledTimes(3)
  })

  it('is refused after a third reply came between, although that one has ended', async () => {
    const { request, state, otherRun } = await loadWithOtherRun()
    const findRun = vi
      .spyOn(stores.runs, 'find')
      // a reply of a temporary chat leaves nothing, and the next one follows at once
      .mockResolvedValueOnce(undefined)
      .mockResolvedValueOnce(otherRun())
      .mockResolvedValueOnce(undefined)
      .mockResolvedValueOnce(otherRun())
      .mockResolvedValueOnce(undefined)
    await expect(startTurn(stores, request, state)).rejects.toMatchObject({ code: 'run_in_progress' })
    expect(findRun).toHaveBeenCalledTimes(5)
  })

  it('is accepted when the second reply that came between has ended', async () => {
    const { request, state, otherRun } = await loadWithOtherRun()
    vi.spyOn(stores.runs, 'find')
      .mockResolvedValueOnce(undefined)
      .mockResolvedValueOnce(otherRun())
      .mockResolvedValueOnce(undefined)
    expect(await startTurn(stores, request, state)).toMatchObject({ kind: 'started', run: { turn: 1 } })
  })

  it('is refused at once while the other run waits for the user', async () => {
    const conversation = newConversationIds()
    await stores.runs.claim(aRun({ ...conversation, status: 'waiting' }), undefined)
    await expect(turns.start(conversation, 'm2')).rejects.toMatchObject({ code: 'run_in_progress' })
  })
})

describe('a message that cannot be stored', () => {
  const tableError = new Error('the table is down')

  it('fails with the error of the table when the conversation exists', async () => {
    const conversation = newConversationIds()
    await turns.write(await turns.startRun(conversation), replyingModel('Hi!')).ended
    const claim = vi.spyOn(stores.runs, 'claim').mockRejectedValueOnce(tableError)
    await expect(turns.start(conversation, 'm2')).rejects.toBe(tableError)
    // no other writer was faster, so nothing is tried again
    expect(claim).toHaveBeenCalledTimes(1)
  })

  it('is reported as a conversation that could not be created when it is the first message', async () => {
    vi.spyOn(stores.runs, 'claim').mockRejectedValueOnce(tableError)
    await expect(turns.start(newConversationIds())).rejects.toMatchObject({
      code: 'session_not_created',
      cause: tableError,
    })
  })
})

describe('the same message after an attempt that crashed', () => {
  it('is stored when that attempt only claimed the conversation', async () => {
    const conversation = newConversationIds()
    const { sub, sessionId } = conversation
    const crashedRun = aRun({ ...conversation, messageId: 'm1', startedAtMs: 1 })
    await stores.runs.end(await stores.runs.claim(crashedRun, undefined), 'failed')
    const turn = await turns.startNew(conversation, 'm1', 'Hello')
    expect(turn.run.turn).toBe(crashedRun.turn)
    expect(turn.addedMessages).toBe(1)
    expect(toTranscript((await stores.messages.loadNewest(sub, sessionId)).messages)).toEqual([
      ['user', 'Hello'],
    ])
  })

  it('is counted once when that attempt had stored it', async () => {
    const conversation = newConversationIds()
    await stores.runs.end(await turns.startRun(conversation), 'failed')
    expect((await turns.startNew(conversation)).addedMessages).toBe(0)
    expect(await stores.conversations.list(conversation.sub)).toMatchObject([{ message_count: 1 }])
  })
})

describe('writers that collide in one turn', () => {
  const messageOf = (sessionId: string, content: string) =>
    aMessage({ session_id: sessionId, id: 'theirs', content })
  const readContents = async ({ sub, sessionId }: { sub: string; sessionId: string }) =>
    (await stores.messages.loadNewest(sub, sessionId)).messages.map(({ content }) => content)

  /** A message that is planned for a turn in which another writer then stores its own. */
  async function startBehind(conversation: { sub: string; sessionId: string }, otherRunId = 'loser') {
    const request = {
      ...conversation,
      messageId: 'm1',
      content: 'Hello',
      historyLimits: { maxCharacters: 48_000, maxMessages: 100 },
    }
    const state = await loadTurn(stores, request)
    const theirs = messageOf(conversation.sessionId, 'Theirs')
    await stores.messages.add(conversation.sub, theirs, { runId: otherRunId, startedAtMs: 1 })
    return startTurn(stores, request, state)
  }

  it('the one with the claim overwrites what the other has stored', async () => {
    const conversation = newConversationIds()
    expect(await startBehind(conversation)).toMatchObject({ kind: 'started', addedMessages: 1 })
    expect(await readContents(conversation)).toEqual(['Hello'])
  })

  it('the one with the claim gives up when it has lost that, or after eight others', async () => {
    const add = vi.spyOn(stores.messages, 'add')
    const conversation = newConversationIds()
    const findRunId = vi.spyOn(stores.messages, 'findRunId').mockResolvedValue('somebody')
    await expect(startBehind(conversation)).rejects.toMatchObject({ code: 'run_lost' })
    expect(findRunId).toHaveBeenCalledTimes(8)
    // its own, that of the other writer, and eight attempts
    expect(add).toHaveBeenCalledTimes(10)
    // so that the same message can be sent again at once
    expect(await stores.runs.find(conversation.sub, conversation.sessionId)).toMatchObject({
      status: 'failed',
    })
    findRunId.mockClear()
    vi.spyOn(stores.runs, 'find').mockResolvedValueOnce(undefined).mockResolvedValueOnce(aRun(conversation))
    await expect(startBehind(newConversationIds())).rejects.toMatchObject({ code: 'run_lost' })
    expect(findRunId).toHaveBeenCalledOnce()
  })

  it.each([true, false])(
    'the one without the claim deletes its message (whose write failed: %s)',
    async (fails) => {
      const conversation = newConversationIds()
      vi.spyOn(stores.runs, 'claim').mockRejectedValue(toRunChanged())
      const original = { ...stores.messages }
      vi.spyOn(stores.messages, 'add').mockImplementation(async (...args) => {
        const isAdded = await original.add(...args)
        // a write that failed may have been done anyway
        if (fails) throw new Error('the response was lost')
        return isAdded
      })
      await expect(turns.start(conversation)).rejects.toMatchObject({ code: 'run_changed' })
      expect(await readContents(conversation)).toEqual([])
    },
  )

  it('the one without the claim leaves the message of the other', async () => {
    const conversation = newConversationIds()
    vi.spyOn(stores.runs, 'claim').mockRejectedValueOnce(new Error('the table is down'))
    const deleteUnclaimed = vi.spyOn(stores.messages, 'deleteUnclaimed')
    await expect(startBehind(conversation)).rejects.toMatchObject({ code: 'session_not_created' })
    expect(deleteUnclaimed).not.toHaveBeenCalled()
    expect(await readContents(conversation)).toEqual(['Theirs'])
  })
})

describe('a run whose message cannot be stored', () => {
  const tableError = new Error('the table is down')
  const readStatus = async ({ sub, sessionId }: { sub: string; sessionId: string }) =>
    (await stores.runs.find(sub, sessionId))?.status

  it('ends as failed, so that the message can be sent again', async () => {
    const conversation = newConversationIds()
    vi.spyOn(stores.messages, 'add').mockRejectedValueOnce(tableError)
    await expect(turns.start(conversation)).rejects.toMatchObject({
      code: 'session_not_created',
      cause: tableError,
    })
    expect(await readStatus(conversation)).toBe('failed')
    const { run } = await turns.startNew(conversation)
    expect(run.turn).toBe(1)
  })

  it('ends as it was when it would have continued a reply', async () => {
    const conversation = newConversationIds()
    const first = await turns.startRun(conversation)
    const { sub, sessionId } = conversation
    const reply = { session_id: sessionId, id: first.replyId, role: 'assistant', kind: 'reply' } as const
    await stores.messages.put(sub, aMessage({ ...reply, content: 'Half' }), first.startedAtMs)
    await stores.runs.end(first, 'incomplete')
    const request = {
      ...conversation,
      messageId: first.messageId,
      content: 'Hello',
      historyLimits: { maxCharacters: 48_000, maxMessages: 100 },
    }
    const state = await loadTurn(stores, request)
    vi.spyOn(stores.messages, 'put').mockRejectedValueOnce(tableError)
    await expect(startTurn(stores, { ...request, continues: true }, state)).rejects.toBe(tableError)
    expect(await readStatus(conversation)).toBe('incomplete')
    const again = await startTurn(stores, { ...request, continues: true }, await loadTurn(stores, request))
    expect(again).toMatchObject({ kind: 'started', partialReply: { content: 'Half' }, addedMessages: 0 })
  })
})

it('a temporary chat stores its run alone, and sets when its files go', async () => {
  const conversation = newConversationIds()
  const setExpiry = vi.spyOn(stores.files, 'setExpiry').mockResolvedValue()
  const request = {
    ...conversation,
    messageId: 'm1',
    content: 'Hello',
    isTemporary: true,
    attachments: [{ id: 'f', name: 'a.png', type: 'image/png', size: 1 }],
    historyLimits: { maxCharacters: 48_000, maxMessages: 100 },
  }
  const started = await startTurn(stores, request, await loadTurn(stores, request))
  expect(started).toMatchObject({ kind: 'started', addedMessages: 0, run: { isSaved: false, turn: 1 } })
  expect(setExpiry.mock.calls).toEqual([[conversation.sub, ['f']]])
  expect((await stores.messages.loadNewest(conversation.sub, conversation.sessionId)).messages).toEqual([])
})
