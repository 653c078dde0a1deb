import { expect, it } from 'vitest'
import { contracts } from './support/provider-contracts/index.ts'
import { findLastCheckDate, listEndingApis } from './api-ends.ts'

const ending = Object.entries(contracts).flatMap(([provider, contract]) =>
  contract.api.supportedUntil === null
    ? []
    : [{ provider, contract, supportedUntil: contract.api.supportedUntil }],
)
const daysBefore = (day: string, count: number) =>
  new Date(Date.parse(day) - count * 86_400_000).toISOString().slice(0, 10)

it.each(ending)(
  'DEC-179 warns 90 days before the API of $provider ends',
  ({ provider, contract, supportedUntil }) => {
    const list = (days: number) => listEndingApis({ [provider]: contract }, daysBefore(supportedUntil, days))
    expect([list(91), list(90), list(-1)]).toEqual([
      [],
      [expect.stringContaining(supportedUntil)],
      [expect.stringContaining(provider)],
    ])
  },
)

// relative to the last check, so that an old commit passes on any day; the pipeline's warning is relative to today
it('DEC-179 no API that tools call ends within 90 days of the last check', () => {
  expect(listEndingApis(contracts, findLastCheckDate(contracts))).toEqual([])
  for (const { api, sources } of Object.values(contracts)) {
    expect(api.supportedUntil ?? '2099-01-01').toMatch(/^\d{4}-\d\d-\d\d$/)
    for (const { checkedOn, url } of sources) {
      expect(checkedOn).toMatch(/^\d{4}-\d\d-\d\d$/)
      expect(URL.parse(url)?.protocol).toBe('https:')
    }
  }
})
