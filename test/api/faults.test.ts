import { expect, it, vi } from 'vitest'
import { everyTwelfthCall, quickPaths, runFaults } from '../support/faults.ts'

it(
  'calls of every write path may fail: nothing acknowledged is lost, nothing is half written, and a retry succeeds (all faults: npm run soak)',
  { tags: 'trial' },
  async () => {
    // the handlers run in this process, and log each error
    const logged: string[] = []
    const log = (chunk: string | Uint8Array) => logged.push(String(chunk)) > 0
    vi.spyOn(process.stdout, 'write').mockImplementation(log)
    vi.spyOn(process.stderr, 'write').mockImplementation(log)
    const report = await runFaults({
      isSelected: (path) => quickPaths.includes(path),
      getFaultKinds: everyTwelfthCall,
    }).catch((cause: unknown) => {
      throw new Error(
        `A path without a fault failed. The handlers logged last:\n${logged.slice(-10).join('')}`,
        { cause },
      )
    })
    expect(report.findings).toEqual([])
    expect(report.paths).toBeGreaterThan(30)
    expect(report.faults).toBeGreaterThan(30)
    expect(report.missed).toBeLessThan(report.faults / 10)
  },
)
