import { describe, expect, it } from 'vitest'
import { isLost } from './liveness.ts'

describe('a run is lost', () => {
  const signs = { status: 'running', heartbeatAtMs: 100_000 }

  it('when its heartbeat is older than 20 s', () => {
    expect(isLost(signs, 120_000)).toBe(false)
    expect(isLost(signs, 120_001)).toBe(true)
  })

  it('never while it waits or after it has ended', () => {
    for (const status of ['waiting', 'done', 'interrupted'])
      expect(isLost({ ...signs, status }, 1_000_000)).toBe(false)
  })

  it('sooner after a stop request, but not before its heartbeat is due', () => {
    const stopped = { ...signs, stopRequestedAtMs: 101_000 }
    const lostAtMs = [...Array(20_002).keys()].map((ms) => 100_000 + ms).find((ms) => isLost(stopped, ms))
    expect(lostAtMs).toBeGreaterThan(105_000)
    expect(lostAtMs).toBeLessThan(115_000)
    // a request long before the newest heartbeat counts from that
    expect(isLost({ ...signs, stopRequestedAtMs: 50_000 }, 104_000)).toBe(false)
    // one that comes late makes nobody wait longer
    expect(isLost({ ...signs, stopRequestedAtMs: 119_000 }, 120_001)).toBe(true)
  })
})
