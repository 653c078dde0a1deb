import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestTable } from '../../test/support/table.ts'
import { tokenRevoker } from '../platform/auth/token-revocation.ts'
import { subscriptionRepository } from './subscription-repository.ts'

let table: Awaited<ReturnType<typeof openTestTable>>
beforeAll(async () => {
  table = await openTestTable()
})
afterAll(() => table.close())

it.each(['signed-out', 'disabled', 'erased', 'two-factor'] as const)(
  'ends what browsers are told with the sign-in: %s',
  async (reason) => {
    const sub = crypto.randomUUID()
    const subscriptions = subscriptionRepository(table)
    const browser = { endpoint: 'https://push.example/1', keys: { p256dh: 'a', auth: 'b' } }
    await Promise.all([subscriptions.add(sub, browser), subscriptions.add(`${sub}-2`, browser)])
    const revoker = tokenRevoker(table)
    await (reason === 'two-factor'
      ? revoker.endOtherSignIns(sub, 'mine', Date.now())
      : revoker.revoke(sub, reason, Date.now()))
    expect(await subscriptions.list(sub)).toEqual([])
    expect(await subscriptions.list(`${sub}-2`)).toHaveLength(1)
  },
)
