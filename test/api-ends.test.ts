import { expect, it } from 'vitest'
import { contracts } from '../infra/local/doubles/providers/contracts/index.ts'
import { lastCheck, listEndingApis } from './api-ends.ts'

const ending = Object.entries(contracts).flatMap(([provider, contract]) =>
  contract.api.ends === null ? [] : [{ provider, contract, ends: contract.api.ends }],
)
const daysBefore = (day: string, count: number) =>
  new Date(Date.parse(day) - count * 86_400_000).toISOString().slice(0, 10)

it.each(ending)(
  'DEC-179 the end of the API of $provider is told 90 days before',
  ({ provider, contract, ends }) => {
    const list = (days: number) => listEndingApis({ [provider]: contract }, daysBefore(ends, days))
    expect([list(91), list(90), list(-1)]).toEqual([
      [],
      [expect.stringContaining(ends)],
      [expect.stringContaining(provider)],
    ])
  },
)

// by the date of the last check, so that an old commit passes on any day; the pipeline warns by the date of the day
it('DEC-179 no API that tools call ends within 90 days of the last check', () => {
  expect(listEndingApis(contracts, lastCheck(contracts))).toEqual([])
  for (const { api, sources } of Object.values(contracts)) {
    expect(api.ends ?? '2099-01-01').toMatch(/^\d{4}-\d\d-\d\d$/)
    for (const { checkedOn, url } of sources) {
      expect(checkedOn).toMatch(/^\d{4}-\d\d-\d\d$/)
      expect(URL.parse(url)?.protocol).toBe('https:')
    }
  }
})
