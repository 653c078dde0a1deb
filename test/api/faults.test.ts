import { expect, it, vi } from 'vitest'
import { everyTwelfthCall, quickPaths, runFaults } from '../support/faults.ts'

it('calls of every fourth write path may fail: nothing acknowledged is lost, nothing is half written, and a retry succeeds', async () => {
  // the handlers run in this process, and log each error
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const selectedPaths = quickPaths.filter((_, index) => index % 4 === 0)
  const report = await runFaults({
    isSelected: (path) => selectedPaths.includes(path),
    getFaultKinds: everyTwelfthCall,
  })
  expect(report.findings).toEqual([])
  expect(report.paths).toBe(selectedPaths.length)
  expect(report.faults).toBeGreaterThanOrEqual(selectedPaths.length)
  expect(report.missed).toBeLessThan(2)
})
