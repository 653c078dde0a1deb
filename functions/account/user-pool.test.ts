import { AdminGetUserCommand, UserNotFoundException } from '@aws-sdk/client-cognito-identity-provider'
import { expect, it } from 'vitest'
import { userPool, type UserPool } from './user-pool.ts'

/** A pool with the same response to all commands. */
function openPool(respond: () => Promise<object>) {
  const commands: { constructor: { name: string }; input: object }[] = []
  const client = {
    send: (command: (typeof commands)[number]) => {
      commands.push(command)
      return respond()
    },
  }
  return { commands, pool: userPool('pool-1', client as unknown as Parameters<typeof userPool>[1]) }
}
const userNotFound = new UserNotFoundException({ message: 'no such user', $metadata: {} })
const poolDown = new Error('the pool is down')

const calls: [string, (pool: UserPool) => Promise<unknown>, string][] = [
  ['reads a user', (pool) => pool.findUser('ann'), 'AdminGetUserCommand'],
  ['signs a user out', (pool) => pool.signOutEverywhere('ann'), 'AdminUserGlobalSignOutCommand'],
  ['disables an account', (pool) => pool.disableUser('ann'), 'AdminDisableUserCommand'],
  ['deletes an account', (pool) => pool.deleteUser('ann'), 'AdminDeleteUserCommand'],
]

it.each(calls)(
  '%s: when the pool fails, the error is 503 and not 401, so that the page keeps the user signed in',
  async (_, call, name) => {
    const { pool, commands } = openPool(() => Promise.reject(poolDown))
    await expect(call(pool)).rejects.toMatchObject({
      code: 'account_service_unavailable',
      status: 503,
      cause: poolDown,
    })
    expect(commands.map(({ constructor }) => constructor.name)).toEqual([name])
    expect(commands[0]?.input).toEqual({ UserPoolId: 'pool-1', Username: 'ann' })
  },
)

it('treats the tokens of a deleted account as invalid, and deleting it again as success', async () => {
  const { pool } = openPool(() => Promise.reject(userNotFound))
  for (const call of [() => pool.findUser('ann'), () => pool.signOutEverywhere('ann')])
    await expect(call()).rejects.toMatchObject({ code: 'invalid_token', cause: userNotFound })
  await expect(pool.disableUser('ann')).resolves.toBeUndefined()
  await expect(pool.deleteUser('ann')).resolves.toBeUndefined()
})

it('returns the name and the e-mail address that the pool knows, or none', async () => {
  const attributes = [
    { Name: 'sub', Value: '1' },
    { Name: 'email', Value: 'ann@example.com' },
    { Name: 'name', Value: 'Ann' },
  ]
  const namedUser = openPool(() => Promise.resolve({ UserAttributes: attributes }))
  expect(await namedUser.pool.findUser('ann')).toEqual({ email: 'ann@example.com', name: 'Ann' })
  expect(namedUser.commands[0]).toBeInstanceOf(AdminGetUserCommand)
  for (const response of [{}, { UserAttributes: [{ Name: 'email' }] }])
    expect(await openPool(() => Promise.resolve(response)).pool.findUser('ann')).toEqual({
      email: '',
      name: '',
    })
})
