import { describe, expect, it, vi } from 'vitest'
import {
  newConversationIds,
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
