import { ListUsersCommand, type UserType } from '@aws-sdk/client-cognito-identity-provider'
import * as z from 'zod'
import { buildEmailFilter } from '../../functions/platform/auth/pool-accounts.ts'
import { adminGroup } from '#shared/user-pool.ts'
import type { Table } from '../../functions/platform/dynamodb/table.ts'
import { invitationRepository, isInvited, redeemInvitation } from '../../functions/sign-in/invitations.ts'
import { OperatorError } from '../aws/operator-error.ts'
import { createAdminGroup, grantAdmin } from './admin/commands.ts'
import { openAdministration, operator } from './admin/open-administration.ts'
import { printLine, runCommand, targetOptions, wrongUsage } from './command.ts'
import { type Deployment, fetchPageConfig, findDeployment, findTable } from './stage.ts'

/**
 * `npm run invite -- --email ann@example.org -c stage=live`: lets a user create an account where sign-up is closed or limited to
 * domains, and prints the link to pass on (ADR 0026). `--admin ann@example.org` makes that account an administrator, also one that
 * exists. `--list` lists invitations, `--revoke` revokes one.
 */

const options = {
  email: { type: 'string' },
  days: { type: 'string' },
  groups: { type: 'string' },
  admin: { type: 'string' },
  list: { type: 'boolean', default: false },
  revoke: { type: 'boolean', default: false },
  ...targetOptions,
} as const

const defaultDays = 7
const maxDays = 90

await runCommand('invite', { options }, async ({ values }) => {
  const { days, groups, list, revoke, admin } = values
  const value = values.email ?? admin
  const hasDetails = days !== undefined || groups !== undefined || admin !== undefined
  if (
    (values.email !== undefined && admin !== undefined) ||
    list === (value !== undefined) ||
    (hasDetails && (list || revoke)) ||
    (list && revoke)
  )
    throw wrongUsage('invite')
  const email = value === undefined ? undefined : parseEmail(value)
  const groupNames = groups?.split(',').filter(Boolean) ?? []
  const invitationInput = {
    days: parseDays(days),
    groups: admin === undefined ? groupNames : [...groupNames, adminGroup],
  }
  const deployment = await findDeployment(values)
  const table = await findTable(values)
  if (email === undefined) await printInvitations(table, deployment)
  else if (admin !== undefined) await inviteAdministrator(table, deployment, { email, ...invitationInput })
  else if (revoke) await revokeInvitation(table, deployment, email)
  else await invite(table, deployment, { email, ...invitationInput })
})

async function invite(
  table: Table,
  deployment: Deployment,
  invitation: { email: string; days: number; groups: string[] },
): Promise<void> {
  const { origin } = deployment
  const { email } = invitation
  const { signUp } = await fetchPageConfig(deployment)
  if (signUp === undefined)
    throw new OperatorError(`The site at ${origin} is older than this command: deploy it first.`)
  if ((await fetchAccounts(deployment, email)).some(isConfirmed))
    throw new OperatorError(`${email} has an account at ${origin} already, and signs in with it.`)
  const { link, expires_at } = await openAdministration(deployment, table).invite(operator, invitation)
  const ends = formatDate(Date.parse(expires_at) / 1000)
  printLine(`${email} may sign up at ${origin} until ${ends}. Pass this link on:\n${link}`)
  printLine('The account has to be confirmed from that mailbox, so the link is useless to anybody else.')
  if (signUp === 'open') printLine('Sign-up is open there: nobody needs an invitation.')
}

/** Makes an account an administrator: with an invitation, or at once if it exists. */
async function inviteAdministrator(
  table: Table,
  deployment: Deployment,
  invitation: { email: string; days: number; groups: string[] },
): Promise<void> {
  const { email } = invitation
  if (!(await fetchAccounts(deployment, email)).some(isConfirmed)) {
    await createAdminGroup(deployment)
    return invite(table, deployment, invitation)
  }
  printLine(
    await grantAdmin({ admin: openAdministration(deployment, table), deployment, options: { email } }),
  )
  printLine(`The account exists already: its next sign-in at ${deployment.origin} is an administrator's.`)
}

async function printInvitations(table: Table, deployment: Deployment): Promise<void> {
  const invitations = await invitationRepository(table).list(Date.now())
  if (invitations.length === 0) printLine('Nobody is invited.')
  for (const { email, ttl } of invitations) {
    const hasSignedUp = (await fetchAccounts(deployment, email)).length > 0
    printLine(`${email}  until ${formatDate(ttl)}${hasSignedUp ? '  not confirmed' : ''}`)
  }
}

async function revokeInvitation(table: Table, deployment: Deployment, email: string): Promise<void> {
  if (!(await isInvited(table, email, Date.now())))
    throw new OperatorError(
      `There is no invitation for ${email}. npm run invite -- --list shows who is invited.`,
    )
  const event = { actor: operator, action: 'invitation.revoked' as const, target: email }
  await openAdministration(deployment, table).log.record(event, () => redeemInvitation(table, email))
  printLine(`${email} is invited no more.`)
  if ((await fetchAccounts(deployment, email)).length > 0)
    printLine(`Somebody has signed up with it: npm run erase -- --email ${email} removes the account.`)
}

function parseEmail(value: string): string {
  const email = z.email().max(128).safeParse(value.trim())
  if (!email.success) throw new OperatorError(`--email ${value} is not an address such as ann@example.org`)
  return email.data
}

function parseDays(value: string | undefined): number {
  const days = z.coerce
    .number()
    .int()
    .min(1)
    .max(maxDays)
    .safeParse(value ?? defaultDays)
  if (!days.success) throw new OperatorError(`--days ${value} must be a whole number from 1 to ${maxDays}.`)
  return days.data
}

async function fetchAccounts({ pools, userPoolId }: Deployment, email: string): Promise<UserType[]> {
  const { Users = [] } = await pools.send(
    new ListUsersCommand({ UserPoolId: userPoolId, Filter: buildEmailFilter(email) }),
  )
  return Users
}

function isConfirmed({ UserStatus }: UserType): boolean {
  return UserStatus !== 'UNCONFIRMED'
}

function formatDate(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
