import {
  ContinuousBackupsUnavailableException,
  DeleteTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  ListBackupsCommand,
  type RestoreSummary,
  RestoreTableFromBackupCommand,
  RestoreTableToPointInTimeCommand,
  TableAlreadyExistsException,
  TableInUseException,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb'
import { wait } from '../../../functions/platform/clock.ts'
import { OperatorError } from '../../aws/operator-error.ts'

/** A restoration takes minutes to hours, with the size of the table. */
const maxWaitTime = 12 * 3_600

/** AWS prepares a new table's backups in the background, which others have seen to take ten minutes. */
const maxBackupTries = 120
const backupPauseMs = 15_000

/**
 * Restores a table, or accepts the one that an interrupted run began to restore.
 * @throws OperatorError if there is another one, or it is being deleted
 */
async function startOrResume(
  client: DynamoDBClient,
  TableName: string,
  start: () => Promise<unknown>,
  isSame: (summary: RestoreSummary) => boolean,
): Promise<void> {
  try {
    await start()
  } catch (error) {
    // the second one while AWS still restores it
    if (!(error instanceof TableAlreadyExistsException || error instanceof TableInUseException)) throw error
    const { Table } = await client.send(new DescribeTableCommand({ TableName }))
    const { TableStatus, RestoreSummary: summary } = Table ?? {}
    if (TableStatus === 'DELETING' || !summary || !isSame(summary))
      throw new OperatorError(
        `${TableName} exists already (${TableStatus}), and is not what this command restores. Nothing was changed.`,
        { cause: error },
      )
  }
  await waitUntilTableExists({ client, maxWaitTime }, { TableName })
}

const toSeconds = (date: Date | undefined) => Math.floor((date?.getTime() ?? 0) / 1_000)

/** Restores a table to an earlier moment under another name, which costs by the size of the table. A repeat resumes an interrupted run. */
export async function restoreMoment(
  client: DynamoDBClient,
  { from, to, at }: { from: string; to: string; at: Date },
): Promise<void> {
  const command = new RestoreTableToPointInTimeCommand({
    SourceTableName: from,
    TargetTableName: to,
    RestoreDateTime: at,
  })
  await startOrResume(
    client,
    to,
    () => client.send(command),
    ({ SourceTableArn = '', RestoreDateTime }) =>
      // AWS restores to the second
      SourceTableArn.endsWith(`:table/${from}`) && toSeconds(RestoreDateTime) === toSeconds(at),
  )
}

/** Starts the deletion of a table. @throws ResourceNotFoundException when there is none */
export async function removeTable(client: DynamoDBClient, TableName: string): Promise<void> {
  await client.send(new DeleteTableCommand({ TableName }))
}

/**
 * Restores a deleted table from AWS's last backup of it, under the same name, which is all that the stacks know of it, and with the
 * settings that a backup does not have. A repeat resumes an interrupted run.
 * @param pause waits before the next try
 * @throws OperatorError if there is no backup, or the table was not deleted
 */
export async function restoreDeletedTable(
  client: DynamoDBClient,
  TableName: string,
  { recoveryDays, isProtected }: { recoveryDays: number; isProtected: boolean },
  pause: (ms: number) => Promise<unknown> = wait,
): Promise<void> {
  const { BackupSummaries = [] } = await client.send(
    new ListBackupsCommand({ TableName, BackupType: 'SYSTEM' }),
  )
  const [last] = BackupSummaries.toSorted(
    (a, b) => (b.BackupCreationDateTime?.getTime() ?? 0) - (a.BackupCreationDateTime?.getTime() ?? 0),
  )
  if (!last)
    throw new OperatorError(
      `AWS lists no backup of ${TableName} from its deletion. It keeps one for 35 days.`,
    )
  const command = new RestoreTableFromBackupCommand({
    TargetTableName: TableName,
    BackupArn: last.BackupArn,
  })
  await startOrResume(
    client,
    TableName,
    () => client.send(command),
    ({ SourceBackupArn }) => SourceBackupArn !== undefined && SourceBackupArn === last.BackupArn,
  )
  await enableTimeToLive(client, TableName)
  await enableRecovery(client, TableName, recoveryDays, pause)
  await client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: isProtected }))
}

async function enableTimeToLive(client: DynamoDBClient, TableName: string): Promise<void> {
  const TimeToLiveSpecification = { Enabled: true, AttributeName: 'ttl' }
  try {
    await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }))
  } catch (error) {
    // what AWS says when an interrupted run did it
    if (!(error instanceof Error) || !error.message.includes('TimeToLive is already enabled')) throw error
  }
}

async function enableRecovery(
  client: DynamoDBClient,
  TableName: string,
  RecoveryPeriodInDays: number,
  pause: (ms: number) => Promise<unknown>,
): Promise<void> {
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays }
  for (let attempt = 1; ; attempt += 1)
    try {
      await client.send(new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification }))
      return
    } catch (error) {
      if (!(error instanceof ContinuousBackupsUnavailableException) || attempt === maxBackupTries) throw error
      await pause(backupPauseMs)
    }
}
