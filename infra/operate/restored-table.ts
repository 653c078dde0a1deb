import {
  DeleteTableCommand,
  type DynamoDBClient,
  ListBackupsCommand,
  RestoreTableFromBackupCommand,
  RestoreTableToPointInTimeCommand,
  TableAlreadyExistsException,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb'
import { OperatorError } from '../aws/operator-error.ts'

/** A restoration takes minutes to hours, with the size of the table. */
const maxWaitTime = 12 * 3_600

const waitUntilActive = (client: DynamoDBClient, TableName: string) =>
  waitUntilTableExists({ client, maxWaitTime }, { TableName })

/**
 * Restores a table to an earlier moment under another name, which costs by the size of the table; one of that name from an interrupted
 * run is taken as it is.
 */
export async function restoreMoment(
  client: DynamoDBClient,
  { from, to, at }: { from: string; to: string; at: Date },
): Promise<void> {
  try {
    await client.send(
      new RestoreTableToPointInTimeCommand({
        SourceTableName: from,
        TargetTableName: to,
        RestoreDateTime: at,
      }),
    )
  } catch (error) {
    if (!(error instanceof TableAlreadyExistsException)) throw error
  }
  await waitUntilActive(client, to)
}

export async function removeTable(client: DynamoDBClient, TableName: string): Promise<void> {
  await client.send(new DeleteTableCommand({ TableName }))
}

/**
 * Restores a deleted table from AWS's last backup of it, under the same name, which is all that the stacks know of it, and with the
 * settings that a backup does not have.
 * @throws OperatorError if there is no backup
 */
export async function restoreDeletedTable(
  client: DynamoDBClient,
  TableName: string,
  { recoveryDays, isProtected }: { recoveryDays: number; isProtected: boolean },
): Promise<void> {
  const { BackupSummaries = [] } = await client.send(
    new ListBackupsCommand({ TableName, BackupType: 'SYSTEM' }),
  )
  const [last] = BackupSummaries.toSorted(
    (a, b) => (b.BackupCreationDateTime?.getTime() ?? 0) - (a.BackupCreationDateTime?.getTime() ?? 0),
  )
  if (!last) throw new OperatorError(`AWS has no backup of ${TableName}: it keeps one for 35 days.`)
  await client.send(
    new RestoreTableFromBackupCommand({ TargetTableName: TableName, BackupArn: last.BackupArn }),
  )
  await waitUntilActive(client, TableName)
  await client.send(
    new UpdateTimeToLiveCommand({
      TableName,
      TimeToLiveSpecification: { Enabled: true, AttributeName: 'ttl' },
    }),
  )
  await client.send(
    new UpdateContinuousBackupsCommand({
      TableName,
      PointInTimeRecoverySpecification: {
        PointInTimeRecoveryEnabled: true,
        RecoveryPeriodInDays: recoveryDays,
      },
    }),
  )
  await client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: isProtected }))
}
