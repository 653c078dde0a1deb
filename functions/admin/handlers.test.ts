import {
  AdminDeleteUserCommand,
  AdminEnableUserCommand,
  AdminGetUserCommand,
  CognitoIdentityProviderClient,
} from '@aws-sdk/client-cognito-identity-provider'
import { DeleteCommand, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { adminGroup } from '#shared/user-pool.ts'
import { failTable } from '../../test/support/in-process-functions.ts'
import { withRepeatedWrites } from '../../test/support/repeated-writes.ts'
import { type AccountFunctions, startAccountFunctions } from '../../test/support/account-functions.ts'
import { invitationId, invitationRepository, isInvited } from '../sign-in/invitations.ts'
import { markKey, wasDisabled } from '../platform/auth/token-revocation.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { userHash } from '../platform/telemetry/logger.ts'
import { groupDirectory } from './group-directory.ts'
import { invitationService } from './invite-people.ts'

const createEmail = () => `${crypto.randomUUID()}@example.com`

type Person = Awaited<ReturnType<AccountFunctions['newUser']>>

let functions: AccountFunctions
let admin: Person
let ann: Person
beforeAll(async () => {
  functions = await startAccountFunctions({ withAdmin: true })
  admin = await functions.newUser([adminGroup])
})
afterAll(() => functions.close())
beforeEach(async () => {
  ann = await functions.newUser()
})

const aboutAnn = () => ({ params: { userId: ann.sub } })

/** Moves the clock of the test: a mark that ends the user's tokens covers its whole second. */
function moveToNextSecond(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1_000 })
  onTestFinished(() => void vi.useRealTimers())
}
const ok = <Body>(body: Body) => ({ statusCode: 200, body })

/** Entries about a target, the newest first. */
async function listEntries(target: string) {
  const { body } = await admin.call('admin.audit')
  return (body['entries'] as { action: string; target: string; actor: object; details?: object }[])
    .filter((entry) => entry.target === target)
    .map(({ action, actor, details }) => ({ action, actor, ...(details && { details }) }))
}
const byAdmin = () => ({ id: admin.sub, email: admin.email })

it('AUTH-22 DEC-188 only administrators may call the routes: not other users, nor callers without a token, nor members of similarly named groups', async () => {
  expect(await ann.call('admin.users')).toMatchObject({ statusCode: 403, body: { code: 'not_admin' } })
  const similarMember = await functions.newUser(['Admins', 'admins2'])
  expect(await similarMember.call('admin.users')).toMatchObject({ statusCode: 403 })
  expect(await functions.call('admin.users', {})).toMatchObject({ statusCode: 401 })
  expect((await admin.call('account.read')).body).toMatchObject({ is_admin: true, groups: [adminGroup] })
  expect((await ann.call('account.read')).body).not.toHaveProperty('is_admin')
})

