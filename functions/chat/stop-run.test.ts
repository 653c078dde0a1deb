import { describe, expect, it } from 'vitest'
import { newConversationIds, openSharedStores, toTranscript } from '../../test/support/conversations.ts'
import { pausingModel, listTypes, turnRunner } from '../../test/support/turns.ts'
import { deleteConversation } from '../conversations/delete-conversation.ts'
import { readConversation } from '../conversations/read-conversation.ts'
import { stopRun } from '../conversations/turns/stop-run.ts'
process.env['LOG_LEVEL'] = 'silent'
const stores = await openSharedStores()
const { startRun, write } = turnRunner(stores)

describe('stop', () => {
  it('CHAT-46 CHAT-47 ends the model call and the reply', async () => {
    const conversation = newConversationIds()
    const run = await startRun(conversation)
    const { model, modelCalled } = pausingModel('Once upon')
    const { reply, ended } = write(run, model)
    await modelCalled
    expect(await stopRun(stores, conversation)).toMatchObject({ run_id: run.runId })
    expect(await ended).toMatchObject({ success: true, content: 'Once upon' })
    expect(listTypes(reply).slice(-3)).toEqual(['data-session', 'abort', 'finish'])
    expect(await stopRun(stores, conversation)).toMatchObject({ status: 'stopped' })
  })

  it('CHAT-48 CHAT-49 DEC-009 keeps the text in one message', async () => {
    const conversation = newConversationIds()
    const { model, modelCalled } = pausingModel('Once upon')
    const { ended } = write(await startRun(conversation), model)
    await modelCalled
    await stopRun(stores, conversation)
    expect(await ended).toMatchObject({ content: 'Once upon' })
    expect(toTranscript((await readConversation(stores, conversation)).messages)).toEqual([
      ['user', 'Hello'],
      ['assistant', 'Once upon'],
    ])
  })

  it('is not found without a run, for another run, and for another user', async () => {
    const conversation = newConversationIds()
    await expect(stopRun(stores, conversation)).rejects.toMatchObject({ status: 404 })
    await startRun(conversation)
    await expect(stopRun(stores, { ...conversation, runId: 'other' })).rejects.toMatchObject({ status: 404 })
    await expect(stopRun(stores, { ...conversation, sub: 'stranger' })).rejects.toMatchObject({ status: 404 })
  })

  it('DEC-006 a deletion stops the writer, which stores nothing', async () => {
    const conversation = newConversationIds()
    const { model, modelCalled } = pausingModel('Once upon')
    const { ended } = write(await startRun(conversation), model)
    await modelCalled
    await deleteConversation(stores, conversation)
    expect(await ended).toMatchObject({ success: false })
    expect((await stores.messages.loadNewest(conversation.sub, conversation.sessionId)).messages).toEqual([])
  })
})
