/** @module-tag long */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { shortTurnWrites, turns } from '../../infra/operate/cost/units.ts'
import { says, startFakeModel } from '../support/fake-model-server.ts'
import { type InProcessProduct, startInProcessProduct } from '../support/in-process-product.ts'
import type { StackUser } from '../support/stack-user.ts'

// what runs each day and each minute costs units too, at any moment
vi.mock('../../infra/local/daily-jobs.ts', () => ({ startDailyJobs: () => () => {} }))

let model: Awaited<ReturnType<typeof startFakeModel>>
let product: InProcessProduct
let ann: StackUser
beforeAll(async () => {
  model = await startFakeModel(says('Fine.'))
  product = await startInProcessProduct({
    OPENAI_BASE_URL: model.baseUrl,
    GITHUB_API_URL: 'http://127.0.0.1:1',
    MCP_REGISTRY_URL: 'http://127.0.0.1:1',
    SITE_TOKENS_PER_DAY: '1000000',
  })
  ann = await product.newUser()
})
afterAll(async () => {
  await product.stop()
  model.close()
})

const readWriteUnits = async () => {
  const { dynamodb } = await product.endpoints()
  return Number((await fetch(dynamodb)).headers.get('x-juno-write-units'))
}

/** Write units of a turn in a conversation, including everything written after the response. */
async function countTurnUnits(sessionId: string): Promise<number> {
  const before = await readWriteUnits()
  await ann.call('chat.send', {
    body: { sessionId, messageId: randomUUID(), messages: [{ role: 'user', content: 'How are you?' }] },
  })
  // not vi.waitFor: each of its checks advances a faked clock
  while (product.countRunning() > 0) await sleep(10)
  return (await readWriteUnits()) - before
}

it('a short turn writes as many units as the bill says, including returned reservations', async () => {
  // with a frozen clock a slow turn writes no checkpoint and no heartbeat
  vi.useFakeTimers({ toFake: ['Date'] })
  const sessionId = randomUUID()
  // the first turn of a day and of a conversation creates rows that later ones update
  await countTurnUnits(sessionId)
  const counts = [
    await countTurnUnits(sessionId),
    await countTurnUnits(sessionId),
    await countTurnUnits(sessionId),
  ]
  expect(counts).toEqual([shortTurnWrites, shortTurnWrites, shortTurnWrites])
})

it('the bill counts a longer turn as a short one with checkpoints and heartbeats', () => {
  for (const { seconds, writes } of turns) {
    expect(writes).toBeGreaterThanOrEqual(shortTurnWrites)
    expect(writes).toBeLessThanOrEqual(shortTurnWrites + seconds * 2)
  }
})