describe('users', () => {
  it('are listed by the beginning of their e-mail address, page by page', async () => {
    const found = await admin.call('admin.users', { query: { query: ann.email.slice(0, 20).toUpperCase() } })
    expect(found.body).toMatchObject({
      users: [
        {
          id: ann.sub,
          email: ann.email,
          name: 'Ann',
          status: 'active',
          sign_in: 'password',
          groups: [],
          log_id: userHash(ann.sub),
          two_factor: false,
        },
      ],
      next_cursor: null,
    })
    await Promise.all(Array.from({ length: 20 }, () => functions.pool.signUp()))
    const ids = new Set<string>()
    let cursor: string | null | undefined
    do {
      const query = cursor === undefined ? {} : { cursor }
      const { body } = await admin.call('admin.users', { query: query as { cursor: string } })
      for (const { id } of body['users'] as { id: string }[]) ids.add(id)
      cursor = body['next_cursor'] as string | null
    } while (cursor !== null)
    expect(ids.size).toBeGreaterThan(20)
    expect([...ids]).toEqual(expect.arrayContaining([ann.sub, admin.sub]))
    expect(await admin.call('admin.users', { query: { cursor: 'nonsense' } })).toMatchObject({
      statusCode: 400,
    })
  })

  it('have details with usage and limits; an unknown user is not found', async () => {
    const day = Math.floor(Date.now() / 86_400_000)
    const Item = {
      PK: `RATE#${ann.sub}`,
      SK: `replies#${day}`,
      replies: 2,
      input_tokens: 10,
      output_tokens: 5,
    }
    await functions.table.client.send(new PutCommand({ TableName: functions.table.name, Item }))
    const { body } = await admin.call('admin.user', aboutAnn())
    const usage = { replies: 2, inputTokens: 10, outputTokens: 5 }
    expect(body).toMatchObject({
      user: {
        id: ann.sub,
        usage: { today: usage, month: usage },
        limits: { tokens_per_day: expect.any(Number) },
      },
    })
    const nobody = { params: { userId: crypto.randomUUID() } }
    for (const name of ['admin.user', 'admin.disableUser', 'admin.resetTwoFactor'] as const)
      expect(await admin.call(name, nobody)).toMatchObject({
        statusCode: 404,
        body: { code: 'user_not_found' },
      })
  })

  it('cannot use the product or sign in while they are disabled', async () => {
    const signIn = await ann.signInAgain()
    expect(await admin.call('admin.disableUser', aboutAnn())).toMatchObject(
      ok({ user: { status: 'disabled' } }),
    )
    expect(await ann.call('account.read')).toMatchObject({ statusCode: 401 })
    // ends replies that are being written
    expect(await wasDisabled(functions.table, { sub: ann.sub, issuedAt: 1 })).toBe(true)
    await expect(functions.pool.signIn(ann)).rejects.toThrow('User is disabled.')
    await expect(signIn.refresh()).rejects.toMatchObject({ name: 'NotAuthorizedException' })
    expect(await admin.call('admin.disableUser', aboutAnn())).toMatchObject(
      ok({ user: { status: 'disabled' } }),
    )
    expect(await admin.call('admin.enableUser', aboutAnn())).toMatchObject(ok({ user: { status: 'active' } }))
    moveToNextSecond()
    expect(await (await ann.signInAgain()).call('account.read')).toMatchObject({ statusCode: 200 })
    expect(await listEntries(ann.email)).toEqual(
      ['user.enabled', 'user.disabled', 'user.disabled'].map((action) => ({
        action,
        actor: byAdmin(),
        details: { user: ann.sub },
      })),
    )
  })

  it('are signed out everywhere', async () => {
    expect(await admin.call('admin.signOutUser', aboutAnn())).toMatchObject({ statusCode: 200 })
    expect((await admin.call('admin.audit')).body['entries']).toContainEqual(
      expect.objectContaining({ action: 'user.signed_out', target: ann.email, details: { user: ann.sub } }),
    )
    expect(await ann.call('account.read')).toMatchObject({ statusCode: 401 })
    expect(await (await ann.signInAgain()).call('account.read')).toMatchObject({ statusCode: 200 })
  })

  it('that could not be revoked the first time are revoked by the repetition, with nothing left to change', async () => {
    const change = () =>
      admin.call('admin.setGroups', { ...aboutAnn(), body: { add: [adminGroup], remove: [] } })
    // the groups are changed already, and in the log; only the mark on the tokens is not written
    failTable((_, { Item }) => Item?.['PK'] === markKey(ann.sub).PK)
    expect((await change()).statusCode).toBeGreaterThanOrEqual(500)
    vi.restoreAllMocks()
    expect((await admin.call('admin.user', aboutAnn())).body).toMatchObject({
      user: { groups: [adminGroup] },
    })
    expect(await ann.call('account.read')).toMatchObject({ statusCode: 200 })
    expect(await change()).toMatchObject(ok({ user: { groups: [adminGroup] } }))
    expect(await ann.call('account.read')).toMatchObject({ statusCode: 401 })
  })

  it('administrators without limits of their own have those of their other groups', async () => {
    const limits = { tokens_per_day: 7 }
    const name = `few-${crypto.randomUUID().slice(0, 8)}`
    await admin.call('admin.createGroup', { body: { name, description: '', limits } })
    const readLimits = async () =>
      ((await admin.call('admin.user', aboutAnn())).body['user'] as { limits: object }).limits
    const change = (add: string[]) =>
      admin.call('admin.setGroups', { ...aboutAnn(), body: { add, remove: [] } })
    await change([name])
    expect(await readLimits()).toMatchObject(limits)
    await change([adminGroup])
    expect(await readLimits()).toMatchObject(limits)
  })

  it('become administrators, and cease to be, immediately', async () => {
    const change = (add: string[], remove: string[] = []) =>
      admin.call('admin.setGroups', { ...aboutAnn(), body: { add, remove } })
    expect(await change([adminGroup, 'nowhere'])).toMatchObject({
      statusCode: 404,
      body: { code: 'group_not_found' },
    })
    expect(await change([adminGroup])).toMatchObject(ok({ user: { groups: [adminGroup] } }))
    expect(await ann.call('admin.users')).toMatchObject({ statusCode: 401 })
    const promoted = await ann.signInAgain()
    expect(await promoted.call('admin.users')).toMatchObject({ statusCode: 200 })
    expect(await change([], [adminGroup])).toMatchObject(ok({ user: { groups: [] } }))
    expect(await promoted.call('admin.users')).toMatchObject({ statusCode: 401 })
    expect(await (await ann.signInAgain()).call('admin.users')).toMatchObject({ statusCode: 403 })
    expect(await listEntries(ann.email)).toEqual([
      {
        action: 'user.groups_changed',
        actor: byAdmin(),
        details: { user: ann.sub, added: [], removed: [adminGroup] },
      },
      {
        action: 'user.groups_changed',
        actor: byAdmin(),
        details: { user: ann.sub, added: [adminGroup], removed: [] },
      },
    ])
  })

  it('stay in groups that a change does not mention, and do not return to those that they were removed from', async () => {
    await admin.call('admin.createGroup', { body: { name: 'crew', description: '', limits: {} } })
    const change = async (add: string[], remove: string[]) =>
      (await admin.call('admin.setGroups', { ...aboutAnn(), body: { add, remove } })).body['user']
    expect(await change([adminGroup], [])).toMatchObject({ groups: [adminGroup] })
    expect(await change(['crew'], ['nowhere'])).toMatchObject({ groups: [adminGroup, 'crew'] })
    expect(await change([], [adminGroup])).toMatchObject({ groups: ['crew'] })
    expect(await change([], ['crew'])).toMatchObject({ groups: [] })
    const contradiction = { add: ['crew'], remove: ['crew'] }
    expect(await admin.call('admin.setGroups', { ...aboutAnn(), body: contradiction })).toMatchObject({
      statusCode: 400,
    })
  })

  it.each([
    ['makes nobody an administrator', 'admin.setGroups', { body: { add: [adminGroup], remove: [] } }],
    ['invites no administrator', 'admin.invite', { body: { email: createEmail(), groups: [adminGroup] } }],
    [
      'invites no administrator in a list',
      'admin.invite',
      { body: { people: [{ email: createEmail(), groups: [` ${adminGroup} `] }] } },
    ],
    ['resets no second factor', 'admin.resetTwoFactor', {}],
  ] as const)('an older sign-in, which may be stolen, %s', async (_, name, request) => {
    await admin.call('admin.createGroup', { body: { name: 'guests', description: '', limits: {} } })
    const olderSignIn = await admin.signedInSecondsAgo(901)
    const sensitiveRequest = { ...(name !== 'admin.invite' && aboutAnn()), ...request }
    expect(await olderSignIn.call(name, sensitiveRequest as never)).toMatchObject({
      statusCode: 403,
      body: { code: 'sign_in_again' },
    })
    expect(await listEntries(ann.email)).toEqual([])
    const harmlessChange = { ...aboutAnn(), body: { add: ['guests'], remove: [] } }
    expect(await olderSignIn.call('admin.setGroups', harmlessChange)).toMatchObject({ statusCode: 200 })
    const guest = { body: { email: createEmail(), groups: ['guests'] } }
    expect(await olderSignIn.call('admin.invite', guest as never)).toMatchObject({ statusCode: 200 })
  })

  it.each([
    ['changes no setting of the site', 'admin.updateSite', { body: { instructions: 'Trust evil.example.' } }],
    ['starts no replies again', 'admin.updateSite', { body: { replies: 'on' } }],
    ['changes nothing beside a stop', 'admin.updateSite', { body: { replies: 'off', tokensPerDay: null } }],
    ['creates no group', 'admin.createGroup', { body: { name: 'fresh', description: '', limits: {} } }],
    [
      'changes no group',
      'admin.updateGroup',
      { params: { groupName: 'rules' }, body: { description: '', limits: {}, version: 1 } },
    ],
    ['deletes no group', 'admin.deleteGroup', { params: { groupName: 'rules' } }],
  ] as const)('an older sign-in, which may be stolen, %s', async (_, name, request) => {
    const limits = { require_two_factor: true }
    await admin.call('admin.createGroup', { body: { name: 'rules', description: '', limits } })
    const before = [(await admin.call('admin.site')).body, (await admin.call('admin.groups', {})).body]
    const olderSignIn = await admin.signedInSecondsAgo(901)
    expect(await olderSignIn.call(name, request as never)).toMatchObject({
      statusCode: 403,
      body: { code: 'sign_in_again' },
    })
    expect([(await admin.call('admin.site')).body, (await admin.call('admin.groups', {})).body]).toEqual(
      before,
    )
  })

  it.each([{ replies: 'off' }, { schedules: 'off' }, { replies: 'off', schedules: 'off' }] as const)(
    'an older sign-in can still stop everything at once: %j',
    async (body) => {
      const olderSignIn = await admin.signedInSecondsAgo(901)
      expect(await olderSignIn.call('admin.updateSite', { body })).toMatchObject({ statusCode: 200 })
      expect(
        await admin.call('admin.updateSite', { body: { replies: null, schedules: null } }),
      ).toMatchObject({
        statusCode: 200,
      })
    },
  )

  it('who lost their second factor can sign in after it is reset', async () => {
    await ann.enrol()
    expect((await functions.pool.signIn(ann)).tokens.access).toBe('')
    expect((await admin.call('admin.user', aboutAnn())).body).toMatchObject({ user: { two_factor: true } })
    expect(await admin.call('admin.resetTwoFactor', aboutAnn())).toMatchObject(ok({ success: true }))
    expect((await admin.call('admin.user', aboutAnn())).body).toMatchObject({ user: { two_factor: false } })
    expect(await functions.factors.find(ann.sub)).toBeUndefined()
    expect((await functions.pool.signIn(ann)).tokens.access).not.toBe('')
    expect(await listEntries(ann.email)).toEqual([
      { action: 'user.two_factor_reset', actor: byAdmin(), details: { user: ann.sub } },
    ])
  })

  it('are deleted with a receipt if a recently signed-in administrator confirms their address', async () => {
    await ann.call('memory.add', { body: { text: 'Likes tea.' } })
    const remove = (confirm: string, remover = admin) =>
      remover.call('admin.deleteUser', { ...aboutAnn(), body: { confirm } })
    expect(await remove('bob@example.com')).toMatchObject({ statusCode: 400, body: { code: 'bad_request' } })
    const olderSignIn = await admin.signedInSecondsAgo(901)
    expect(await remove(ann.email, olderSignIn)).toMatchObject({
      statusCode: 403,
      body: { code: 'sign_in_again' },
    })
    expect(await ann.call('account.read')).toMatchObject({ statusCode: 200 })
    expect(await remove(ann.email.toUpperCase())).toMatchObject(
      ok({ success: true, done: true, receipt: { held: { memories: 1 } } }),
    )
    expect(await ann.call('account.read')).toMatchObject({ statusCode: 401 })
    const { client, userPoolId: UserPoolId } = functions.pool
    await expect(client.send(new AdminGetUserCommand({ UserPoolId, Username: ann.sub }))).rejects.toThrow(
      'User does not exist',
    )
    // what is written after the erasure does not have the address
    expect(await listEntries(userHash(ann.sub))).toEqual([
      {
        action: 'user.deleted',
        actor: byAdmin(),
        details: expect.objectContaining({ user: ann.sub, memories: 1 }),
      },
    ])
    expect(await listEntries(ann.email)).toEqual([
      { action: 'user.deletion_started', actor: byAdmin(), details: { user: ann.sub } },
      {
        action: 'user.deletion_started',
        actor: byAdmin(),
        details: { user: ann.sub, failed: 'sign_in_again' },
      },
      { action: 'user.deletion_started', actor: byAdmin(), details: { user: ann.sub } },
    ])
  })

  it('are deleted by a second attempt if the first one failed when their account was already gone', async () => {
    await ann.call('memory.add', { body: { text: 'Likes tea.' } })
    failTable((command, input) => command === 'DeleteCommand' && input.Key?.['SK'] === 'ERASE', 1)
    const remove = () => admin.call('admin.deleteUser', { ...aboutAnn(), body: { confirm: ann.email } })
    expect(await remove()).toMatchObject({ statusCode: 500 })
    expect(await remove()).toMatchObject(ok({ done: true, receipt: { held: { memories: 1 } } }))
    expect(await listEntries(userHash(ann.sub))).toMatchObject([
      { action: 'user.deleted', details: { user: ann.sub, memories: 1 } },
    ])
    expect(await remove()).toMatchObject({ statusCode: 404, body: { code: 'user_not_found' } })
  })

  it('who are being deleted can neither sign in nor refresh, and tokens issued meanwhile end with the deletion', async () => {
    const other = await ann.signInAgain()
    const { client, userPoolId: UserPoolId } = functions.pool
    const send = vi.spyOn(CognitoIdentityProviderClient.prototype, 'send')
    onTestFinished(() => send.mockRestore())
    let lateSignIn: Person | undefined
    const outcomes: unknown[] = []
    const baseClient = Object.getPrototypeOf(CognitoIdentityProviderClient.prototype) as {
      send: (command: unknown) => Promise<unknown>
    }
    send.mockImplementation(async function (this: CognitoIdentityProviderClient, command: never) {
      if ((command as object) instanceof AdminDeleteUserCommand) {
        outcomes.push(...(await Promise.allSettled([other.refresh(), functions.pool.signIn(ann)])))
        // otherwise the double of the pool issues no token
        await client.send(new AdminEnableUserCommand({ UserPoolId, Username: ann.sub }))
        moveToNextSecond()
        lateSignIn = await ann.signInAgain()
        outcomes.push(await lateSignIn.call('account.read'))
      }
      return (await baseClient.send.call(this, command)) as never
    } as never)
    const body = { confirm: ann.email }
    expect(await admin.call('admin.deleteUser', { ...aboutAnn(), body })).toMatchObject(ok({ done: true }))
    expect(outcomes).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }, { statusCode: 200 }])
    expect(await lateSignIn?.call('account.read')).toMatchObject({ statusCode: 401 })
  })

  it.each([
    ['admin.disableUser', {}],
    ['admin.setGroups', { body: { add: [], remove: [adminGroup] } }],
    ['admin.resetTwoFactor', {}],
    ['admin.deleteUser', { body: { confirm: 'ann@example.com' } }],
  ] as const)(
    'an administrator always remains: %s is refused for their own account',
    async (name, request) => {
      const ownRequest = { params: { userId: admin.sub }, ...request } as Parameters<typeof admin.call>[1]
      expect(await admin.call(name, ownRequest as never)).toMatchObject({
        statusCode: 409,
        body: { code: 'own_account' },
      })
      expect(await admin.call('admin.users')).toMatchObject({ statusCode: 200 })
    },
  )
})

