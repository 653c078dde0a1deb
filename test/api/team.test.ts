import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { childEnvironment } from '../support/child-environment.ts'
import { returnFromGoogle } from '../support/google-sign-in.ts'
import { type LocalStack, startStack } from '../support/local-stack.ts'
import { emailsInPool } from '../support/smoke.ts'
import { type StackUser, signInUser } from '../support/stack-user.ts'
import { openStackTable } from '../support/stack-table.ts'

// A team from the first administrator to the removal of a member; each step needs those before it.

const run = promisify(execFile)
const aPerson = (name: string) => `${name}-${crypto.randomUUID()}@example.com`

let stack: LocalStack
let admin: StackUser
let member: StackUser
beforeAll(async () => {
  stack = await startStack({ env: { SIGN_UP: 'closed', LOCAL_MAIL: 'link' } })
})
afterAll(() => stack.stop())

const command = async (name: string, ...options: string[]) =>
  (
    await run(process.execPath, [`infra/operate/${name}.ts`, '--url', stack.origin, ...options], {
      env: { ...childEnvironment, LOCAL_DATA_DIR: stack.dataDir },
    })
  ).stdout
const signIn = async (user: StackUser) =>
  signInUser({ origin: stack.origin, cognito: (await stack.endpoints()).cognito }, user)
const say = (user: StackUser, content: string) =>
  user.send('chat.send', { body: { messages: [{ role: 'user', content }] } })
const ofMember = () => ({ params: { userId: member.sub } })

it('DEC-188 the operator invites the first administrator, and makes them one', async () => {
  const email = aPerson('admin')
  await expect(stack.newUser({ email })).rejects.toThrow('Sign-up is by invitation')
  expect(await command('invite', '--email', email)).toContain(`${stack.origin}/auth?invite=1`)
  const before = await stack.newUser({ email })
  expect((await before.send('admin.users')).status).toBe(403)
  expect(await command('admin', 'grant-admin', '--email', email)).toBe(`${email} is in admins.\n`)
  admin = await signIn(before)
  expect(await admin.call('account.read')).toMatchObject({ is_admin: true, groups: ['admins'] })
})

it('an administrator invites a member into a group, by a mail', async () => {
  await admin.call('admin.createGroup', {
    body: { name: 'staff', description: 'Everybody', limits: { tokens_per_day: 100_000 } },
  })
  // functions read limits once a minute: a group that they know already
  await admin.call('admin.createGroup', {
    body: { name: 'trial', description: 'Nothing', limits: { tokens_per_day: 1 } },
  })
  const email = aPerson('member')
  const { invitation } = await admin.call('admin.invite', { body: { email, days: 7, groups: ['staff'] } })
  const [mail] = await stack.mail(email)
  expect(mail?.text).toContain(invitation.link)
  expect(new URL(invitation.link).origin).toBe(stack.origin)
  member = await stack.newUser({ email })
  expect((await admin.call('admin.user', ofMember())).user).toMatchObject({
    groups: ['staff'],
    limits: { tokens_per_day: 100_000 },
  })
  expect((await say(member, 'Hello')).status).toBe(200)
})

it('somebody who is invited and signs in with Google is in the group from the first sign-in', async () => {
  const email = aPerson('google')
  await admin.call('admin.invite', { body: { email, days: 7, groups: ['staff'] } })
  expect((await returnFromGoogle(stack, { email })).searchParams.get('code')).not.toBeNull()
  const { users } = await admin.call('admin.users', { query: { query: email } })
  expect(users).toMatchObject([{ email, sign_in: 'Google', groups: ['staff'] }])
  expect((await admin.call('admin.invitations')).invitations).toEqual([])
})

it('a member who has used up what the group allows hears of it', async () => {
  await admin.call('admin.setGroups', { ...ofMember(), body: { groups: ['trial'] } })
  expect((await member.send('account.read')).status).toBe(401)
  member = await signIn(member)
  const { status, body } = await say(member, 'Hello')
  expect({ status, body }).toMatchObject({
    status: 429,
    body: { code: 'budget', error: expect.stringContaining('administrator') },
  })
  const { users } = await admin.call('admin.usage')
  expect(users).toContainEqual(expect.objectContaining({ email: member.email, groups: ['trial'] }))
})

it('a member who leaves is disabled, and then removed with a receipt', async () => {
  await admin.call('admin.disableUser', ofMember())
  expect((await member.send('account.read')).status).toBe(401)
  await expect(signIn(member)).rejects.toThrow('User is disabled.')
  const { done, receipt } = await admin.call('admin.deleteUser', {
    ...ofMember(),
    body: { confirm: member.email },
  })
  expect(done).toBe(true)
  expect(Date.parse(receipt.backups_end_at)).toBeGreaterThan(Date.now())
  expect(await emailsInPool(stack)).not.toContain(member.email)
  const table = await openStackTable(stack)
  expect(await table.readRows(member.sub)).toEqual([])
  table.close()
})

it('the log tells who did it all', async () => {
  const { entries } = await admin.call('admin.audit')
  const seen = entries.map(({ actor, action }) => ['email' in actor ? 'admin' : 'command', action])
  expect(seen).toEqual([
    ['admin', 'user.deleted'],
    ['admin', 'user.deletion_started'],
    ['admin', 'user.disabled'],
    ['admin', 'user.groups_changed'],
    ['admin', 'invitation.created'],
    ['admin', 'invitation.created'],
    ['admin', 'group.created'],
    ['admin', 'group.created'],
    ['command', 'user.groups_changed'],
    ['command', 'invitation.created'],
  ])
})
