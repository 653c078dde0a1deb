import { CognitoIdentityProviderClient, paginateListUsers } from '@aws-sdk/client-cognito-identity-provider'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { OperatorError } from '../aws/operator-error.ts'
import { reportUsageError } from './cli-error.ts'
import { copyRows } from './restored-rows.ts'
import { readArguments } from './arguments.ts'

/**
 * `npm run restore -- --from <restored table> --to <table> --pool <user pool> --email <address>`: copies rows back from a table that was
 * restored to an earlier moment. docs/operations.md, Restore, says when and how. Only users who still have an account get their rows:
 * erased data stays erased.
 */
const options = {
  from: { type: 'string' },
  to: { type: 'string' },
  pool: { type: 'string' },
  email: { type: 'string', multiple: true },
  everybody: { type: 'boolean' },
  overwrite: { type: 'boolean' },
} as const

try {
  const { values } = readArguments('restore', { options })
  const { from, to, pool, email = [], everybody = false, overwrite = false } = values
  if (!from || !to || !pool || from === to)
    throw new OperatorError('Say --from the restored table, --to the table in use, and its --pool of users.')
  if (everybody === email.length > 0)
    throw new OperatorError('Say whose rows: --email for each person, or --everybody.')
  const subs = await fetchSubs(pool, everybody ? undefined : email)
  const { written, present } = await copyRows(new DynamoDBClient({}), {
    from,
    to,
    subs,
    overwrite,
    nowMs: Date.now(),
  })
  process.stdout.write(
    `People: ${subs.size}. Rows written: ${written}. Rows that were there and stayed as they are: ${present}.\n`,
  )
} catch (error) {
  reportUsageError(error)
}

/** @param emails undefined for everybody @throws OperatorError for an address without an account */
async function fetchSubs(UserPoolId: string, emails: readonly string[] | undefined): Promise<Set<string>> {
  const client = new CognitoIdentityProviderClient({})
  const emailsToRestore = emails?.map((email) => email.toLowerCase())
  const found = new Map<string, string>()
  for await (const { Users = [] } of paginateListUsers({ client }, { UserPoolId }))
    for (const { Attributes = [] } of Users) {
      const value = (name: string) => Attributes.find(({ Name }) => Name === name)?.Value ?? ''
      const email = value('email').toLowerCase()
      if (!emailsToRestore || emailsToRestore.includes(email)) found.set(value('sub'), email)
    }
  const missing = emailsToRestore?.find((email) => ![...found.values()].includes(email))
  if (missing !== undefined) throw new OperatorError(`Nobody in ${UserPoolId} has the address ${missing}.`)
  return new Set(found.keys())
}
