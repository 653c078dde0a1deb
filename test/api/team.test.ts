/** @module-tag long */
import { UpdateUserAttributesCommand } from '@aws-sdk/client-cognito-identity-provider'
import { type ApiFunctionName, type RouteName, routes } from '#shared/routes.ts'
import { execFile } from 'node:child_process'
import { decodeJwt } from 'jose'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { childEnvironment } from '../support/child-environment.ts'
import { type ProviderForm, returnFromProvider, signInAtProvider } from '../support/hosted-sign-in.ts'
import { type LocalStack, startStack } from '../support/local-stack.ts'
import { listPoolEmails } from '../support/smoke.ts'
import { type StackUser, signInUser } from '../support/stack-user.ts'
import { openStackTable } from '../support/stack-table.ts'
import { openStackUserPool } from '../support/two-factor.ts'

// A team from the first administrator to the removal of a member; each step depends on the previous ones.

const run = promisify(execFile)
const uniqueEmail = (name: string) => `${name}-${crypto.randomUUID()}@example.com`

let stack: LocalStack
let admin: StackUser
let member: StackUser
/** signs in with the identity provider of the team */
let colleague: Omit<StackUser, 'password'>
beforeAll(async () => {
  stack = await startStack({ env: { SIGN_UP: 'closed', LOCAL_MAIL: 'link', IDENTITY_PROVIDERS: 'demo' } })
})
afterAll(() => stack.stop())

const runCommand = async (name: string, ...options: string[]) =>
  (
    await run(process.execPath, [`infra/operate/${name}.ts`, '--url', stack.origin, ...options], {
      env: { ...childEnvironment, LOCAL_DATA_DIR: stack.dataDir },
    })
  ).stdout
const signIn = async (user: StackUser) =>
  signInUser({ origin: stack.origin, cognito: (await stack.endpoints()).cognito }, user)
const provider = 'ExampleCorp'
const signInWithProvider = (form: ProviderForm) => signInAtProvider(stack, provider, form)
const corpAddress = (name: string) => `${name}-${crypto.randomUUID()}@corp.example`
/** The groups in a token, without the one that Cognito creates for each provider. */
const readGroups = ({ accessToken }: Pick<StackUser, 'accessToken'>) =>
  (decodeJwt<{ 'cognito:groups'?: string[] }>(accessToken)['cognito:groups'] ?? []).filter(
    (group) => !group.endsWith(`_${provider}`),
  )
const sendMessage = (user: Pick<StackUser, 'send'>, content: string) =>
  user.send('chat.send', { body: { messages: [{ role: 'user', content }] } })
const routeNames = Object.keys(routes) as RouteName[]
async function inviteMember(): Promise<StackUser> {
  const email = uniqueEmail('invited')
  await admin.call('admin.invite', { body: { email, days: 7, groups: [] } })
  return stack.newUser({ email })
}
const memberParams = () => ({ params: { userId: member.sub } })

it('DEC-188 the operator invites the first administrator and grants them the role', async () => {
  const email = uniqueEmail('admin')
  await expect(stack.newUser({ email })).rejects.toThrow('Sign-up is by invitation')
  expect(await runCommand('invite', '--email', email)).toContain(`${stack.origin}/auth?invite=1`)
  const before = await stack.newUser({ email })
  expect((await before.send('admin.users')).status).toBe(403)
  expect(await runCommand('admin', 'grant-admin', '--email', email)).toBe(`${email} is in admins.\n`)
  admin = await signIn(before)
  expect(await admin.call('account.read')).toMatchObject({ is_admin: true, groups: ['admins'] })
})

it('an administrator invites a member into a group by e-mail', async () => {
  await admin.call('admin.createGroup', {
    body: { name: 'staff', description: 'Everybody', limits: { tokens_per_day: 100_000 } },
  })
  await admin.call('admin.createGroup', {
    body: { name: 'trial', description: 'Nothing', limits: { tokens_per_day: 1 } },
  })
  await admin.call('admin.createGroup', {
    body: { name: 'secure', description: 'With a second factor', limits: { require_two_factor: true } },
  })
  // functions and triggers read the groups once a minute
  await stack.restart()
  const email = uniqueEmail('member')
  const { invitation } = await admin.call('admin.invite', { body: { email, days: 7, groups: ['staff'] } })
  const [mail] = await stack.mail(email)
  expect(mail?.text).toContain(invitation?.link)
  expect(new URL(invitation?.link ?? '').origin).toBe(stack.origin)
  member = await stack.newUser({ email })
  expect((await admin.call('admin.user', memberParams())).user).toMatchObject({
    groups: ['staff'],
    limits: { tokens_per_day: 100_000 },
  })
  expect((await sendMessage(member, 'Hello')).status).toBe(200)
})

