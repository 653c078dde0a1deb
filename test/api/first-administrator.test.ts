/** @module-tag long */
import { expect, it, onTestFinished } from 'vitest'
import { startStack } from '../support/local-stack.ts'

it('the first account of a new local product is its administrator, and no later one', async () => {
  const stack = await startStack({ env: { FIRST_ADMINISTRATOR: 'on' } })
  onTestFinished(() => stack.stop())
  const ann = await stack.newUser({ name: 'Ann' })
  expect(await ann.call('account.read')).toMatchObject({ is_admin: true, groups: ['admins'] })
  expect((await ann.send('admin.users')).status).toBe(200)

  const bob = await stack.newUser({ name: 'Bob' })
  expect(await bob.call('account.read')).not.toHaveProperty('is_admin')
  expect((await bob.send('admin.users')).status).toBe(403)
})
