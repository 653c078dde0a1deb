import { afterAll, beforeAll, expect, it } from 'vitest'
import { adminGroup } from '#shared/user-pool.ts'
import { type AccountFunctions, startAccountFunctions } from '../../../test/support/account-functions.ts'
import { auditLog } from '../../../functions/platform/audit-log.ts'
import { userHash } from '../../../functions/platform/telemetry/logger.ts'
import { commands, type AdminOptions } from './commands.ts'
import { openAdministration, operator } from './open-administration.ts'

let functions: AccountFunctions
let ann: Awaited<ReturnType<AccountFunctions['newUser']>>
beforeAll(async () => {
  functions = await startAccountFunctions()
  ann = await functions.newUser()
})
afterAll(() => functions.close())

function run(name: string, options: AdminOptions = {}): Promise<string> {
  const command = commands[name] ?? (() => Promise.reject(new Error(`no command ${name}`)))
  return command({ admin: openAdministration(deployment(), functions.table), options })
}
const deployment = () => ({
  origin: 'https://juno.example',
  userPoolId: functions.pool.userPoolId,
  pools: functions.pool.client,
})
/** The actions in the audit log, newest first. */
const listAuditActions = async () =>
  (await run('audit')).split('\n').flatMap((line) => line.split('  ')[2] ?? [])
const annOption = () => ({ email: ann.email.toUpperCase() })

it('DEC-188 a command grants the first administrator the role, in a group that it creates, and revokes it', async () => {
  const before = await listAuditActions()
  for (let time = 0; time < 2; time += 1)
    expect(await run('grant-admin', annOption())).toBe(`${ann.email} is in ${adminGroup}.`)
  expect((await (await ann.signInAgain()).call('account.read')).body).toMatchObject({ is_admin: true })
  expect(await run('groups')).toBe(`${adminGroup}  1  {}`)
  expect(await run('groups', annOption())).toContain(`  ${adminGroup}  `)
  expect(await run('revoke-admin', annOption())).toBe(`${ann.email} is in no group.`)
  expect(await run('users', { query: ann.email.slice(0, 12) })).toBe(
    `${ann.email}  active  password  -  -  ${ann.sub}  ${userHash(ann.sub)}`,
  )
  expect(await listAuditActions()).toEqual([...Array<string>(3).fill('user.groups_changed'), ...before])
})

it('does the same as administrators, and logs it as a command', async () => {
  const before = await listAuditActions()
  await ann.signInAgain().then((again) => again.enrol())
  expect(await run('reset-two-factor', { id: ann.sub })).toContain('without a second factor')
  expect(await functions.factors.find(ann.sub)).toBeUndefined()
  expect(await run('disable', annOption())).toBe(`${ann.email} cannot sign in any more.`)
  expect(JSON.parse(await run('show', annOption()))).toMatchObject({ id: ann.sub, status: 'disabled' })
  expect(await run('enable', annOption())).toBe(`${ann.email} may sign in again.`)
  expect(await run('sign-out', annOption())).toBe(`${ann.email} is signed out everywhere.`)
  expect((await run('audit')).split('\n')[0]).toMatch(
    /^\S+ {2}command {2}user\.signed_out {2}\S+ {2}\{"user":"\S+"\}$/,
  )
  expect(await listAuditActions()).toEqual([
    'user.signed_out',
    'user.enabled',
    'user.disabled',
    'user.two_factor_reset',
    ...before,
  ])
})

it('hides the address of an erased person in the log, and of nobody who has an account', async () => {
  const [gone, sub] = ['gone@example.com', crypto.randomUUID()]
  const log = auditLog(functions.table)
  const event = { action: 'user.disabled', target: 'Gone@example.com' } as const
  await log.append({ ...event, actor: { id: ann.sub, email: ann.email } }, Date.now())
  await log.append({ ...event, target: 'staff', actor: { id: sub, email: gone } }, Date.now())
  expect(await run('hide-address', { email: gone, id: sub })).toBe(`2 entries name ${userHash(sub)} instead.`)
  expect(await run('hide-address', { email: gone, id: sub })).toContain('0 entries')
  const entries = await run('audit')
  expect(entries.toLowerCase()).not.toContain(gone)
  expect(entries).toContain(`${ann.email}  user.disabled  ${userHash(sub)}`)
  await expect(run('hide-address', { email: ann.email, id: ann.sub })).rejects.toThrow('has an account')
  await expect(run('hide-address', { email: gone })).rejects.toThrow('Say whose address')
})

it.each([
  ['disable', {}, 'Say whose account: --email ann@example.org'],
  ['disable', { email: 'nobody@example.com' }, 'Nobody has an account with nobody@example.com.'],
  ['show', { id: 'x" or "' }, '--id x" or " is not the id of a user.'],
  ['groups', { set: 'staff' }, 'Say whose groups: --email ann@example.org'],
])('%s %j says what is wrong', async (name, options, message) => {
  await expect(run(name, options)).rejects.toThrow(message)
})

it('says which limits a change of groups takes away and adds', async () => {
  const admin = openAdministration(deployment(), functions.table)
  const groups = {
    trial: { tokens_per_day: 3_000, tools: 'none' },
    staff: { tokens_per_day: 9_000 },
    club: {},
  } as const
  for (const [name, limits] of Object.entries(groups))
    await admin.createGroup(operator, { name, description: '', limits })
  expect(await run('groups', { ...annOption(), set: 'trial' })).toBe(
    `${ann.email} is in trial.\nAdds these limits: {"tools":"none","tokens_per_day":3000}`,
  )
  expect(await run('groups', { ...annOption(), set: 'trial,club' })).toBe(`${ann.email} is in club, trial.`)
  expect(await run('groups', { ...annOption(), set: 'staff' })).toBe(
    [
      `${ann.email} is in staff.`,
      'Takes away these limits: {"tools":"none","tokens_per_day":3000}',
      'Adds these limits: {"tokens_per_day":9000}',
    ].join('\n'),
  )
})

it('refuses a group that does not exist', async () => {
  await expect(run('groups', { ...annOption(), set: 'nowhere' })).rejects.toMatchObject({
    code: 'group_not_found',
  })
})
