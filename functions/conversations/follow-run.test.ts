import { describe, expect, it, vi } from 'vitest'
import { newConversationIds, openSharedStores } from '../../test/support/conversations.ts'
import { replyingModel, pausingModel, turnRunner, type Received } from '../../test/support/turns.ts'
import type { Run } from './store/run.ts'
import { readConversation } from './read-conversation.ts'
process.env['LOG_LEVEL'] = 'silent'
const stores = await openSharedStores()
const { start, startRun, write, follow } = turnRunner(stores)

describe('following a run', () => {
  it('LIB-16 follows a run to its end, from its start or from a position', async () => {
    const conversation = newConversationIds()
    const run = await startRun(conversation)
    const { model, modelCalled, resume } = pausingModel('Once upon')
    const { ended } = write(run, model)
    await modelCalled
    const received: Received[] = [[], []]
    const [whole, rest] = [follow(run, 0, received[0]), follow(run, 8, received[1])]
    await vi.waitUntil(() => received.every(({ length }) => length > 0))
    resume()
    await ended
    const events = await whole
    expect(events.slice(0, 4)).toEqual([
      expect.objectContaining({ type: 'start' }),
      { type: 'start-step' },
      { type: 'text-start', id: 'text-0' },
      { type: 'text-delta', id: 'text-0', delta: 'Once upon' },
    ])
    expect(events.at(-1)).toBe('[DONE]')
    expect(events.find((event) => event !== '[DONE]' && event.type === 'data-reply')).toMatchObject({
      data: { messages: [{ content: 'Hello' }, { content: 'Once upon And more.' }], run: { status: 'done' } },
    })
    expect((await rest)[0]).toEqual({ type: 'text-delta', id: 'text-0', delta: 'upon' })
  })

  it('sends the whole reply after its end to a reader from the start', async () => {
    const run = await startRun(newConversationIds())
    await write(run, replyingModel('Hi!')).ended
    const endedRun = await stores.runs.find(run.sub, run.sessionId)
    const events = await follow(endedRun as Run)
    expect(events.map((event) => (event === '[DONE]' ? event : event.type))).toEqual([
      'start',
      'start-step',
      'text-start',
      'text-delta',
      'text-end',
      'finish-step',
      'data-reply',
      'message-metadata',
      'finish',
      '[DONE]',
    ])
  })

  it('reports that a run was lost', async () => {
    const conversation = newConversationIds()
    const run = await startRun(conversation)
    await stores.runs.heartbeat(run, Date.now() - 60_000)
    const events = await follow(run)
    expect(events.find((event) => event !== '[DONE]' && event.type === 'error')).toBeDefined()
    expect(await readConversation(stores, conversation)).toMatchObject({ run: { status: 'interrupted' } })
    expect(await start(conversation)).toMatchObject({ kind: 'started', run: { turn: 1 } })
  })
})
