import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from 'vitest'
import { newConversationIds, aRun, openSharedStores, aTranscript } from '../../test/support/conversations.ts'
import { withQuickHeartbeats } from '../../test/support/quick-heartbeats.ts'
import {
  failingModel,
  sendingTool,
  pausingModel,
  replyingModel,
  turnRunner,
  listTypes,
} from '../../test/support/turns.ts'
import { readConversation } from '../conversations/read-conversation.ts'
import type { Model } from '../models/model.ts'
import { stopRun } from '../conversations/turns/stop-run.ts'

process.env['LOG_LEVEL'] = 'silent'
const stores = await openSharedStores()
const { start, startRun, write, decide } = turnRunner(stores)

type Conversation = ReturnType<typeof newConversationIds>

describe('DEC-033 SET-12 a temporary chat', () => {
  const secret = 'CANARY-7f3a'
  const options = { isTemporary: true }
  const startTemporary = (conversation: Conversation, messageId = 'm1') =>
    start(conversation, messageId, secret, options)
  const startTemporaryRun = (conversation: Conversation, messageId = 'm1') =>
    startRun(conversation, messageId, secret, options)

  /** every row of the table that belongs to a user */
  async function queryAll(sub: string) {
    const { Items = [] } = await stores.table.client.send(
      new QueryCommand({
        TableName: stores.table.name,
        KeyConditionExpression: 'PK = :pk',
        ExpressionAttributeValues: { ':pk': `U#${sub}` },
      }),
    )
    return Items
  }

  it('stores only its run while a reply is written, and nothing afterwards', async () => {
    const conversation = newConversationIds()
    const run = await startTemporaryRun(conversation)
    const { model, modelCalled, resume } = pausingModel(`${secret} too.`)
    const { reply, ended } = write(run, model)
    await modelCalled
    const rows = await queryAll(conversation.sub)
    expect(rows.map(({ SK }) => SK)).toEqual([`RUN#${conversation.sessionId}`])
    expect(JSON.stringify(rows)).not.toContain(secret)
    expect(Number(rows[0]?.['ttl'])).toBeGreaterThan(Date.now() / 1000)
    resume()
    expect(await ended).toMatchObject({ success: true, content: `${secret} too. And more.` })
    expect(listTypes(reply)).not.toContain('data-session')
    expect(await queryAll(conversation.sub)).toEqual([])
  })

  it('can be stopped', async () => {
    const conversation = newConversationIds()
    const run = await startTemporaryRun(conversation)
    const { model, modelCalled } = pausingModel('Half a')
    const { reply, ended } = write(run, model)
    await modelCalled
    await stopRun(stores, run)
    expect(await ended).toMatchObject({ content: 'Half a' })
    expect(listTypes(reply)).toContain('abort')
    expect(await queryAll(conversation.sub)).toEqual([])
  })

  it('accepts one message at a time', async () => {
    const conversation = newConversationIds()
    const { model, modelCalled, resume } = pausingModel('Once')
    const { ended } = write(await startTemporaryRun(conversation), model)
    await modelCalled
    for (const messageId of ['m2', 'm1'])
      await expect(
        withQuickHeartbeats(stores, conversation, startTemporary(conversation, messageId)),
      ).rejects.toMatchObject({
        code: 'run_in_progress',
      })
    resume()
    await ended
  })

  it.each(['m1', 'm2'])(
    'answers a message anew whose reply failed or is incomplete, as %s',
    async (messageId) => {
      const conversation = newConversationIds()
      for (const [model, more] of [
        [failingModel('Half'), {}],
        [pausingModel('Half').model, { remainingMs: 10_050 }],
      ] as const)
        await write(await startTemporaryRun(conversation), model, [], more).ended
      const { ended } = write(await startTemporaryRun(conversation, messageId), replyingModel('Whole.'))
      expect(await ended).toMatchObject({ success: true, content: 'Whole.' })
      expect(await queryAll(conversation.sub)).toEqual([])
    },
  )

  it('leaves nothing when its run is lost, and continues with the next message', async () => {
    const conversation = newConversationIds()
    await stores.runs.claim(
      aRun({
        ...conversation,
        isSaved: false,
        heartbeatAtMs: Date.now() - 60_000,
        startedAtMs: Date.now() - 60_000,
      }),
      undefined,
    )
    const run = await startTemporaryRun(conversation, 'm2')
    await write(run, replyingModel('Hi.')).ended
    expect(await queryAll(conversation.sub)).toEqual([])
  })

  it('stores its messages in the run while it waits, and deletes them afterwards', async () => {
    const conversation = newConversationIds()
    const { sent, tool, callingModel } = sendingTool()
    const run = await startTemporaryRun(conversation)
    await write(run, callingModel, [tool]).ended
    const rows = await queryAll(conversation.sub)
    expect(rows.map(({ SK }) => SK)).toEqual([
      expect.stringContaining(`PARK#${conversation.sessionId}#`),
      `RUN#${conversation.sessionId}`,
    ])
    // both go at the same time, counted from the beginning of the wait
    const [ttl, ...others] = new Set(rows.map((row) => Number(row['ttl'])))
    expect(others).toEqual([])
    expect(ttl).toBeGreaterThanOrEqual(run.ttl ?? Infinity)
    const prompt: unknown[] = []
    const recordingModel: Model = {
      complete: async (request) => {
        prompt.push(...request.messages)
        return replyingModel('Sent.').complete(request)
      },
    }
    await decide(run, recordingModel, tool)
    expect(sent).toEqual([{ to: 'ann' }])
    expect(prompt).toContainEqual({ role: 'user', content: 'Hello' })
    expect(await queryAll(conversation.sub)).toEqual([])
  })

  it('leaves nothing when it is stopped while it waits', async () => {
    const conversation = newConversationIds()
    const run = await startTemporaryRun(conversation)
    await stores.runs.startWaiting(run, [], aTranscript({ text: secret }))
    expect(await stopRun(stores, run)).toMatchObject({ status: 'stopped' })
    expect(await queryAll(conversation.sub)).toEqual([])
  })

  it('does not apply to a conversation that is stored already, whatever the setting', async () => {
    const conversation = newConversationIds()
    await write(await startRun(conversation), replyingModel('Hi.')).ended
    const run = await startTemporaryRun(conversation, 'm2')
    await write(run, replyingModel('Still here.')).ended
    expect((await readConversation(stores, conversation)).session.message_count).toBe(4)
    expect((await queryAll(conversation.sub)).every(({ ttl }) => ttl === undefined)).toBe(true)
  })
})
