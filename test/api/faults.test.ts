import { expect, it, vi } from 'vitest'
import { everyTwelfthCall, quickPaths, runFaults } from '../support/faults.ts'

it(
  'calls of every write path may fail: nothing acknowledged is lost, nothing is half written, and a retry succeeds (all faults: npm run soak)',
  { tags: 'long' },
  async () => {
    // the handlers run in this process, and log each error
    vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    const report = await runFaults({
      isSelected: (path) => quickPaths.includes(path),
      getFaultKinds: everyTwelfthCall,
    })
    expect(report.findings).toEqual([])
    expect(report.paths).toBeGreaterThan(30)
    expect(report.faults).toBeGreaterThan(30)
    expect(report.missed).toBeLessThan(report.faults / 10)
  },
)
