import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { credentialRepository } from '../../functions/integrations/store/credential-repository.ts'
import { oauthStateRepository } from '../../functions/integrations/oauth/state-repository.ts'
import { avatarRepository } from '../../functions/account/avatar-repository.ts'
import { newConversationIds, aMessage, aRun, openStores, aTranscript } from '../support/conversations.ts'
import { type CallName, interceptCalls, type CallInterceptor } from '../support/call-interceptor.ts'

import { finishRun } from '../../functions/conversations/turns/finish-run.ts'
import { openTestTable } from '../support/table.ts'

// The SDK's client repeats a call whose response was lost, and gets the response to the second one.

let table: Awaited<ReturnType<typeof openTestTable>>
let interceptor: CallInterceptor
beforeAll(async () => {
  table = await openTestTable()
  interceptor = interceptCalls(new Map([[table.port, 'table']]))
})
afterAll(async () => {
  interceptor.restore()
  await table.close()
})

/** Runs work while the response to one of its calls is lost; fails if that call was not made. */
async function loseResponse<Result>(
  call: CallName,
  work: () => Promise<Result>,
  kind: 'response-lost' | 'every-response-lost' = 'response-lost',
) {
  const disarm = interceptor.arm({ call, kind })
  try {
    return await work()
  } finally {
    expect(disarm()).toBeGreaterThan(0)
  }
}

it('a run belongs to its writer although the response to the claim was lost, and waits and continues once', async () => {
  const { runs } = openStores(table)
  const run = await loseResponse('table UpdateItem RUN #1', () =>
    runs.claim(aRun(newConversationIds()), undefined),
  )
  const pending = [
    { callId: 'c', kind: 'approval', tool: 't', title: 'T', fingerprint: 'f', arguments: '{}', askedAtMs: 1 },
  ] as const
  const transcript = aTranscript()
  const waitingRun = await loseResponse('table UpdateItem RUN #1', () =>
    runs.startWaiting(run, [...pending], transcript),
  )
  expect(waitingRun.status).toBe('waiting')
  const approval = { decision: 'approved', decidedAtMs: 2 } as const
  const decidedRun = await loseResponse('table UpdateItem RUN #1', () => runs.decide(waitingRun, 0, approval))
  expect(decidedRun.pending).toMatchObject([approval])
  const resumed = await loseResponse('table UpdateItem RUN #1', () => runs.resume(decidedRun, 7))
  expect(resumed).toMatchObject({ status: 'running', epoch: run.epoch + 1 })
  await expect(runs.resume(decidedRun, 8)).rejects.toMatchObject({ code: 'run_changed' })
  await expect(runs.deleteTemporary(run)).rejects.toMatchObject({ code: 'run_lost' })
  await loseResponse('table DeleteItem RUN #1', () => runs.deleteTemporary(resumed))
  await expect(runs.deleteTemporary(resumed)).rejects.toMatchObject({ code: 'run_lost' })
})

it.each(['table PutItem M #1', 'table UpdateItem S #1'])(
  'DEC-045 a reply is counted once: %s',
  async (call) => {
    const stores = openStores(table)
    const conversation = newConversationIds()
    const run = await stores.runs.claim(aRun(conversation), undefined)
    const at = new Date().toISOString()
    await stores.messages.put(
      conversation.sub,
      aMessage({ session_id: conversation.sessionId }),
      run.startedAtMs,
    )
    await stores.conversations.upsert(conversation.sub, conversation.sessionId, {
      title: 'Hello',
      addedMessages: 1,
      at,
      replacesTitle: false,
    })
    const reply = {
      status: 'done' as const,
      content: 'Hi!',
      toolCalls: [],
      attachments: [],
      hasCheckpoints: false,
    }
    const stored = await loseResponse(call, () => finishRun(stores, run, reply))
    expect(stored?.session.message_count).toBe(2)
    expect(await stores.conversations.list(conversation.sub)).toMatchObject([{ message_count: 2 }])
  },
)

it('a replaced credential names its old secret only, and is stored when the write succeeded', async () => {
  const credentials = credentialRepository(table)
  const sub = randomUUID()
  const credential = (version: string) => ({
    version,
    status: 'active' as const,
    secret_name: `secret of ${version}`,
    masks: {},
    refreshable: false,
    updated_at: '',
  })
  expect(
    await loseResponse('table PutItem C #1', () => credentials.replace(sub, 'slack', credential('v1'))),
  ).toEqual([])
  expect(
    await loseResponse('table PutItem C #1', () => credentials.replace(sub, 'slack', credential('v2'))),
  ).toMatchObject([{ secret_name: 'secret of v1' }])
  expect(
    await loseResponse(
      'table PutItem C #1',
      () => credentials.replace(sub, 'slack', credential('v3')),
      'every-response-lost',
    ),
  ).toMatchObject([{ secret_name: 'secret of v2' }])
  expect(
    await loseResponse('table DeleteItem C #1', () => credentials.remove(sub, 'zoom', { version: 'v1' })),
  ).toBe(true)
  const lease = { owner: 'one', version: 'v3' }
  const take = () => credentials.takeLease(sub, 'slack', lease, { nowMs: 1, untilMs: 2 })
  expect(await loseResponse('table UpdateItem C #1', take)).toBe(true)
  expect(
    await credentials.takeLease(sub, 'slack', { ...lease, owner: 'two' }, { nowMs: 1, untilMs: 2 }),
  ).toBe(false)
})

it('a state of a sign-in is used although the response to that was lost', async () => {
  const states = oauthStateRepository(table)
  const sub = randomUUID()
  const flow = { sub, mcp_id: 'slack', environment: 'production', redirect_uri: 'https://x/cb' } as const
  await states.add('state', { ...flow, parameters: {}, sealed: '' }, 1_000)
  const use = () => states.use('state', { sub, redirectUri: 'https://x/cb', nowSeconds: 1_001 })
  expect(await loseResponse('table UpdateItem OS #1', use)).toMatchObject({ mcp_id: 'slack' })
  expect(await use()).toBeUndefined()
})

it('SET-05 a picture that an earlier change did not delete is deleted by the next one', async () => {
  const pictures = avatarRepository(table)
  const sub = randomUUID()
  const picture = { type: 'image/webp' as const, bytes: new Uint8Array(3) }
  for (const id of ['old', 'new', 'unsaved']) await pictures.put(sub, id, picture, Date.now())
  for (const id of ['old', 'new']) await pictures.save(sub, id)
  await pictures.deleteOthers(sub, 'new')
  const found = await Promise.all(['old', 'new', 'unsaved'].map((id) => pictures.find(sub, id)))
  expect(found.map((one) => one !== undefined)).toEqual([false, true, true])
})
