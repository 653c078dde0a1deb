import { afterAll, beforeAll, expect, it } from 'vitest'
import { maxPushSubscriptions } from '#shared/limits.ts'
import { openTestTable } from '../../test/support/table.ts'
import { subscriptionRepository, toTopic } from './subscription-repository.ts'

let table: Awaited<ReturnType<typeof openTestTable>>
beforeAll(async () => {
  table = await openTestTable()
})
afterAll(() => table.close())

const browser = (id: number | string, auth = 'a') => ({
  endpoint: `https://push.example/${id}`,
  keys: { p256dh: 'p', auth },
})

it('stores each browser once, of many added at once the newest', async () => {
  const subscriptions = subscriptionRepository(table)
  const sub = crypto.randomUUID()
  const list = async () =>
    (await subscriptions.list(sub)).map(({ endpoint, keys }) => `${endpoint.slice(21)}${keys.auth}`)
  await Promise.all([1, 2, 3].map((id) => subscriptions.add(sub, browser(id))))
  expect((await list()).toSorted()).toEqual(['1a', '2a', '3a'])
  await subscriptions.add(sub, browser(2))
  await subscriptions.add(sub, browser(1, 'b'))
  expect((await list()).toSorted()).toEqual(['1b', '2a', '3a'])
  for (let id = 10; id < 10 + maxPushSubscriptions; id += 1) await subscriptions.add(sub, browser(id))
  expect(await subscriptions.list(sub)).toHaveLength(maxPushSubscriptions)
  expect(await list()).not.toContain('1b')
})

it('removes one of the user alone, and not one that was made anew meanwhile', async () => {
  const subscriptions = subscriptionRepository(table)
  const [ann, ben] = [crypto.randomUUID(), crypto.randomUUID()]
  await Promise.all([subscriptions.add(ann, browser(1, 'new')), subscriptions.add(ben, browser(1))])
  await subscriptions.remove(ann, browser(1).endpoint, browser(1, 'old').keys)
  expect(await subscriptions.list(ann)).toHaveLength(1)
  await subscriptions.remove(ann, browser(1).endpoint)
  await subscriptions.remove(ann, browser(2).endpoint)
  expect(await subscriptions.list(ann)).toEqual([])
  expect(await subscriptions.list(ben)).toHaveLength(1)
})

it('names a conversation without its id', () => {
  expect(toTopic('s1')).toMatch(/^[\w-]{32}$/)
  expect(toTopic('s1')).not.toBe(toTopic('s2'))
})
