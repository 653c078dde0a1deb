import { ListUsersCommand, type UserType } from '@aws-sdk/client-cognito-identity-provider'
import { parseArgs } from 'node:util'
import * as z from 'zod'
import type { Table } from '../../functions/platform/dynamodb/table.ts'
import { spendInvitation } from '../../functions/sign-in/invitations.ts'
import { SetupError } from '../aws/setup-error.ts'
import { foldEmail } from '#shared/fold-email.ts'
import { contextOf } from './cdk-context.ts'
import { listInvitations, saveInvitation } from './invite/invitation-rows.ts'
import { findTable } from './invite/invitation-table.ts'
import { tellMistake } from './operator-mistake.ts'
import { pageConfig } from './sign-in.ts'
import { findPlace, type SmokePlace } from './smoke/smoke-place.ts'

/**
 * `npm run invite -- --email ann@example.org -c stage=live`: lets a person make an account where sign-up is closed or limited to
 * domains, and prints the link to pass on (ADR 0026). `--list` tells who is invited, `--revoke` takes an invitation back.
 */
const usage =
  'npm run invite -- --email ann@example.org [--days 7] [--revoke] | --list   [-c key=value …] [--local]'

const options = {
  email: { type: 'string' },
  days: { type: 'string' },
  list: { type: 'boolean', default: false },
  revoke: { type: 'boolean', default: false },
  context: { type: 'string', short: 'c', multiple: true },
  url: { type: 'string' },
  local: { type: 'boolean' },
} as const

const defaultDays = 7
const mostDays = 90

try {
  await main()
} catch (error) {
  tellMistake(error)
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options })
  const { email: typed, days, list, revoke } = values
  if (list === (typed !== undefined) || (days !== undefined && (list || revoke)) || (list && revoke))
    throw new SetupError(usage)
  const email = typed === undefined ? undefined : readEmail(typed)
  const ttl = Math.floor(Date.now() / 1000) + readDays(days) * 86_400
  const context = contextOf(values.context ?? [])
  const place = await findPlace(context, values)
  const table = await findTable(context, values)
  if (email === undefined) await tellInvitations(table, place)
  else if (revoke) await takeBack(table, place, email)
  else await invite(table, place, { email, ttl })
}

async function invite(
  table: Table,
  place: SmokePlace,
  { email, ttl }: { email: string; ttl: number },
): Promise<void> {
  const { origin } = place
  const signUp = await readSignUp(place)
  if ((await accountsWith(place, email)).some(isConfirmed))
    throw new SetupError(`${email} has an account at ${origin} already, and signs in with it.`)
  await saveInvitation(table, { email, ttl })
  const link = `${origin}/auth?${new URLSearchParams({ invite: '1', email }).toString()}`
  say(`${email} may sign up at ${origin} until ${dateText(ttl)}. Pass this link on:\n${link}`)
  say('The account has to be confirmed from that mailbox, so the link is of no use to anybody else.')
  if (signUp === 'open') say('Sign-up is open there as it is: nobody needs an invitation.')
}

async function tellInvitations(table: Table, place: SmokePlace): Promise<void> {
  const invitations = await listInvitations(table)
  if (invitations.length === 0) say('Nobody is invited.')
  for (const { email, ttl } of invitations) {
    const hasSignedUp = (await accountsWith(place, email)).length > 0
    say(`${email}  until ${dateText(ttl)}${hasSignedUp ? '  not confirmed' : ''}`)
  }
}

async function takeBack(table: Table, place: SmokePlace, email: string): Promise<void> {
  if (!(await spendInvitation(table, email)))
    throw new SetupError(
      `There is no invitation for ${email}. npm run invite -- --list tells who is invited.`,
    )
  say(`${email} is invited no more.`)
  if ((await accountsWith(place, email)).length > 0)
    say(`Somebody has signed up with it: npm run erase -- --email ${email} removes the account.`)
}

function readEmail(typed: string): string {
  const email = z.email().max(128).safeParse(typed.trim())
  if (!email.success) throw new SetupError(`--email ${typed} is not an address such as ann@example.org`)
  return email.data
}

function readDays(typed: string | undefined): number {
  const days = z.coerce
    .number()
    .int()
    .min(1)
    .max(mostDays)
    .safeParse(typed ?? defaultDays)
  if (!days.success) throw new SetupError(`--days ${typed} must be a whole number from 1 to ${mostDays}.`)
  return days.data
}

/** @throws SetupError when what answers at the origin is not of this version and pool */
async function readSignUp({ origin, userPoolId }: SmokePlace): Promise<string> {
  const config = pageConfig
    .extend({ signUp: z.string() })
    .safeParse(await (await fetch(`${origin}/config.json`)).json())
  if (!config.success)
    throw new SetupError(`The site at ${origin} is older than this command: deploy it first.`, {
      cause: config.error,
    })
  if (config.data.userPoolId !== userPoolId)
    throw new SetupError(
      `${origin} signs in at another user pool than ${userPoolId}: deploy the web stack again.`,
    )
  return config.data.signUp
}

async function accountsWith({ pools, userPoolId }: SmokePlace, email: string): Promise<UserType[]> {
  const { Users = [] } = await pools.send(
    new ListUsersCommand({ UserPoolId: userPoolId, Filter: `email = "${foldEmail(email)}"` }),
  )
  return Users
}

function isConfirmed({ UserStatus }: UserType): boolean {
  return UserStatus !== 'UNCONFIRMED'
}

function dateText(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