it('an invited person who signs in with Google is in the group from the first sign-in', async () => {
  const email = uniqueEmail('google')
  await admin.call('admin.invite', { body: { email, days: 7, groups: ['staff'] } })
  expect((await returnFromProvider(stack, 'Google', { email })).searchParams.get('code')).not.toBeNull()
  const { users } = await admin.call('admin.users', { query: { query: email } })
  expect(users).toMatchObject([{ email, sign_in: 'Google', groups: ['staff'] }])
  expect((await admin.call('admin.invitations')).invitations).toEqual([])
})

it('a colleague signs in with the identity provider without an invitation, and gets the groups that it names', async () => {
  const email = corpAddress('colleague')
  colleague = await signInWithProvider({ email, name: 'Cleo', groups: 'staff, unknown, admins' })
  expect(readGroups(colleague)).toEqual(['staff'])
  expect((await colleague.send('admin.users')).status).toBe(403)
  expect((await sendMessage(colleague, 'Hello')).status).toBe(200)
  const { users } = await admin.call('admin.users', { query: { query: email } })
  expect(users).toMatchObject([{ email, sign_in: provider, provider_groups: ['staff'] }])
})

it('an address of another domain needs an invitation and a verified e-mail there, too', async () => {
  const email = uniqueEmail('stranger')
  const readFailure = async (form: ProviderForm) =>
    (await returnFromProvider(stack, provider, form)).searchParams.get('error_description')
  const refusal = 'PreSignUp failed with error Sign-up is by invitation [code=sign_up_closed].'
  expect(await readFailure({ email })).toBe(refusal)
  await admin.call('admin.invite', { body: { email, days: 7, groups: [] } })
  expect(await readFailure({ email, unverified: 'on' })).toBe(refusal)
  expect(await readFailure({ email })).toBeNull()
})

it('an address of the provider’s domain cannot use a password or another provider', async () => {
  const email = corpAddress('password')
  await admin.call('admin.invite', { body: { email, days: 7, groups: [] } })
  await expect(stack.newUser({ email })).rejects.toThrow('Please sign in with Example Corp instead')
  const google = await returnFromProvider(stack, 'Google', { email })
  expect(google.searchParams.get('error_description')).toContain('Please sign in with Example Corp instead')
})

it('only the operator’s configured group makes administrators, as long as the provider names it', async () => {
  const email = corpAddress('chief')
  const chief = await signInWithProvider({ email, groups: 'assistant-admins' })
  expect(await chief.call('account.read')).toMatchObject({ is_admin: true })
  expect((await chief.call('admin.users')).users).not.toEqual([])
  const formerChief = await signInWithProvider({ email, groups: '' })
  expect([readGroups(chief), readGroups(formerChief)]).toEqual([['admins'], []])
  expect((await formerChief.send('admin.users')).status).toBe(403)
})

it('users of the provider cannot write their groups themselves', async () => {
  const { client } = await openStackUserPool(stack)
  const UserAttributes = [{ Name: 'custom:groups', Value: '["assistant-admins"]' }]
  await expect(
    client.send(new UpdateUserAttributesCommand({ AccessToken: colleague.accessToken, UserAttributes })),
  ).rejects.toThrow('Access Token does not have required scopes')
  // a user with a password can, without any effect
  const fresh = await signIn(member)
  await client.send(new UpdateUserAttributesCommand({ AccessToken: fresh.accessToken, UserAttributes }))
  member = await signIn(member)
  expect(readGroups(member)).toEqual(['staff'])
  client.destroy()
})

it('no route for administrators answers anybody else', async () => {
  const names = routeNames.filter((name) => routes[name].access === 'admin')
  const params = { userId: admin.sub, invitationId: 'a'.repeat(64), groupName: 'staff' }
  for (const name of names)
    for (const user of [member, colleague])
      expect({
        name,
        status: (await user.send(name, { params, ...(routes[name].method !== 'GET' && { body: {} }) }))
          .status,
      }).toEqual({ name, status: 403 })
  expect(names.length).toBeGreaterThan(15)
})