describe('invitations', () => {
  const invite = (body: { email: string; days?: number; groups?: string[] }) =>
    admin.call('admin.invite', { body: body as never })

  it('are mailed, listed, sent again and revoked', async () => {
    const email = createEmail()
    const { body } = await invite({ email, days: 3 })
    const id = invitationId(email)
    expect(body).toMatchObject({
      invitation: {
        id,
        email,
        groups: [],
        sent_at: expect.any(String),
        link: `https://juno.example/auth?invite=1&email=${encodeURIComponent(email)}`,
      },
    })
    const [mail] = functions.pool.mailsTo(email)
    expect(mail?.subject).toBe('Your invitation to Juno')
    expect(mail?.text).toContain(`https://juno.example/auth?invite=1&email=${encodeURIComponent(email)}`)
    const firstEndMs = Date.parse((body['invitation'] as { expires_at: string }).expires_at)
    expect(Math.abs(firstEndMs - Date.now() - 3 * 86_400_000)).toBeLessThan(60_000)

    const params = { invitationId: id }
    const again = await admin.call('admin.resendInvitation', { params })
    expect(functions.pool.mailsTo(email)).toHaveLength(2)
    const extendedEndMs = Date.parse((again.body['invitation'] as { expires_at: string }).expires_at)
    expect(extendedEndMs - firstEndMs).toBeGreaterThan(3 * 86_400_000)

    expect((await admin.call('admin.invitations')).body['invitations']).toContainEqual(
      again.body['invitation'],
    )
    expect(await admin.call('admin.revokeInvitation', { params })).toMatchObject(ok({ success: true }))
    expect(await isInvited(functions.table, email, Date.now())).toBe(false)
    for (const name of ['admin.revokeInvitation', 'admin.resendInvitation'] as const)
      expect(await admin.call(name, { params })).toMatchObject({
        statusCode: 404,
        body: { code: 'invitation_not_found' },
      })
  })

  it('add the confirmed account to those of their groups that still exist', async () => {
    await admin.call('admin.createGroup', { body: { name: 'sales', description: '', limits: {} } })
    await admin.call('admin.createGroup', { body: { name: 'interns', description: '', limits: {} } })
    const email = createEmail()
    expect(await invite({ email, groups: ['sales', 'nowhere'] })).toMatchObject({ statusCode: 404 })
    expect(await invite({ email, groups: ['sales', 'interns'] })).toMatchObject({ statusCode: 200 })
    await admin.call('admin.deleteGroup', { params: { groupName: 'interns' } })
    const invitedUser = await functions.newUser([], email)
    expect((await admin.call('admin.user', { params: { userId: invitedUser.sub } })).body).toMatchObject({
      user: { email, groups: ['sales'] },
    })
    expect(await isInvited(functions.table, email, Date.now())).toBe(false)
    expect(await invite({ email })).toMatchObject({ statusCode: 409, body: { code: 'account_exists' } })
  })

  it('of a list have a result for each line, and one bad line takes no other with it', async () => {
    const [invited, upper, open] = [createEmail(), createEmail(), createEmail()]
    await admin.call('admin.invite', { body: { email: open } })
    await admin.call('admin.createGroup', { body: { name: 'listed' } })
    const emails = [
      `\uFEFF ${invited}\r`,
      'nobody',
      ann.email,
      open,
      upper,
      upper.toUpperCase(),
      '',
      'a@@b.example',
    ]
    const { statusCode, body } = await admin.call('admin.invite', { body: { emails, groups: ['listed'] } })
    const results = body['results'] as { email: string; status: string; error?: string; code?: string }[]
    expect(statusCode).toBe(200)
    expect(results.map(({ status, code = '' }) => `${status} ${code}`.trim())).toEqual([
      'invited',
      'invalid no_address',
      'already account_exists',
      'already invited_already',
      'invited',
      'already repeated_address',
      'invalid no_address',
      'invalid no_address',
    ])
    expect(results[0]).toEqual({ email: invited, status: 'invited' })
    for (const { status, error } of results) expect(error === undefined).toBe(status === 'invited')
    expect(functions.pool.mailsTo(invited)).toEqual([
      expect.objectContaining({ text: expect.stringContaining(`${admin.email} invites you to Juno.`) }),
    ])
    expect(functions.pool.mailsTo(open)).toHaveLength(1)
    expect((await admin.call('admin.invitations')).body['invitations']).toEqual(
      expect.arrayContaining([expect.objectContaining({ email: upper, groups: ['listed'] })]),
    )
    expect(await listEntries(upper)).toHaveLength(1)
  })

  it.each([
    { emails: [] },
    { emails: Array.from({ length: 501 }, (_, index) => `a${index}@example.com`) },
    { emails: ['a@example.com'], email: 'a@example.com' },
    {},
  ])('of a list that is wrong as a whole are refused (%#)', async (body) => {
    expect(await admin.call('admin.invite', { body })).toMatchObject({ statusCode: 400 })
  })

  it('of a list with groups put each person into theirs, and say which group there is not', async () => {
    for (const name of ['Everyone', 'Sales EMEA', 'Roasters'])
      await admin.call('admin.createGroup', { body: { name } })
    const people = [
      { email: createEmail(), groups: ['sales  emea ', 'Roasters', 'Sales EMEA'] },
      { email: createEmail(), groups: ['Roasters', 'Sails'] },
      { email: createEmail(), groups: ['', ' '] },
      { email: createEmail() },
    ]
    const { statusCode, body } = await admin.call('admin.invite', { body: { people, groups: ['Everyone'] } })
    expect({ statusCode, body }).toMatchObject(
      ok({
        results: [
          { status: 'invited' },
          {
            status: 'invalid',
            code: 'unknown_group',
            params: { name: 'Sails' },
            error: 'There is no group “Sails”.',
          },
          { status: 'invited' },
          { status: 'invited' },
        ],
      }),
    )
    const invited = (await admin.call('admin.invitations')).body['invitations'] as {
      email: string
      groups: string[]
    }[]
    expect(people.map(({ email }) => invited.find((one) => one.email === email)?.groups)).toEqual([
      ['Everyone', 'Sales EMEA', 'Roasters'],
      undefined,
      ['Everyone'],
      ['Everyone'],
    ])
  })

  it('of a list with an unknown group invite nobody', async () => {
    const email = createEmail()
    const body = { emails: [email], groups: ['no-such-group'] }
    expect(await admin.call('admin.invite', { body })).toMatchObject({ statusCode: 404 })
    expect(await isInvited(functions.table, email, Date.now())).toBe(false)
  })

  it('that are revoked while the mail is being sent stay revoked', async () => {
    const rows = invitationRepository(functions.table)
    const invitations = invitationService({
      invitationRows: rows,
      users: { findByEmail: async () => [] },
      groups: { listNames: async () => [] },
      loadOrigin: async () => 'https://juno.example',
      sendMail: async ({ email }) => rows.remove(invitationId(email)),
    })
    const email = createEmail()
    await invitations.invite({ email, days: 1, groups: [] })
    expect(await isInvited(functions.table, email, Date.now())).toBe(false)

    const invitation = { email, groups: [], sent_at: null, ttl: Math.floor(Date.now() / 1000) + 60 }
    await expect(invitations.resend(invitation)).rejects.toMatchObject({ code: 'invitation_not_found' })
    await rows.save(invitation)
    await invitations.resend(invitation)
    expect(await isInvited(functions.table, email, Date.now())).toBe(false)

    await rows.save(invitation)
    const params = { invitationId: invitationId(email) }
    expect(await admin.call('admin.revokeInvitation', { params })).toMatchObject(ok({ success: true }))
    expect(await isInvited(functions.table, email, Date.now())).toBe(false)
  })

  it.each([
    ['cannot be mailed', () => Promise.reject(new Error('not verified'))],
    ['belong to a site without a sender', undefined],
  ])('that %s are valid, and report that the link has to be passed on', async (_, sendMail) => {
    const email = createEmail()
    const invitations = invitationService({
      invitationRows: invitationRepository(functions.table),
      users: { findByEmail: async () => [] },
      groups: { listNames: async () => [] },
      loadOrigin: async () => 'https://juno.example',
      sendMail,
    })
    const invitation = await invitations.invite({ email, days: 1, groups: [] })
    expect(invitation).toMatchObject({ sent_at: null, link: expect.stringContaining('/auth?invite=1') })
    expect(await isInvited(functions.table, email, Date.now())).toBe(true)
    expect(functions.pool.mailsTo(email)).toEqual([])
    const resent = await invitations.resend({
      email,
      groups: [],
      ttl: Math.floor(Date.now() / 1000),
      sent_at: '2026-11-20T09:00:00.000Z',
    })
    expect(resent.sent_at).toBeNull()
    // what lasts longer stays as long
    const ttl = Math.floor(Date.now() / 1000) + 30 * 86_400
    const stillLong = await invitations.resend({ email, groups: [], ttl, sent_at: null })
    expect(Date.parse(stillLong.expires_at)).toBe(ttl * 1000)
  })

  it.each([
    'ann',
    'ann@example',
    '"ann@evil.example"@example.com',
    'ann@example.com\r\nBcc: bob@example.com',
  ])('accept plain addresses only: not %j', async (email) => {
    expect(await invite({ email })).toMatchObject({ statusCode: 400, body: { code: 'bad_request' } })
  })
})

