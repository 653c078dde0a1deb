import * as z from 'zod'
import { adminGroup } from '#shared/user-pool.ts'
import { invitationId } from '../../functions/sign-in/invitations.ts'
import { OperatorError } from '../aws/operator-error.ts'
import { createAdminGroup, grantAdmin } from './admin/commands.ts'
import { openAdministration, operator, type OperatorAdministration } from './admin/open-administration.ts'
import { parseGroupNames } from '#shared/group-names.ts'
import { parseCount, printLine, runCommand, targetOptions, wrongUsage } from './command.ts'
import { fetchPageConfig, findDeployment, findTable } from './stage.ts'

/** Invitations: ADR 0026. */
const options = {
  email: { type: 'string' },
  days: { type: 'string' },
  groups: { type: 'string' },
  admin: { type: 'string' },
  list: { type: 'boolean', default: false },
  revoke: { type: 'boolean', default: false },
  ...targetOptions,
} as const

const maxDays = 90

await runCommand('invite', { options }, async ({ values }) => {
  const { days, groups, list, revoke } = values
  const value = values.email ?? values.admin
  const hasDetails = days !== undefined || groups !== undefined || values.admin !== undefined
  if (
    (values.email !== undefined && values.admin !== undefined) ||
    list === (value !== undefined) ||
    (hasDetails && (list || revoke)) ||
    (list && revoke)
  )
    throw wrongUsage('invite')
  const email = value === undefined ? undefined : parseEmail(value)
  const groupNames = parseGroupNames(groups)
  const invitationInput = {
    days: parseCount('days', days ?? '7', maxDays),
    groups: values.admin === undefined ? groupNames : [...groupNames, adminGroup],
  }
  const admin = openAdministration(await findDeployment(values), await findTable(values))
  if (email === undefined) await printInvitations(admin)
  else if (values.admin !== undefined) await inviteAdministrator(admin, { email, ...invitationInput })
  else if (revoke) await revokeInvitation(admin, email)
  else await invite(admin, { email, ...invitationInput })
})

interface InvitationInput {
  readonly email: string
  readonly days: number
  readonly groups: string[]
}

async function invite(admin: OperatorAdministration, invitation: InvitationInput): Promise<void> {
  const { origin } = admin.deployment
  const { email } = invitation
  const { signUp } = await fetchPageConfig(admin.deployment)
  if (signUp === undefined)
    throw new OperatorError(`The site at ${origin} is older than this command: deploy it first.`)
  if (await hasConfirmed(admin, email))
    throw new OperatorError(`${email} has an account at ${origin} already, and signs in with it.`)
  const { link, expires_at } = await admin.invite(operator, invitation)
  const ends = formatTime(expires_at)
  printLine(`${email} may sign up at ${origin} until ${ends}. Pass this link on:\n${link}`)
  printLine('The account has to be confirmed from that mailbox, so the link is useless to anybody else.')
  if (signUp === 'open') printLine('Sign-up is open there: nobody needs an invitation.')
}

/** Makes an account an administrator: with an invitation, or at once if it exists. */
async function inviteAdministrator(
  admin: OperatorAdministration,
  invitation: InvitationInput,
): Promise<void> {
  const { email } = invitation
  if (!(await hasConfirmed(admin, email))) {
    await createAdminGroup(admin.deployment)
    return invite(admin, invitation)
  }
  printLine(await grantAdmin({ admin, options: { email } }))
  printLine(
    `The account exists already: its next sign-in at ${admin.deployment.origin} is an administrator's.`,
  )
}

async function printInvitations({ invitations, users }: OperatorAdministration): Promise<void> {
  const all = await invitations.list()
  if (all.length === 0) printLine('Nobody is invited.')
  for (const { email, expires_at } of all) {
    const hasSignedUp = (await users.findByEmail(email)).length > 0
    printLine(`${email}  until ${formatTime(expires_at)}${hasSignedUp ? '  not confirmed' : ''}`)
  }
}

async function revokeInvitation(admin: OperatorAdministration, email: string): Promise<void> {
  const id = invitationId(email)
  if (!(await admin.invitationRows.find(id, Date.now())))
    throw new OperatorError(
      `There is no invitation for ${email}. npm run invite -- --list shows who is invited.`,
    )
  await admin.revokeInvitation(operator, id)
  printLine(`${email} is invited no more.`)
  if ((await admin.users.findByEmail(email)).length > 0)
    printLine(`Somebody has signed up with it: npm run erase -- --email ${email} removes the account.`)
}

function parseEmail(value: string): string {
  const email = z.email().max(128).safeParse(value.trim())
  if (!email.success) throw new OperatorError(`--email ${value} is not an address such as ann@example.org`)
  return email.data
}

async function hasConfirmed({ users }: OperatorAdministration, email: string): Promise<boolean> {
  return (await users.findByEmail(email)).some(({ status }) => status !== 'unconfirmed')
}

/** @param time ISO 8601 */
function formatTime(time: string): string {
  return `${time.slice(0, 16).replace('T', ' ')} UTC`
}