it('a group can require a second factor of members with a password; the provider checks its own', async () => {
  await admin.call('admin.setGroups', { ...memberParams(), body: { add: ['secure'], remove: [] } })
  member = await signIn(member)
  expect(await sendMessage(member, 'Hello')).toMatchObject({
    status: 403,
    body: { code: 'two_factor_required' },
  })
  const securedColleague = await signInWithProvider({ email: colleague.email, groups: 'staff, secure' })
  expect((await sendMessage(securedColleague, 'Hello')).status).toBe(200)
})

it('a member who has used up the group’s limit is told so', async () => {
  await admin.call('admin.setGroups', {
    ...memberParams(),
    body: { add: ['trial'], remove: ['staff', 'secure'] },
  })
  expect((await member.send('account.read')).status).toBe(401)
  member = await signIn(member)
  const { status, body } = await sendMessage(member, 'Hello')
  expect({ status, body }).toMatchObject({
    status: 429,
    body: { code: 'budget', error: expect.stringContaining('administrator') },
  })
  const limitedColleague = await signInWithProvider({ email: colleague.email, groups: 'trial' })
  expect(await sendMessage(limitedColleague, 'Hello')).toMatchObject({
    status: 429,
    body: { code: 'budget' },
  })
  const { users } = await admin.call('admin.usage')
  expect(users).toContainEqual(expect.objectContaining({ email: member.email, groups: ['trial'] }))
})

it('a member who leaves is disabled, and then deleted with a receipt', async () => {
  await admin.call('admin.disableUser', memberParams())
  expect((await member.send('account.read')).status).toBe(401)
  await expect(signIn(member)).rejects.toThrow('User is disabled.')
  const { done, receipt } = await admin.call('admin.deleteUser', {
    ...memberParams(),
    body: { confirm: member.email },
  })
  expect(done).toBe(true)
  expect(receipt).not.toHaveProperty('backups_end_at')
  expect(await listPoolEmails(stack)).not.toContain(member.email)
  const table = await openStackTable(stack)
  expect(await table.readRows(member.sub)).toEqual([])
  table.close()
})

it('a colleague who leaves is deleted in the same way', async () => {
  const { sub, email } = colleague
  const { receipt } = await admin.call('admin.deleteUser', {
    params: { userId: sub },
    body: { confirm: email },
  })
  expect(receipt).not.toHaveProperty('backups_end_at')
  expect(await listPoolEmails(stack)).not.toContain(email)
  expect((await colleague.send('account.read')).status).toBe(401)
})

it('a colleague signs out everywhere and deletes the account without an administrator', async () => {
  const email = corpAddress('leaver')
  const first = await signInWithProvider({ email })
  const otherSession = await signInWithProvider({ email })
  await first.call('account.signOutEverywhere')
  expect((await otherSession.send('account.read')).status).toBe(401)
  const again = await signInWithProvider({ email })
  const { done } = await again.call('account.erase', { body: { confirm: 'DELETE' } })
  expect(done).toBe(true)
  expect(await listPoolEmails(stack)).not.toContain(email)
})

it('the audit log names who did it all', async () => {
  const { entries } = await admin.call('admin.audit')
  const actions = entries.map(({ actor, action }) => ['email' in actor ? 'admin' : 'command', action])
  expect(actions).toEqual([
    ['admin', 'user.deleted'],
    ['admin', 'user.deletion_started'],
    ['admin', 'user.deleted'],
    ['admin', 'user.deletion_started'],
    ['admin', 'user.disabled'],
    ['admin', 'user.groups_changed'],
    ['admin', 'user.groups_changed'],
    ['admin', 'invitation.created'],
    ['admin', 'invitation.created'],
    ['admin', 'invitation.created'],
    ['admin', 'invitation.created'],
    ['admin', 'group.created'],
    ['admin', 'group.created'],
    ['admin', 'group.created'],
    ['command', 'user.groups_changed'],
    ['command', 'invitation.created'],
  ])
})