describe('groups', () => {
  const create = (name: string, more: object = {}) =>
    admin.call('admin.createGroup', { body: { name, description: 'Team', limits: {}, ...more } })

  it('are created, listed with their members, changed and deleted', async () => {
    const limits = { tokens_per_day: 1_000, tools: 'built_in' as const, models: ['a'] }
    expect(await create('design', { limits })).toMatchObject(
      ok({ group: { name: 'design', description: 'Team', limits, members: 0, version: 1 } }),
    )
    expect(await create('design')).toMatchObject({ statusCode: 409, body: { code: 'group_exists' } })
    await admin.call('admin.setGroups', { ...aboutAnn(), body: { add: ['design'], remove: [] } })
    expect((await admin.call('admin.groups')).body['groups']).toContainEqual(
      expect.objectContaining({ name: 'design', members: 1 }),
    )
    expect((await admin.call('admin.user', aboutAnn())).body).toMatchObject({ user: { limits } })

    const params = { groupName: 'design' }
    const change = (body: object) => admin.call('admin.updateGroup', { params, body: body as never })
    expect(await change({ version: 1, limits: { storage_gb: 0 } })).toMatchObject(
      ok({ group: { description: 'Team', limits: { storage_gb: 0 }, version: 2 } }),
    )
    expect(await change({ version: 1, description: 'Late' })).toMatchObject({
      statusCode: 409,
      body: { code: 'group_changed' },
    })
    expect(await change({ version: 2, limits: { tokens_per_day: -1 } })).toMatchObject({ statusCode: 400 })

    await change({ version: 2, description: 'Crew', limits: { storage_gb: 0 } })
    const updates = (await listEntries('design')).filter(({ action }) => action === 'group.updated')
    expect([updates[0], updates.at(-1)].map((update) => update?.details)).toEqual([
      { changed: ['description'], storage_gb: 0 },
      { changed: ['limits'], storage_gb: 0 },
    ])

    for (let time = 0; time < 2; time += 1)
      expect(await admin.call('admin.deleteGroup', { params })).toMatchObject(ok({ success: true }))
    expect((await admin.call('admin.user', aboutAnn())).body).toMatchObject({ user: { groups: [] } })
    expect(await change({ version: 3 })).toMatchObject({ statusCode: 404 })
  })

  it('that are created concurrently are all stored', async () => {
    const names = ['one', 'two', 'three', 'four']
    await Promise.all(names.map((name) => create(name, { limits: { uploads_per_day: 1 } })))
    const found = (await admin.call('admin.groups')).body['groups'] as { name: string; limits: object }[]
    for (const name of names)
      expect(found).toContainEqual(expect.objectContaining({ name, limits: { uploads_per_day: 1 } }))
  })

  it('of administrators cannot be deleted', async () => {
    expect(await admin.call('admin.deleteGroup', { params: { groupName: adminGroup } })).toMatchObject({
      statusCode: 409,
      body: { code: 'admin_group_required' },
    })
  })

  it.each(['a/b', 'a,b', 'a;b', 'a␣b', 'tab\u0007', '   ', '', '__proto__', 'constructor', 'x'.repeat(65)])(
    'must have names that fit into URLs and lists: not %j',
    async (name) => {
      expect(await create(name)).toMatchObject({ statusCode: 400 })
    },
  )

  it('have the name that a person has typed at every door, blanks and letters included', async () => {
    const name = 'Vertrieb Süd & EMEA'
    expect(
      await create(` Vertrieb  Su\u0308d\u00A0& EMEA `, { limits: { uploads_per_day: 3 } }),
    ).toMatchObject(ok({ group: { name, limits: { uploads_per_day: 3 }, version: 1 } }))
    expect(await create(name.toLowerCase())).toMatchObject({ body: { code: 'group_exists' } })
    expect((await admin.call('admin.user', aboutAnn())).body).toMatchObject({
      user: { last_active_at: expect.stringMatching(/:00:00\.000Z$/) },
    })
    const changed = await admin.call('admin.setGroups', { ...aboutAnn(), body: { add: [name], remove: [] } })
    expect(changed).toMatchObject(ok({ user: { groups: [name], limits: { uploads_per_day: 3 } } }))
    expect((await admin.call('admin.users', { query: { query: ann.email } })).body).toMatchObject({
      users: [{ groups: [name] }],
    })
    expect(
      await admin.call('admin.updateGroup', {
        params: { groupName: name },
        body: { version: 1, description: 'South', limits: { uploads_per_day: 4 } },
      }),
    ).toMatchObject(ok({ group: { name, description: 'South', members: 1 } }))
    expect(await admin.call('admin.updateSite', { body: { defaultGroup: name } })).toMatchObject({
      statusCode: 200,
    })
    await admin.call('admin.updateSite', { body: { defaultGroup: null } })

    const email = createEmail()
    const body = { email, groups: [name] }
    expect(await admin.call('admin.invite', { body })).toMatchObject(ok({ invitation: { groups: [name] } }))
    const invited = await functions.newUser([], email)
    expect((await admin.call('admin.user', { params: { userId: invited.sub } })).body).toMatchObject({
      user: { groups: [name] },
    })
    expect((await admin.call('admin.usage', { query: {} })).body['groups']).toContainEqual(
      expect.objectContaining({ name, users: 2 }),
    )
    expect(await listEntries(name)).toMatchObject([{ action: 'group.updated' }, { action: 'group.created' }])
    expect(await listEntries(ann.email)).toMatchObject([{ details: { added: [name] } }])

    await admin.call('admin.setGroups', { ...aboutAnn(), body: { add: [], remove: [name] } })
    expect((await admin.call('admin.user', aboutAnn())).body).toMatchObject({ user: { groups: [] } })
    await admin.call('admin.deleteGroup', { params: { groupName: name } })
    const { groups } = (await admin.call('admin.groups')).body as { groups: { name: string }[] }
    expect(groups.map((group) => group.name)).not.toContain(name)
    const { Item } = await functions.table.client.send(
      new GetCommand({ TableName: functions.table.name, Key: { PK: 'GROUPS', SK: 'GROUPS' } }),
    )
    expect(JSON.stringify(Item)).not.toContain('Vertrieb')
  })
})

