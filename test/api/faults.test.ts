import { expect, it } from 'vitest'
import { kindsFor } from '../support/disturbed.ts'
import { tryFaults } from '../support/faults.ts'

/** Those that take seconds by themselves are for the long form. */
const slow = /a long reply|deleting the account|signing out|stopping a reply|renewing tokens/

it('every call of every write path may fail: nothing acknowledged is lost, nothing half stays, a repeat ends well (the long form: npm run soak)', async () => {
  const report = await tryFaults({
    wants: (path) => !slow.test(path),
    // every fourth call, with another kind of fault at each
    kindsOf(call, index) {
      const kinds = kindsFor(call)
      return index % 4 === 1 ? kinds.slice((index >> 2) % kinds.length).slice(0, 1) : []
    },
  })
  expect(report.findings).toEqual([])
  expect(report.paths).toBeGreaterThan(30)
  expect(report.faults).toBeGreaterThan(80)
  expect(report.missed).toBeLessThan(report.faults / 10)
}, 180_000)