describe('connections that a group does not allow', () => {
  const custom = { serverUrl: 'https://tools.example/mcp', apiKey: '', customFields: {} }
  const apiKey = 'ntn_0123456789abcdef'
  const redirectUri = 'ORIGIN/oauth/callback'
  const refused = { status: 403, code: 'connection_not_allowed' }
  const notShown = { status: 502, code: 'app_not_shown' }
  /** What each route that uses a connection answers, and to which of the groups. */
  const doors: Partial<
    Record<RouteName, { groups: string[]; answer: object; params?: object; body?: object }>
  > = {
    'customTools.add': {
      groups: ['tools-catalogue', 'tools-none'],
      answer: refused,
      body: { name: 'Mine', description: '', config: custom },
    },
    'customTools.test': {
      groups: ['tools-catalogue', 'tools-none'],
      answer: refused,
      body: { config: custom },
    },
    'customTools.setKey': {
      groups: ['tools-catalogue', 'tools-none'],
      answer: refused,
      params: { toolId: 'TOOL' },
      body: { apiKey: 'new-key' },
    },
    'apps.open': {
      groups: ['tools-catalogue', 'tools-none'],
      answer: notShown,
      body: { mcp_id: 'TOOL', tool: 'chart' },
    },
    'apps.call': {
      groups: ['tools-catalogue', 'tools-none'],
      answer: notShown,
      body: { mcp_id: 'TOOL', name: 'chart', arguments: {} },
    },
    'drive.list': { groups: ['tools-none'], answer: refused },
    'drive.upload': { groups: ['tools-none'], answer: refused, body: { file_id: 'file-1' } },
    'integrations.connect': {
      groups: ['tools-none'],
      answer: refused,
      params: { mcpId: 'notion' },
      body: { credentials: { apiKey } },
    },
    'credentials.manage': {
      groups: ['tools-none'],
      answer: refused,
      body: { action: 'store', mcpId: 'notion', credentials: { apiKey } },
    },
    'oauth.handle': {
      groups: ['tools-none'],
      answer: refused,
      body: { action: 'initiate', mcpId: 'gmail', environment: 'production', redirectUri },
    },
  }
  /** Show or remove what the user has, or write a reply, which is offered the allowed tools only. */
  const openRoutes: RouteName[] = [
    'integrations.list',
    'integrations.cleanup',
    'integrations.disconnect',
    'integrations.refresh',
    'customTools.list',
    'customTools.remove',
    'tools.list',
    // their runs are replies
    'schedules.list',
    'schedules.create',
    'schedules.read',
    'schedules.update',
    'schedules.delete',
    'schedules.run',
    'tools.ledger',
    'tools.clearLedger',
    'tools.allowed',
    'tools.revoke',
    'chat.send',
    'runs.events',
    'runs.stop',
    'runs.answer',
    'runs.checkTask',
    'speech.transcribe',
    'models.list',
  ]
  const owners = ['integrations', 'oauth', 'tools', 'chat'] satisfies ApiFunctionName[]
  const owned = routeNames.filter((name) => owners.some((owner) => owner === routes[name].functionName))

  beforeAll(async () => {
    for (const tools of ['catalogue', 'none'] as const)
      await admin.call('admin.createGroup', {
        body: { name: `tools-${tools}`, description: '', limits: { tools } },
      })
    await stack.restart()
  })

  it('each route of the functions that reach connections refuses them, or has no need to', () => {
    expect([...Object.keys(doors), ...openRoutes].toSorted()).toEqual(owned.toSorted())
  })

  it.each(['tools-catalogue', 'tools-none'])('are refused by each route: %s', async (group) => {
    let user = await inviteMember()
    const { tool } = await user.call('customTools.add', {
      body: { name: 'Mine', description: '', config: custom },
    })
    await admin.call('admin.setGroups', { params: { userId: user.sub }, body: { add: [group], remove: [] } })
    user = await signIn(user)
    const before = await user.call('customTools.list')
    for (const [name, { groups, answer, ...parts }] of Object.entries(doors)) {
      if (!groups.includes(group)) continue
      const filled = JSON.parse(
        JSON.stringify(parts).replaceAll('TOOL', tool.id).replace('ORIGIN', stack.origin),
      ) as object
      const { status, body } = await user.send(name as RouteName, filled)
      expect({ name, status, code: (body as { code?: string }).code }).toEqual({ name, ...answer })
    }
    expect(await user.call('customTools.list')).toEqual(before)
    expect(await user.call('integrations.list')).toEqual({ integrations: [] })
  })
})

it('DEC-188 an invitation makes an administrator in one command, and so does the command for an account', async () => {
  const email = uniqueEmail('second-admin')
  expect(await runCommand('invite', '--admin', email)).toContain(`${stack.origin}/auth?invite=1`)
  const invited = await stack.newUser({ email })
  expect(await invited.call('account.read')).toMatchObject({ is_admin: true, groups: ['admins'] })

  await runCommand('admin', 'revoke-admin', '--email', email)
  expect(await runCommand('invite', '--admin', email)).toContain(`${email} is in admins.`)
  expect(await (await signIn(invited)).call('account.read')).toMatchObject({ is_admin: true })
})