it('DEC-192 when two administrators create a group at once, it has the limits of the one whose call succeeded', async () => {
  const { client, userPoolId } = functions.pool
  const users = { isCreatedByCognito: () => false, listMembers: () => (async function* () {})() }
  const groups = groupDirectory({ table: functions.table, userPoolId, client, users })
  const limits = { tokens_per_day: 1_000 }
  await groups.create('raced', { description: 'First', limits })
  // the other call checked whether the group exists before it did
  const other = groups.create('raced', { description: 'Second', limits: {} })
  await expect(other).rejects.toMatchObject({ code: 'group_exists' })
  expect(await groups.find('raced')).toMatchObject({ description: 'First', limits, version: 1 })

  failTable((name, { Item }) => name === 'PutCommand' && Item?.['PK'] === 'GROUPS', 1)
  await expect(groups.create('later', { description: '', limits })).rejects.toThrow('did not answer')
  expect(await groups.create('later', { description: '', limits })).toMatchObject({ limits })
})

it('a change of a group whose first response is lost succeeds, and counts once', async () => {
  const { client, userPoolId } = functions.pool
  const users = { isCreatedByCognito: () => false, listMembers: () => (async function* () {})() }
  const repeatingTable = withRepeatedWrites(functions.table)
  const groups = groupDirectory({ table: repeatingTable, userPoolId, client, users })
  expect(await groups.create('repeated', { description: 'One', limits: {} })).toMatchObject({ version: 1 })
  const changed = await groups.update('repeated', { version: 1, description: 'Two' })
  expect(changed).toMatchObject({ description: 'Two', version: 2 })
})

