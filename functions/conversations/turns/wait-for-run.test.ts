import { afterEach, describe, expect, it, vi } from 'vitest'
import { newConversationIds, aRun, openSharedStores } from '../../../test/support/conversations.ts'
import type { Run } from '../store/run.ts'
import { waitForRun } from './wait-for-run.ts'

// reads the run again at once, not after half a second
vi.mock('../../platform/clock.ts', () => ({ wait: () => new Promise((done) => setImmediate(done)) }))

const stores = await openSharedStores()
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** A run, and a clock that stands still until a test moves it. */
async function startWaiting(changes: Partial<Run> = {}) {
  const now = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now })
  const run = await stores.runs.claim(aRun({ ...newConversationIds(), ...changes }), undefined)
  const findRun = vi.spyOn(stores.runs, 'find')
  const waiting = waitForRun(stores, run)
  let hasSettled = false
  void waiting.finally(() => (hasSettled = true))
  /** Resolves when the run has been read this number of times. */
  const waitForReads = async (count: number) => {
    // `vi.waitUntil` would advance the clock
    while (findRun.mock.calls.length < count) await new Promise((done) => setImmediate(done))
  }
  return { run, now, waiting, waitForReads, isSettled: () => hasSettled }
}

describe('waiting for a run', () => {
  it('recovers it when its heartbeat stops', async () => {
    const { now, waiting, waitForReads, isSettled } = await startWaiting()
    vi.setSystemTime(now + 19_000)
    await waitForReads(2)
    expect(isSettled()).toBe(false)
    vi.setSystemTime(now + 20_001)
    expect(await waiting).toMatchObject({ status: 'interrupted' })
  })

  it('ends once its heartbeat shows that it is alive', async () => {
    const { run, now, waiting, waitForReads, isSettled } = await startWaiting()
    await waitForReads(1)
    expect(isSettled()).toBe(false)
    await stores.runs.heartbeat(run, now + 4_000)
    expect(await waiting).toMatchObject({ status: 'running', heartbeatAtMs: now + 4_000 })
  })

  it('continues while it is alive if it was asked to stop', async () => {
    const { run, now, waiting, waitForReads, isSettled } = await startWaiting()
    await stores.runs.requestStop(run, now)
    await stores.runs.heartbeat(run, now + 4_000)
    await waitForReads(3)
    expect(isSettled()).toBe(false)
    await stores.runs.end(run, 'stopped')
    expect(await waiting).toMatchObject({ status: 'stopped' })
  })

  it('ends sooner if it was asked to stop and its heartbeat stops', async () => {
    const { run, now, waiting } = await startWaiting()
    await stores.runs.requestStop(run, now)
    vi.setSystemTime(now + 8_001)
    expect(await waiting).toMatchObject({ status: 'stopped' })
  })

  it('ends after 22 s at the latest, by when a lost run is recovered', async () => {
    const { run, now, waiting, waitForReads } = await startWaiting()
    await stores.runs.requestStop(run, now)
    await waitForReads(1)
    await stores.runs.heartbeat(run, now + 22_000)
    vi.setSystemTime(now + 22_000)
    expect(await waiting).toMatchObject({ status: 'running' })
  })

  it.each(['waiting', 'done'] as const)('ends at once if it is %s', async (status) => {
    const run = aRun({ ...newConversationIds(), status })
    expect(await waitForRun(stores, run)).toBe(run)
  })
})
