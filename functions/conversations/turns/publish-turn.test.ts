import { describe, expect, it, vi } from 'vitest'
import { newConversationIds, openSharedStores, toTranscript } from '../../../test/support/conversations.ts'
import { replyingModel, turnRunner } from '../../../test/support/turns.ts'
import { MessageNotFound } from '../store/errors.ts'
import type { StartedTurn } from './start-turn.ts'
import { mustPublishFirst, publishTurn } from './publish-turn.ts'

process.env['LOG_LEVEL'] = 'silent'
const stores = await openSharedStores()
const turns = turnRunner(stores)

type Conversation = ReturnType<typeof newConversationIds>

/** Starts a turn whose message is stored, but not published to its conversation yet. */
async function startUnpublishedTurn(
  conversation: Conversation,
  messageId = 'm1',
  content = 'Hello',
): Promise<StartedTurn> {
  const turn = await turns.startUnpublishedTurn(conversation, messageId, content)
  if (turn.kind !== 'started') throw new Error(turn.kind)
  return turn
}

/** A conversation of two messages. */
async function createRepliedConversation(): Promise<Conversation> {
  const conversation = newConversationIds()
  await turns.write(await turns.startRun(conversation), replyingModel('Hi!')).ended
  return conversation
}

async function readRow({ sub, sessionId }: Conversation) {
  const row = await stores.conversations.find(sub, sessionId)
  if (row === undefined || row === 'deleted') throw new Error(`the conversation is ${row ?? 'not there'}`)
  return row
}

const aFile = { id: 'f1', name: 'a.txt', type: 'text/plain', size: 1 }

describe('the count of a conversation', () => {
  it('grows by the message', async () => {
    const conversation = await createRepliedConversation()
    const turn = await startUnpublishedTurn(conversation, 'm2', 'And now?')
    const setCount = vi.spyOn(stores.conversations, 'setCount')
    await publishTurn(stores, turn.run, turn)
    expect(await readRow(conversation)).toMatchObject({
      message_count: 3,
      title: 'Hello',
      updated_at: turn.message.created_at,
    })
    // a count that is sure needs no second write
    expect(setCount).not.toHaveBeenCalled()
  })

  it('does not grow by a message without content', async () => {
    const conversation = await createRepliedConversation()
    const turn = await startUnpublishedTurn(conversation, 'm2', '__ASSISTANT_GREETING__')
    await publishTurn(stores, turn.run, turn)
    expect(await readRow(conversation)).toMatchObject({ message_count: 2 })
  })

  it('is correct after a write whose response was lost', async () => {
    const conversation = await createRepliedConversation()
    const turn = await startUnpublishedTurn(conversation, 'm2', 'And now?')
    const original = { ...stores.conversations }
    vi.spyOn(stores.conversations, 'upsert').mockImplementationOnce(async (...args) => {
      await original.upsert(...args)
      throw new Error('the answer was lost')
    })
    await publishTurn(stores, turn.run, turn)
    expect(await readRow(conversation)).toMatchObject({ message_count: 3 })
  })

  it('is correct after a write that the client repeated', async () => {
    const conversation = await createRepliedConversation()
    const turn = await startUnpublishedTurn(conversation, 'm2', 'And now?')
    const original = { ...stores.conversations }
    vi.spyOn(stores.conversations, 'upsert').mockImplementationOnce(async (...args) => {
      await original.upsert(...args)
      return { ...(await original.upsert(...args)), isCountExact: false }
    })
    await publishTurn(stores, turn.run, turn)
    expect(await readRow(conversation)).toMatchObject({ message_count: 3 })
  })

  it('is counted again when it is unknown whether the message added one', async () => {
    const conversation = await createRepliedConversation()
    const turn = await startUnpublishedTurn(conversation, 'm2', 'And now?')
    await publishTurn(stores, turn.run, { ...turn, addedMessages: undefined })
    expect(await readRow(conversation)).toMatchObject({ message_count: 3 })
  })

  it('is counted again when the table fails at first', async () => {
    const conversation = await createRepliedConversation()
    const turn = await startUnpublishedTurn(conversation, 'm2', 'And now?')
    vi.spyOn(stores.conversations, 'setCount').mockRejectedValueOnce(new Error('throttled'))
    await publishTurn(stores, turn.run, { ...turn, addedMessages: undefined })
    expect(await readRow(conversation)).toMatchObject({ message_count: 3 })
  })

  it('starts with all stored messages after a crash before the first row', async () => {
    const conversation = newConversationIds()
    const { run, message } = await startUnpublishedTurn(conversation, 'm1', 'One')
    const earlierReply = {
      ...message,
      id: 'r1',
      role: 'assistant' as const,
      content: 'Eins.',
      kind: 'reply' as const,
    }
    await stores.messages.put(run.sub, earlierReply, run.startedAtMs)
    await stores.runs.end(run, 'done')
    const turn = await startUnpublishedTurn(conversation, 'm2', 'Two')
    expect(turn.hasRow).toBe(false)
    await publishTurn(stores, turn.run, turn)
    expect(await readRow(conversation)).toMatchObject({ message_count: 3, title: 'One' })
  })
})