it('DEC-192 a group that could not be created has no limits, even if the response to writing them is lost', async () => {
  const { client, userPoolId } = functions.pool
  const users = { isCreatedByCognito: () => false, listMembers: () => (async function* () {})() }
  const send = functions.table.client.send.bind(functions.table.client) as (
    command: object,
  ) => Promise<object>
  const sendLosingWrites = async (command: object) => {
    const result = await send(command)
    if (command instanceof PutCommand) throw new Error('the response was lost')
    return result
  }
  const table = {
    name: functions.table.name,
    client: { send: sendLosingWrites } as unknown as Table['client'],
  }
  const create = groupDirectory({ table, userPoolId, client, users }).create('lost', {
    description: '',
    limits: { tokens_per_day: 1_000 },
  })
  await expect(create).rejects.toThrow('the response was lost')
  const groups = groupDirectory({ table: functions.table, userPoolId, client, users })
  expect(await groups.listNames()).not.toContain('lost')
  expect(await groups.loadLimits()).not.toHaveProperty('lost')
})

it('usage of a month is summarised by user and by group', async () => {
  await admin.call('admin.createGroup', { body: { name: 'writers', description: '', limits: {} } })
  await admin.call('admin.setGroups', { ...aboutAnn(), body: { add: ['writers'], remove: [] } })
  const day = Date.parse('2026-03-31') / 86_400_000
  const put = (SK: string, row: object) =>
    functions.table.client.send(
      new PutCommand({ TableName: functions.table.name, Item: { PK: `RATE#${ann.sub}`, SK, ...row } }),
    )
  await put(`replies#${day}`, { replies: 3, input_tokens: 100, output_tokens: 20, nano_usd: 5e8 })
  await put(`replies#${day + 1}`, { replies: 9, input_tokens: 900 })
  const { body } = await admin.call('admin.usage', { query: { month: '2026-03' } })
  const usage = { replies: 3, inputTokens: 100, outputTokens: 20, cost: 0.5 }
  expect(body).toMatchObject({
    month: '2026-03',
    users: [{ id: ann.sub, email: ann.email, groups: ['writers'], ...usage }],
    total: usage,
  })
  expect(body['groups']).toContainEqual(expect.objectContaining({ name: 'writers', users: 1, ...usage }))
  expect(await admin.call('admin.usage', { query: { month: '2026-13' } })).toMatchObject({ statusCode: 400 })
})

