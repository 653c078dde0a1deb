import { CloudFormationClient } from '@aws-sdk/client-cloudformation'
import { DeleteSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import * as z from 'zod'
import { secretsManagerBackend } from '../../functions/integrations/vault/secrets-manager.ts'
import { tableBackend } from '../../functions/integrations/vault/table.ts'
import { sealer } from '../../functions/platform/secrets/seal.ts'
import { secretStore } from '../../functions/platform/secrets/secret-store.ts'
import { openTable } from '../../functions/platform/dynamodb/table.ts'
import { readConfig } from '../aws/config.ts'
import { OperatorError } from '../aws/operator-error.ts'
import { reportOperatorError } from './cli-error.ts'
import { localDataDir, localEnvironment, readLocalEndpoints } from './local-endpoints.ts'
import { contextNode, loadContext } from './cdk-context.ts'
import { countVault, moveVault, type VaultWork } from './vault/move.ts'
import { fetchVaultStage, type VaultStage, vaultStage } from './vault/stage.ts'
import { findOrphans, listSecretsBefore, removeOrphans, resealAll } from './vault/tidy.ts'
import { printLine } from './print-line.ts'
import { readArguments, formatSynopsis } from './arguments.ts'

/**
 * `npm run vault -- --to table -c stage=live`: moves users' credentials to the backend that the stage is configured for. `--sweep` deletes
 * orphaned values, `--reseal` seals again after the sealing key was replaced, `--dry-run` only counts. `--clear` deletes the credentials of
 * a stage that was destroyed. `--local` works on the running local product. Every command can be interrupted and repeated.
 */

const options = {
  to: { type: 'string' },
  sweep: { type: 'boolean', default: false },
  reseal: { type: 'boolean', default: false },
  clear: { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
  'dry-run': { type: 'boolean', default: false },
  local: { type: 'boolean', default: false },
  context: { type: 'string', short: 'c', multiple: true },
} as const

try {
  process.exitCode = await main()
} catch (error) {
  reportOperatorError(error)
}

/** @returns 0 when nothing is left to do */
async function main(): Promise<number> {
  const { values } = readArguments('vault', { options })
  if ([values.to !== undefined, values.sweep, values.reseal, values.clear].filter(Boolean).length !== 1)
    throw new OperatorError(formatSynopsis('vault'))
  if (values.clear) return clear(new SecretsManagerClient({}), values.context ?? [], values.yes)
  const { 'dry-run': dryRun } = values
  const stage = values.local ? await switchToLocalStage() : await loadDeployedStage(values.context ?? [])
  const table = openTable(stage.table)
  const client = new SecretsManagerClient({})
  const keySealer = sealer(secretStore(client), stage.sealingKey)
  const backends = { secrets: secretsManagerBackend(client), table: tableBackend(table, keySealer) }
  const work: VaultWork = { table, backends, report: printLine }
  if (values.to !== undefined) return move(work, stage, values.to, dryRun)
  if (values.sweep) return sweep(work, { client, prefix: stage.vaultPrefix, dryRun })
  if (dryRun) throw new OperatorError('--reseal has no --dry-run.')
  const { resealed, left } = await resealAll(work, keySealer)
  printLine(`${resealed} sealed again, ${left} left${left > 0 ? ': run it again' : ''}.`)
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
  printLine(`${moved} moved to ${to}, ${left} left${left > 0 ? ': run it again' : ''}.`)
  return left > 0 ? 1 : 0
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
  printLine(`${done} removed, ${failed} left${failed > 0 ? ': run it again' : ''}.`)
  return failed > 0 ? 1 : 0
}

/** The stacks may be gone already, so the names come from the configuration. */
async function clear(
  client: SecretsManagerClient,
  context: readonly string[],
  isConfirmed: boolean,
): Promise<number> {
  const { prefix } = readConfig(contextNode(loadContext(context)))
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

function loadDeployedStage(context: readonly string[]): Promise<VaultStage> {
  return fetchVaultStage(new CloudFormationClient({}), readConfig(contextNode(loadContext(context))).prefix)
}

/** Switches this process to the emulators of the local product. */
async function switchToLocalStage(): Promise<VaultStage> {
  const endpoints = await readLocalEndpoints(localDataDir())
  Object.assign(process.env, localEnvironment(endpoints))
  // a profile would take precedence over these keys
  delete process.env['AWS_PROFILE']
  return vaultStage.parse(endpoints)
}
