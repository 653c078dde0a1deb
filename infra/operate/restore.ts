import { CognitoIdentityProviderClient } from '@aws-sdk/client-cognito-identity-provider'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { S3Client } from '@aws-sdk/client-s3'
import { userDirectory } from '../../functions/admin/user-directory.ts'
import { OperatorError } from '../aws/operator-error.ts'
import { openBackupStore } from './backup/backup-store.ts'
import { restoreBackup } from './backup/restore-backup.ts'
import { describeResult } from './backup/texts.ts'
import { printLine, runCommand, targetOptions, wrongUsage } from './command.ts'
import { uploadUploads } from './restore/copied-uploads.ts'
import { copyRows } from './restore/restored-rows.ts'
import { removeTable, restoreDeletedTable, restoreMoment } from './restore/restored-table.ts'
import { findStores, openStage, type Target } from './stage.ts'

/**
 * `npm run restore`: with `--from <table>` the table was restored already, and stays. Only users who still have an account get their
 * rows: erased data stays erased. docs/operations.md, Restore, says when.
 */
const options = {
  ...targetOptions,
  users: { type: 'string' },
  merge: { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
  at: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  pool: { type: 'string' },
  email: { type: 'string', multiple: true },
  everybody: { type: 'boolean' },
  overwrite: { type: 'boolean' },
  'deleted-table': { type: 'boolean' },
  uploads: { type: 'string' },
} as const

await runCommand('restore', { options }, async ({ values }) => {
  const { at, from, email = [], everybody = false, overwrite = false, uploads } = values
  const wanted = [at, from, uploads, values.users, values['deleted-table'] || undefined]
  if (wanted.filter((one) => one !== undefined).length !== 1) throw wrongUsage('restore')
  if (values.users !== undefined) return restoreUsers(values.users, values)
  const { config, findOutput } = openStage(values.context)
  if (uploads !== undefined) {
    const bucket = await findOutput('data', 'UploadsBucketName')
    return printLine(`${await uploadUploads(new S3Client({}), bucket, uploads)} files are back.`)
  }
  const client = new DynamoDBClient({})
  const table = values.to ?? (await findOutput('data', 'TableName'))
  if (values['deleted-table']) {
    printLine(`Restoring ${table}, which may take hours.`)
    const { recoveryDays, keepData } = config
    await restoreDeletedTable(client, table, { recoveryDays, isProtected: keepData })
    return printLine(`${table} is there again.`)
  }
  if (from === table) throw new OperatorError('--from is the restored table, and not the one in use.')
  if (everybody === email.length > 0)
    throw new OperatorError('Say whose rows: --email for each person, or --everybody.')
  const pool = values.pool ?? (await findOutput('auth', 'UserPoolId'))
  const subs = await fetchSubs(pool, everybody ? undefined : email)
  const restored = from ?? `${config.prefix}-restored`
  if (at !== undefined) {
    const moment = new Date(at)
    if (Number.isNaN(moment.getTime()))
      throw new OperatorError(`--at ${at} is not a time such as 2026-11-20T09:00:00Z.`)
    printLine(`Restoring the table of ${moment.toISOString()} as ${restored}, which may take hours.`)
    await restoreMoment(client, { from: table, to: restored, at: moment })
  }
  const { written, present } = await copyRows(client, {
    from: restored,
    to: table,
    subs,
    overwrite,
    nowMs: Date.now(),
  })
  if (at !== undefined) await removeTable(client, restored)
  printLine(
    `People: ${subs.size}. Rows written: ${written}. Rows that were there and stayed as they are: ${present}.`,
  )
})

/** Restores a whole backup into a deployment with another user pool. @returns the exit code: 1 if somebody has taken an address */
async function restoreUsers(
  place: string,
  { merge, 'dry-run': dryRun, ...target }: Target & { merge: boolean; 'dry-run': boolean },
): Promise<number> {
  const result = await restoreBackup(await findStores(target), openBackupStore(place), {
    dryRun,
    merge,
    now: () => new Date(),
    report: dryRun ? () => undefined : printLine,
  })
  printLine(describeResult(result, dryRun))
  return result.accounts.taken > 0 ? 1 : 0
}

/** @param emails undefined for everybody @throws OperatorError for an address without an account */
async function fetchSubs(UserPoolId: string, emails: readonly string[] | undefined): Promise<Set<string>> {
  const users = userDirectory(UserPoolId, new CognitoIdentityProviderClient({}))
  const emailsToRestore = emails?.map((email) => email.toLowerCase())
  const found = new Map<string, string>()
  for await (const page of users.listAll())
    for (const { id, email } of page)
      if (!emailsToRestore || emailsToRestore.includes(email.toLowerCase()))
        found.set(id, email.toLowerCase())
  const missing = emailsToRestore?.find((email) => ![...found.values()].includes(email))
  if (missing !== undefined) throw new OperatorError(`Nobody in ${UserPoolId} has the address ${missing}.`)
  return new Set(found.keys())
}