it('the audit log is read page by page, each entry once', async () => {
  for (let count = 0; count < 60; count += 1)
    await functions.table.client.send(
      new PutCommand({
        TableName: functions.table.name,
        Item: {
          PK: 'AUDIT#2026-11',
          SK: `2026-11-01T00:00:${String(count).padStart(2, '0')}.000Z_x`,
          at: '2026-11-01T00:00:00.000Z',
          actor: { command: true },
          action: 'user.enabled',
          target: `number-${count}`,
        },
      }),
    )
  const targets: string[] = []
  let cursor: string | null | undefined
  do {
    const query = cursor === undefined ? {} : { cursor }
    const { body } = await admin.call('admin.audit', { query: query as { cursor: string } })
    targets.push(...(body['entries'] as { target: string }[]).map(({ target }) => target))
    cursor = body['next_cursor'] as string | null
  } while (cursor !== null)
  const numberedTargets = targets.filter((target) => target.startsWith('number-'))
  expect(numberedTargets).toEqual(Array.from({ length: 60 }, (_, index) => `number-${59 - index}`))
  // a month alone, as after a page that ended with one
  const month = Buffer.from(new Date().toISOString().slice(0, 7)).toString('base64url')
  const { body } = await admin.call('admin.audit', { query: { cursor: month } })
  expect(body['entries']).toEqual((await admin.call('admin.audit')).body['entries'])
  for (const invalid of ['x', Buffer.from('2099-12').toString('base64url')])
    expect(await admin.call('admin.audit', { query: { cursor: invalid } })).toMatchObject({ statusCode: 400 })
})

