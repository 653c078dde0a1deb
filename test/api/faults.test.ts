import { expect, it, vi } from 'vitest'
import { kindsFor } from '../support/disturbed.ts'
import { type FaultReport, tryFaults } from '../support/faults.ts'
import { writePaths } from '../support/write-paths.ts'

/** Those that take seconds by themselves are for the long form. */
const slow = /a long reply|deleting the account|signing out|stopping a reply|renewing tokens/

const paths = Object.keys(writePaths).filter((path) => !slow.test(path))

it('calls of every fourth write path may fail: nothing acknowledged is lost, nothing half stays, a repeat ends well', async () => {
  expect(await findFaults(paths.filter((_, index) => index % 4 === 0))).toEqual([])
}, 300_000)

it(
  'calls of the other write paths may fail as well (all faults of all paths: npm run soak)',
  { tags: 'long', timeout: 300_000 },
  async () => {
    expect(await findFaults(paths.filter((_, index) => index % 4 > 0))).toEqual([])
  },
)

async function findFaults(wanted: readonly string[]): Promise<FaultReport['findings']> {
  // the handlers run in this process, and log each fault that they meet
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const report = await tryFaults({
    wants: (path) => wanted.includes(path),
    // every twelfth call, from another one on in each path, with another kind of fault each time; what is gone is waited for too long
    kindsOf(call, index, path) {
      if (index % 12 !== path.length % 12) return []
      const kinds = kindsFor(call).filter((kind) => kind !== 'gone')
      const kind = kinds[(index + path.length) % kinds.length]
      return kind ? [kind] : []
    },
  })
  expect(report.paths).toBe(wanted.length)
  expect(report.faults).toBeGreaterThanOrEqual(wanted.length / 2)
  expect(report.missed).toBeLessThan(Math.max(2, report.faults / 10))
  return report.findings
}
