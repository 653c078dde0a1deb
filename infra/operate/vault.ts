import { DeleteSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import * as z from 'zod'
import { secretsManagerBackend } from '../../functions/integrations/vault/secrets-manager.ts'
import { tableBackend } from '../../functions/integrations/vault/table.ts'
import { sealer } from '../../functions/platform/secrets/seal.ts'
import { secretStore } from '../../functions/platform/secrets/secret-store.ts'
import { openTable } from '../../functions/platform/dynamodb/table.ts'
import { OperatorError } from '../aws/operator-error.ts'
import { contextOption, printLine, runCommand, wrongUsage } from './command.ts'
import { openStage, readLocalEndpoints } from './stage.ts'
import { countVault, moveVault, type VaultWork } from './vault/move.ts'
import { findOrphans, listSecretsBefore, removeOrphans, resealAll } from './vault/tidy.ts'

/** `npm run vault`: every command can be interrupted and repeated. */
const options = {
  to: { type: 'string' },
  sweep: { type: 'boolean', default: false },
  reseal: { type: 'boolean', default: false },
  clear: { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
  local: { type: 'boolean', default: false },
  ...contextOption,
} as const

/** The settings of a stage that this command needs. */
const vaultStage = z.object({
  table: z.string(),
  sealingKey: z.string(),
  vaultPrefix: z.string(),
  /** the backend of new values */
  vault: z.enum(['secrets', 'table']),
})
type VaultStage = z.output<typeof vaultStage>

/** The exit code is 0 when nothing is left to do. */
await runCommand('vault', { options }, async ({ values }) => {
  if ([values.to !== undefined, values.sweep, values.reseal, values.clear].filter(Boolean).length !== 1)
    throw wrongUsage('vault')
  if (values.clear)
    return clear(new SecretsManagerClient({}), openStage(values.context).config.prefix, values.yes)
  const { 'dry-run': dryRun } = values
  const stage = values.local ? await switchToLocalStage() : await fetchVaultStage(values.context)
  const table = openTable(stage.table)
  const client = new SecretsManagerClient({})
  const keySealer = sealer(secretStore(client), stage.sealingKey)
  const backends = { secrets: secretsManagerBackend(client), table: tableBackend(table, keySealer) }
  const work: VaultWork = { table, backends, report: printLine }
  if (values.to !== undefined) return move(work, stage, values.to, dryRun)
  if (values.sweep) return sweep(work, { client, prefix: stage.vaultPrefix, dryRun })
  if (dryRun) throw new OperatorError('--reseal has no --dry-run.')
  const { resealed, left } = await resealAll(work, keySealer)
  return reportLeft(`${resealed} sealed again`, left)
})

function reportLeft(done: string, left: number): number {
  printLine(`${done}, ${left} left${left > 0 ? ': run it again' : ''}.`)
  return left > 0 ? 1 : 0
}

async function move(work: VaultWork, stage: VaultStage, value: string, dryRun: boolean): Promise<number> {
  const to = z.enum(['secrets', 'table']).safeParse(value).data
  if (!to) throw new OperatorError(`--to ${value} must be table or secrets.`)
  if (dryRun) {
    const { secrets, table, both, nowhere, unreadable } = await countVault(work)
    printLine(
      `In secrets: ${secrets}. In the table: ${table}. In both: ${both}. Lost: ${nowhere}. Not readable: ${unreadable}.`,
    )
    return 0
  }
  if (stage.vault !== to)
    throw new OperatorError(
      `The stage still stores new credentials in ${stage.vault}. First deploy it with -c vault=${to}: nothing is lost meanwhile.`,
    )
  const { moved, left } = await moveVault(work, to)
  return reportLeft(`${moved} moved to ${to}`, left)
}

async function sweep(
  work: VaultWork,
  { client, prefix, dryRun }: { client: SecretsManagerClient; prefix: string; dryRun: boolean },
): Promise<number> {
  const orphans = await findOrphans(work, { client, prefix, now: new Date() })
  if (dryRun) {
    printLine(`${orphans.length} without a row that refers to them.`)
    return 0
  }
  const { done, failed } = await removeOrphans(work, orphans)
  return reportLeft(`${done} removed`, failed)
}

/** The stacks may be gone already, so the names come from the configuration. */
async function clear(client: SecretsManagerClient, prefix: string, isConfirmed: boolean): Promise<number> {
  const names = await listSecretsBefore(client, `${prefix}/vault/`, new Date())
  if (!isConfirmed) {
    printLine(`${names.length} credentials of ${prefix} would be deleted for good. Add --yes to delete them.`)
    return 0
  }
  for (const SecretId of names)
    await client.send(new DeleteSecretCommand({ SecretId, ForceDeleteWithoutRecovery: true }))
  printLine(`${names.length} deleted.`)
  return 0
}

async function fetchVaultStage(context: readonly string[]): Promise<VaultStage> {
  const { findOutput } = openStage(context)
  return vaultStage.parse({
    table: await findOutput('data', 'TableName'),
    sealingKey: await findOutput('data', 'SealingKeySecret'),
    vaultPrefix: await findOutput('api', 'VaultPrefix'),
    vault: await findOutput('api', 'Vault'),
  })
}

/** Switches this process to the emulators of the local product. */
async function switchToLocalStage(): Promise<VaultStage> {
  const endpoints = await readLocalEndpoints()
  const { dynamodb, secrets, cognito, credentials } = endpoints
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_SESSION_TOKEN: credentials.sessionToken,
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb,
    AWS_ENDPOINT_URL_SECRETS_MANAGER: secrets,
    AWS_ENDPOINT_URL_COGNITO_IDENTITY_PROVIDER: cognito,
  })
  // a profile would take precedence over these keys
  delete process.env['AWS_PROFILE']
  return vaultStage.parse(endpoints)
}