it('an action that cannot be logged is not carried out, and a failed one is logged', async () => {
  const { auditLog } = await import('../platform/audit-log.ts')
  const table = { ...functions.table, client: { send: () => Promise.reject(new Error('down')) } }
  const act = vi.fn<() => Promise<void>>(() => Promise.resolve())
  const event = { actor: { command: true as const }, action: 'user.enabled' as const, target: 'x' }
  await expect(auditLog(table as never).record(event, act)).rejects.toThrow('down')
  expect(act).not.toHaveBeenCalled()
  const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now())
  for (let attempt = 0; attempt < 10; attempt += 1)
    await expect(
      auditLog(functions.table).record({ ...event, target: `y${attempt}` }, () =>
        Promise.reject(new TypeError('a bug')),
      ),
    ).rejects.toThrow('a bug')
  clock.mockRestore()
  // the failure is the later entry, also within one millisecond
  for (let attempt = 0; attempt < 10; attempt += 1)
    expect(await listEntries(`y${attempt}`)).toEqual([
      { action: 'user.enabled', actor: { command: true }, details: { failed: 'internal_error' } },
      { action: 'user.enabled', actor: { command: true } },
    ])
})

it('descriptions and limits of groups are stored in one row', async () => {
  await admin.call('admin.createGroup', { body: { name: 'solo', description: 'One', limits: {} } })
  const { Item } = await functions.table.client.send(
    new GetCommand({ TableName: functions.table.name, Key: { PK: 'GROUPS', SK: 'GROUPS' } }),
  )
  expect(Item).toMatchObject({ groups: { solo: { description: 'One', limits: {}, version: 1 } } })
})

describe('schedules', () => {
  const daily = { rule: { kind: 'daily', time: '08:00' }, time_zone: 'UTC' } as const
  const row = (id: string, fields: object = {}) =>
    functions.table.client.send(
      new PutCommand({
        TableName: functions.table.name,
        Item: {
          PK: `U#${ann.sub}`,
          SK: `SCHED#${id}`,
          v: 1,
          session_id: id,
          prompt: 'Secret',
          ...daily,
          ...fields,
        },
      }),
    )
  const remove = (id: string) =>
    functions.table.client.send(
      new DeleteCommand({
        TableName: functions.table.name,
        Key: { PK: `U#${ann.sub}`, SK: `SCHED#${id}` },
      }),
    )
  const listPeople = async () => {
    const people: { id: string }[] = []
    // other tests have created more accounts than a page has
    let cursor: string | null | undefined
    do {
      const { body } = await admin.call('admin.schedules', cursor ? { query: { cursor } } : {})
      expect(JSON.stringify(body)).not.toContain('Secret')
      people.push(...(body['people'] as { id: string }[]))
      cursor = body['next_cursor'] as string | null
    } while (cursor)
    return people.filter(({ id }) => id === ann.sub)
  }

  it('of a person are told by number and last run, never by what they say', async () => {
    expect(await listPeople()).toEqual([])
    await row('a', { last_run: { at: 5, status: 'done' } })
    await row('b', { last_run: { at: 9, status: 'failed' }, paused_because: 'failures' })
    expect(await listPeople()).toEqual([
      {
        id: ann.sub,
        email: ann.email,
        count: 2,
        paused: 1,
        paused_by_administrator: 0,
        last_run: { at: new Date(9).toISOString(), status: 'failed' },
      },
    ])
    expect(await ann.call('admin.schedules')).toMatchObject({ statusCode: 403 })
    expect(await ann.call('admin.resumeSchedules', aboutAnn())).toMatchObject({ statusCode: 403 })
  })

  it('are paused and resumed by an administrator; what was paused before stays so; both are in the log', async () => {
    await row('a', { next_at: 1 })
    await row('b', { paused_because: 'user' })
    expect(await admin.call('admin.pauseSchedules', aboutAnn())).toMatchObject(
      ok({ person: { count: 2, paused: 2, paused_by_administrator: 2, held: true } }),
    )
    // whoever has deleted them all is still in the list
    await Promise.all(['a', 'b'].map((id) => remove(id)))
    expect(await listPeople()).toMatchObject([{ count: 0, held: true }])
    await row('a', { paused_because: 'administrator' })
    await row('b', { paused_because: 'administrator', paused_before: 'user' })
    const resumed = await admin.call('admin.resumeSchedules', aboutAnn())
    expect(resumed).toMatchObject(ok({ person: { paused: 1, paused_by_administrator: 0 } }))
    expect(resumed.body['person']).not.toHaveProperty('held')
    const { Item } = await functions.table.client.send(
      new GetCommand({ TableName: functions.table.name, Key: { PK: `U#${ann.sub}`, SK: 'SCHED#a' } }),
    )
    expect(Item?.['next_at']).toBeGreaterThan(Date.now())
    expect(Item).not.toHaveProperty('paused_because')
    expect((await listEntries(ann.email)).map(({ action }) => action)).toEqual([
      'schedules.resumed',
      'schedules.paused',
    ])
  })
})
