import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from 'vitest'
import { aConversation, aRun, openSharedStores } from '../../test/support/conversations.ts'
import { withQuickHeartbeats } from '../../test/support/quick-heartbeats.ts'
import { aSendingTool, pausing, saying, turnsOn, listTypes } from '../../test/support/turns.ts'
import { readConversation } from '../conversations/read-conversation.ts'
import type { Model } from './model/model.ts'
import { stopRun } from '../runs/stop-run.ts'

process.env['LOG_LEVEL'] = 'silent'
const stores = await openSharedStores()
const { start, startRun, write, answer } = turnsOn(stores)

type Place = ReturnType<typeof aConversation>

describe('DEC-033 SET-12 a temporary chat', () => {
  const secret = 'CANARY-7f3a'
  const temporary = { isTemporary: true }
  const startTemporary = (place: Place, messageId = 'm1') => start(place, messageId, secret, temporary)
  const startTemporaryRun = (place: Place, messageId = 'm1') => startRun(place, messageId, secret, temporary)

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

  it('has nothing but its run in the table while it goes on, and nothing after', async () => {
    const place = aConversation()
    const run = await startTemporaryRun(place)
    const { model, modelCalled: speaking, goOn } = pausing(`${secret} too.`)
    const { reply, ended } = write(run, model)
    await speaking
    const rows = await queryAll(place.sub)
    expect(rows.map(({ SK }) => SK)).toEqual([`RUN#${place.sessionId}`])
    expect(JSON.stringify(rows)).not.toContain(secret)
    expect(Number(rows[0]?.['ttl'])).toBeGreaterThan(Date.now() / 1000)
    goOn()
    expect(await ended).toMatchObject({ success: true, content: `${secret} too. And more.` })
    expect(listTypes(reply)).not.toContain('data-session')
    expect(await queryAll(place.sub)).toEqual([])
  })

  it('can be stopped', async () => {
    const place = aConversation()
    const run = await startTemporaryRun(place)
    const { model, modelCalled: speaking } = pausing('Half a')
    const { reply, ended } = write(run, model)
    await speaking
    await stopRun(stores, run)
    expect(await ended).toMatchObject({ content: 'Half a' })
    expect(listTypes(reply)).toContain('abort')
    expect(await queryAll(place.sub)).toEqual([])
  })

  it('takes one message at a time', async () => {
    const place = aConversation()
    const { model, modelCalled: speaking, goOn } = pausing('Once')
    const { ended } = write(await startTemporaryRun(place), model)
    await speaking
    for (const messageId of ['m2', 'm1'])
      await expect(
        withQuickHeartbeats(stores, place, startTemporary(place, messageId)),
      ).rejects.toMatchObject({
        code: 'run_in_progress',
      })
    goOn()
    await ended
  })

  it('leaves nothing when its function is lost, and goes on with the next message', async () => {
    const place = aConversation()
    await stores.runs.claim(
      aRun({
        ...place,
        isSaved: false,
        heartbeatAtMs: Date.now() - 60_000,
        startedAtMs: Date.now() - 60_000,
      }),
      undefined,
    )
    const run = await startTemporaryRun(place, 'm2')
    await write(run, saying('Hi.')).ended
    expect(await queryAll(place.sub)).toEqual([])
  })

  it('waits for an answer with what was said in its run, and forgets it then', async () => {
    const place = aConversation()
    const { sent, tool, asking } = aSendingTool()
    const run = await startTemporaryRun(place)
    await write(run, asking, [tool]).ended
    const rows = await queryAll(place.sub)
    expect(rows.map(({ SK }) => SK)).toEqual([
      expect.stringContaining(`PARK#${place.sessionId}#`),
      `RUN#${place.sessionId}`,
    ])
    expect(new Set(rows.map(({ ttl }) => ttl))).toEqual(new Set([run.ttl]))
    const given: unknown[] = []
    const hearing: Model = {
      complete: async (request) => {
        given.push(...request.messages)
        return saying('Sent.').complete(request)
      },
    }
    await answer(run, hearing, tool)
    expect(sent).toEqual([{ to: 'ann' }])
    expect(given).toContainEqual({ role: 'user', content: 'Hello' })
    expect(await queryAll(place.sub)).toEqual([])
  })

  it('a waiting one is stopped without a trace', async () => {
    const place = aConversation()
    const run = await startTemporaryRun(place)
    await stores.runs.park(run, [], {
      messages: [],
      content: secret,
      toolCalls: [],
      attachments: [],
      position: 1,
    })
    expect(await stopRun(stores, run)).toMatchObject({ status: 'stopped' })
    expect(await queryAll(place.sub)).toEqual([])
  })

  it('one that is in the history stays there, whatever the setting says by now', async () => {
    const place = aConversation()
    await write(await startRun(place), saying('Hi.')).ended
    const run = await startTemporaryRun(place, 'm2')
    await write(run, saying('Still here.')).ended
    expect((await readConversation(stores, place)).session.message_count).toBe(4)
    expect((await queryAll(place.sub)).every(({ ttl }) => ttl === undefined)).toBe(true)
  })
})
