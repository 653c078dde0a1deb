import { AdminGetUserCommand, UserNotFoundException } from '@aws-sdk/client-cognito-identity-provider'
import { expect, it } from 'vitest'
import { userPool, type UserPool } from './user-pool.ts'

/** A pool that answers all commands alike. */
function poolThat(answer: () => Promise<object>) {
  const sent: { constructor: { name: string }; input: object }[] = []
  const client = {
    send: (command: (typeof sent)[number]) => {
      sent.push(command)
      return answer()
    },
  }
  return { sent, pool: userPool('pool-1', client as unknown as Parameters<typeof userPool>[1]) }
}
const gone = new UserNotFoundException({ message: 'no such user', $metadata: {} })
const down = new Error('the pool is down')

const calls: [string, (pool: UserPool) => Promise<unknown>, string][] = [
  ['reads a person', (pool) => pool.findUser('ann'), 'AdminGetUserCommand'],
  ['signs somebody out', (pool) => pool.signOutEverywhere('ann'), 'AdminUserGlobalSignOutCommand'],
  ['locks somebody out', (pool) => pool.disableUser('ann'), 'AdminDisableUserCommand'],
  ['deletes an account', (pool) => pool.deleteUser('ann'), 'AdminDeleteUserCommand'],
]

it.each(calls)(
  '%s: a pool that fails is reported as that, and nobody is signed out for it',
  async (_, call, name) => {
    const { pool, sent } = poolThat(() => Promise.reject(down))
    await expect(call(pool)).rejects.toMatchObject({
      code: 'account_service_unavailable',
      status: 503,
      cause: down,
    })
    expect(sent.map(({ constructor }) => constructor.name)).toEqual([name])
    expect(sent[0]?.input).toEqual({ UserPoolId: 'pool-1', Username: 'ann' })
  },
)

it('an account that is gone has no token that is good, and deleting it again is no error', async () => {
  const { pool } = poolThat(() => Promise.reject(gone))
  for (const call of [() => pool.findUser('ann'), () => pool.signOutEverywhere('ann')])
    await expect(call()).rejects.toMatchObject({ code: 'invalid_token', cause: gone })
  await expect(pool.disableUser('ann')).resolves.toBeUndefined()
  await expect(pool.deleteUser('ann')).resolves.toBeUndefined()
})

it('a person has the name and the address that the pool knows, or none', async () => {
  const attributes = [
    { Name: 'sub', Value: '1' },
    { Name: 'email', Value: 'ann@example.com' },
    { Name: 'name', Value: 'Ann' },
  ]
  const known = poolThat(() => Promise.resolve({ UserAttributes: attributes }))
  expect(await known.pool.findUser('ann')).toEqual({ email: 'ann@example.com', name: 'Ann' })
  expect(known.sent[0]).toBeInstanceOf(AdminGetUserCommand)
  for (const answer of [{}, { UserAttributes: [{ Name: 'email' }] }])
    expect(await poolThat(() => Promise.resolve(answer)).pool.findUser('ann')).toEqual({
      email: '',
      name: '',
    })
})
