import {
  AdminAddUserToGroupCommand,
  AdminDisableUserCommand,
  AdminEnableUserCommand,
  AdminGetUserCommand,
  AdminListGroupsForUserCommand,
  AdminRemoveUserFromGroupCommand,
  CreateGroupCommand,
  DeleteGroupCommand,
  ForgotPasswordCommand,
  GetTokensFromRefreshTokenCommand,
  GetUserCommand,
  ListGroupsCommand,
  ListUsersCommand,
  ListUsersInGroupCommand,
} from '@aws-sdk/client-cognito-identity-provider'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestPool, type TestPool, type TestUser } from '../support/cognito-pool.ts'

let pool: TestPool
let UserPoolId: string
let ann: TestUser
beforeAll(async () => {
  pool = await startTestPool()
  UserPoolId = pool.userPoolId
  ann = await pool.newUser()
})
afterAll(() => pool.remove())

it('a group is created once, described and deleted with its memberships', async () => {
  const group = { UserPoolId, GroupName: 'staff' }
  const { Group } = await pool.client.send(new CreateGroupCommand({ ...group, Description: 'Everybody' }))
  expect(Group).toMatchObject({ ...group, Description: 'Everybody', CreationDate: expect.any(Date) })
  await expect(pool.client.send(new CreateGroupCommand(group))).rejects.toMatchObject({
    name: 'GroupExistsException',
    message: 'A group with the name already exists.',
  })
  await pool.client.send(new AdminAddUserToGroupCommand({ ...group, Username: ann.email }))
  await pool.client.send(new DeleteGroupCommand(group))
  await expect(pool.client.send(new DeleteGroupCommand(group))).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
    message: 'Group not found.',
  })
  const found = await pool.client.send(new AdminListGroupsForUserCommand({ UserPoolId, Username: ann.sub }))
  expect(found.Groups).toEqual([])
})

it('both tokens have the user’s current groups, or no claim without any', async () => {
  const group = { UserPoolId, GroupName: 'design' }
  const readGroupClaims = ({ access, id }: { access: string; id: string }) =>
    [access, id].map((token) => decodeJwt(token)['cognito:groups'])
  await pool.client.send(new CreateGroupCommand(group))
  expect(readGroupClaims((await pool.signIn(ann)).tokens)).toEqual([undefined, undefined])
  await pool.client.send(new AdminAddUserToGroupCommand({ ...group, Username: ann.sub }))
  const { tokens } = await pool.signIn(ann)
  expect(readGroupClaims(tokens)).toEqual([['design'], ['design']])
  await pool.client.send(new AdminRemoveUserFromGroupCommand({ ...group, Username: ann.sub }))
  const { AuthenticationResult } = await pool.client.send(
    new GetTokensFromRefreshTokenCommand({ ClientId: pool.clientId, RefreshToken: tokens.refresh }),
  )
  expect(decodeJwt(AuthenticationResult?.AccessToken ?? '')).not.toHaveProperty('cognito:groups')
})

it('an unknown user, an unknown group and a name with a space are refused', async () => {
  const add = (Username: string, GroupName: string) =>
    pool.client.send(new AdminAddUserToGroupCommand({ UserPoolId, Username, GroupName }))
  await expect(add('nobody@example.com', 'design')).rejects.toMatchObject({ name: 'UserNotFoundException' })
  await expect(add(ann.sub, 'nowhere')).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
  await expect(
    pool.client.send(new CreateGroupCommand({ UserPoolId, GroupName: 'two words' })),
  ).rejects.toMatchObject({ name: 'InvalidParameterException' })
})

it('lists have pages, and a token works for its own list only', async () => {
  for (const name of ['a', 'b', 'c'])
    await pool.client.send(new CreateGroupCommand({ UserPoolId, GroupName: name }))
  const list = (NextToken?: string) =>
    pool.client.send(new ListGroupsCommand({ UserPoolId, Limit: 3, NextToken }))
  const first = await list()
  const second = await list(first.NextToken)
  const names = [first, second].flatMap(({ Groups = [] }) => Groups.map(({ GroupName }) => GroupName))
  expect(second.NextToken).toBeUndefined()
  const otherListInput = { UserPoolId, GroupName: 'a', NextToken: first.NextToken }
  await expect(pool.client.send(new ListUsersInGroupCommand(otherListInput))).rejects.toMatchObject({
    name: 'InvalidParameterException',
  })
  expect(names).toEqual(['a', 'b', 'c', 'design'])
})

it('users are filtered by an attribute’s prefix, in pages that keep the filter', async () => {
  for (const name of ['zoe', 'zara', 'zac']) await pool.newUser(`${name}.${crypto.randomUUID()}@example.com`)
  const list = (Filter: string, options: object = {}) =>
    pool.client.send(new ListUsersCommand({ UserPoolId, Filter, ...options }))
  const first = await list('email ^= "z"', { Limit: 2 })
  const second = await list('email ^= "z"', { Limit: 2, PaginationToken: first.PaginationToken })
  expect([first.Users?.length, second.Users?.length, second.PaginationToken]).toEqual([2, 1, undefined])
  await expect(list('email ^= "a"', { PaginationToken: first.PaginationToken })).rejects.toMatchObject({
    name: 'InvalidParameterException',
  })
  expect((await list('email = "z"')).Users).toEqual([])
  expect((await list(`sub = "${ann.sub}"`)).Users).toHaveLength(1)
  for (const filter of ['birthdate = "x"', 'email like "z"', 'email ^= z'])
    await expect(list(filter)).rejects.toMatchObject({ name: 'InvalidParameterException' })
})

it('a disabled user can neither sign in, refresh nor reset the password, and their tokens end', async () => {
  const user = await pool.newUser()
  const userInput = { UserPoolId, Username: user.sub }
  const { tokens } = await pool.signIn(user)
  await pool.client.send(new AdminDisableUserCommand(userInput))
  expect(await pool.client.send(new AdminGetUserCommand(userInput))).toMatchObject({ Enabled: false })
  const refresh = () =>
    pool.client.send(
      new GetTokensFromRefreshTokenCommand({ ClientId: pool.clientId, RefreshToken: tokens.refresh }),
    )
  const disabledError = { name: 'NotAuthorizedException', message: 'User is disabled.' }
  await expect(pool.signIn(user)).rejects.toMatchObject(disabledError)
  await expect(pool.signIn({ ...user, password: 'wrong word' })).rejects.toThrow('Incorrect username')
  await expect(refresh()).rejects.toMatchObject(disabledError)
  await expect(
    pool.client.send(new ForgotPasswordCommand({ ClientId: pool.clientId, Username: user.email })),
  ).rejects.toMatchObject(disabledError)
  await expect(pool.client.send(new GetUserCommand({ AccessToken: tokens.access }))).rejects.toThrow(
    'revoked',
  )
  await pool.client.send(new AdminEnableUserCommand(userInput))
  // revoked tokens stay revoked
  await expect(refresh()).rejects.toThrow('revoked')
  expect((await pool.signIn(user)).tokens.access).not.toBe('')
})