describe('a conversation that is deleted while its message is published', () => {
  it('keeps nothing of the message, and is not found', async () => {
    const conversation = await createRepliedConversation()
    const { sub, sessionId } = conversation
    const turn = await startUnpublishedTurn(conversation, 'm2', 'And now?')
    const deleteFiles = vi.spyOn(stores.files, 'deleteConversationFiles').mockResolvedValue()
    vi.spyOn(stores.files, 'addReferences').mockResolvedValue(true)
    await stores.conversations.markDeleted(sub, sessionId, Date.now())
    const turnWithFile = { ...turn, message: { ...turn.message, attachments: [aFile] } }
    await expect(publishTurn(stores, turn.run, turnWithFile)).rejects.toMatchObject({
      code: 'session_not_found',
    })
    const { messages } = await stores.messages.loadNewest(sub, sessionId)
    // the deletion itself clears the earlier ones
    expect(messages.map(({ id }) => id)).not.toContain('m2')
    expect(await stores.runs.find(sub, sessionId)).toBeUndefined()
    expect(deleteFiles.mock.calls).toEqual([[sub, [sessionId]]])
  })

  it('does not look for files when the message has none', async () => {
    const conversation = await createRepliedConversation()
    const turn = await startUnpublishedTurn(conversation, 'm2', 'And now?')
    await stores.conversations.markDeleted(conversation.sub, conversation.sessionId, Date.now())
    const deleteFiles = vi.spyOn(stores.files, 'deleteConversationFiles')
    await expect(publishTurn(stores, turn.run, turn)).rejects.toMatchObject({ code: 'session_not_found' })
    expect(deleteFiles).not.toHaveBeenCalled()
  })
})

it('keeps the message after any other error', async () => {
  const conversation = await createRepliedConversation()
  const turn = await startUnpublishedTurn(conversation, 'm2', 'And now?')
  const refusal = new MessageNotFound('no such message')
  vi.spyOn(stores.conversations, 'upsert').mockRejectedValueOnce(refusal)
  await expect(publishTurn(stores, turn.run, turn)).rejects.toBe(refusal)
  const { messages } = await stores.messages.loadNewest(conversation.sub, conversation.sessionId)
  expect(toTranscript(messages).at(-1)).toEqual(['user', 'And now?'])
  expect(await stores.runs.find(conversation.sub, conversation.sessionId)).toMatchObject({
    runId: turn.run.runId,
    status: 'running',
  })
})

it('records that the conversation uses the files of the message, even when the table fails at first', async () => {
  const conversation = newConversationIds()
  const turn = await startUnpublishedTurn(conversation)
  const addReferences = vi
    .spyOn(stores.files, 'addReferences')
    .mockRejectedValueOnce(new Error('throttled'))
    .mockResolvedValueOnce(true)
  await publishTurn(stores, turn.run, { ...turn, message: { ...turn.message, attachments: [aFile] } })
  const call = [conversation.sub, conversation.sessionId, [aFile]]
  expect(addReferences.mock.calls).toEqual([call, call])
})

it('the reply waits for publishing only if the conversation has no row yet or the message has files', async () => {
  const turn = await startUnpublishedTurn(newConversationIds())
  const withFile = { ...turn.message, attachments: [aFile] }
  expect(mustPublishFirst(turn)).toBe(true)
  expect(mustPublishFirst({ ...turn, hasRow: true })).toBe(false)
  expect(mustPublishFirst({ ...turn, hasRow: true, message: withFile })).toBe(true)
})
