import { afterEach, describe, expect, it, vi } from 'vitest'
import { aConversation, aRun, openSharedStores } from '../../test/support/conversations.ts'
import type { Run } from './run.ts'
import { waitForRun } from './wait-for-run.ts'

// it looks at the run again at once, not after half a second
vi.mock('node:timers/promises', async (load) => ({
  ...(await load<object>()),
  setTimeout: () => new Promise((done) => setImmediate(done)),
}))

const stores = await openSharedStores()
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** A run, and a clock that stands still until a test moves it. */
async function running(changes: Partial<Run> = {}) {
  const now = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now })
  const run = await stores.runs.claim(aRun({ ...aConversation(), ...changes }), undefined)
  const looked = vi.spyOn(stores.runs, 'find')
  const waiting = waitForRun(stores, run)
  let settled = false
  void waiting.finally(() => (settled = true))
  /** Resolves when it has looked at the run so often. */
  const looks = async (count: number) => {
    // `vi.waitUntil` would move the clock along
    while (looked.mock.calls.length < count) await new Promise((done) => setImmediate(done))
  }
  return { run, now, waiting, looks, isSettled: () => settled }
}

describe('a run that is waited for', () => {
  it('is lost when it gives no sign of life, and is recovered', async () => {
    const { now, waiting, looks, isSettled } = await running()
    vi.setSystemTime(now + 19_000)
    await looks(2)
    expect(isSettled()).toBe(false)
    vi.setSystemTime(now + 20_001)
    expect(await waiting).toMatchObject({ status: 'interrupted' })
  })

  it('goes on once its writer has shown that it is alive', async () => {
    const { run, now, waiting, looks, isSettled } = await running()
    await looks(1)
    expect(isSettled()).toBe(false)
    await stores.runs.heartbeat(run, now + 4_000)
    expect(await waiting).toMatchObject({ status: 'running', heartbeatAtMs: now + 4_000 })
  })

  it('that was asked to stop is waited for although it is alive', async () => {
    const { run, now, waiting, looks, isSettled } = await running()
    await stores.runs.requestStop(run, now)
    await stores.runs.heartbeat(run, now + 4_000)
    await looks(3)
    expect(isSettled()).toBe(false)
    await stores.runs.end(run, 'stopped')
    expect(await waiting).toMatchObject({ status: 'stopped' })
  })

  it('that was asked to stop and gives no sign of life is stopped sooner', async () => {
    const { run, now, waiting } = await running()
    await stores.runs.requestStop(run, now)
    vi.setSystemTime(now + 8_001)
    expect(await waiting).toMatchObject({ status: 'stopped' })
  })

  it('is waited for no longer than until it would be known as lost', async () => {
    const { run, now, waiting, looks } = await running()
    await stores.runs.requestStop(run, now)
    await looks(1)
    await stores.runs.heartbeat(run, now + 22_000)
    vi.setSystemTime(now + 22_000)
    expect(await waiting).toMatchObject({ status: 'running' })
  })

  it.each(['waiting', 'done'] as const)('and is %s needs no waiting', async (status) => {
    const run = aRun({ ...aConversation(), status })
    expect(await waitForRun(stores, run)).toBe(run)
  })
})
