import { expect, it, vi } from 'vitest'
import { kindsFor } from '../support/disturbed.ts'
import { tryFaults } from '../support/faults.ts'

/** Those that take seconds by themselves are for the long form. */
const slow = /a long reply|deleting the account|signing out|stopping a reply|renewing tokens/

it('every call of every write path may fail: nothing acknowledged is lost, nothing half stays, a repeat ends well (the long form: npm run soak)', async () => {
  // the handlers run in this process, and log each fault that they meet
  vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const report = await tryFaults({
    wants: (path) => !slow.test(path),
    // every twelfth call, from another one on in each path, with another kind of fault each time; what is gone is waited for too long
    kindsOf(call, index, path) {
      if (index % 12 !== path.length % 12) return []
      const kinds = kindsFor(call).filter((kind) => kind !== 'gone')
      const kind = kinds[(index + path.length) % kinds.length]
      return kind ? [kind] : []
    },
  })
  expect(report.findings).toEqual([])
  expect(report.paths).toBeGreaterThan(30)
  expect(report.faults).toBeGreaterThan(30)
  expect(report.missed).toBeLessThan(report.faults / 10)
}, 300_000)
