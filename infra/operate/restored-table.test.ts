import {
  DescribeTableCommand,
  DynamoDBClient,
  ListBackupsCommand,
  RestoreTableFromBackupCommand,
  RestoreTableToPointInTimeCommand,
  TableAlreadyExistsException,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb'
import { beforeEach, describe, expect, it } from 'vitest'
import { mockClient } from '../../test/support/mock-client.ts'
import { restoreDeletedTable, restoreMoment } from './restored-table.ts'

const db = mockClient(DynamoDBClient)
beforeEach(() => {
  db.reset()
  db.on(DescribeTableCommand).resolves({ Table: { TableStatus: 'ACTIVE' } })
})
const client = new DynamoDBClient({ region: 'eu-central-1' })
const at = new Date('2026-11-20T09:00:00Z')
const listInputs = (...commands: Parameters<typeof db.commandCalls>[0][]) =>
  commands.map((command) => db.commandCalls(command).map(({ args: [{ input }] }) => input as object))

describe('an earlier moment', () => {
  it('is restored as a table of another name, which is waited for', async () => {
    await restoreMoment(client, { from: 'table', to: 'juno-dev-restored', at })
    expect(listInputs(RestoreTableToPointInTimeCommand, DescribeTableCommand)).toEqual([
      [{ SourceTableName: 'table', TargetTableName: 'juno-dev-restored', RestoreDateTime: at }],
      [{ TableName: 'juno-dev-restored' }],
    ])
  })

  it('takes the table of an interrupted run, and fails for anything else', async () => {
    const exists = new TableAlreadyExistsException({ message: '', $metadata: {} })
    db.on(RestoreTableToPointInTimeCommand).rejectsOnce(exists).rejects(new Error('too early'))
    await restoreMoment(client, { from: 'table', to: 'other', at })
    await expect(restoreMoment(client, { from: 'table', to: 'other', at })).rejects.toThrow('too early')
  })
})

describe('a deleted table', () => {
  const settings = { recoveryDays: 7, isProtected: true }

  it('comes back from its last backup, with the settings that a backup does not have', async () => {
    const backup = (BackupArn: string, day: number) => ({
      BackupArn,
      BackupCreationDateTime: new Date(Date.UTC(2026, 10, day)),
    })
    db.on(ListBackupsCommand).resolves({ BackupSummaries: [backup('old', 1), backup('new', 20)] })
    await restoreDeletedTable(client, 'table', settings)
    expect(
      listInputs(
        RestoreTableFromBackupCommand,
        UpdateTimeToLiveCommand,
        UpdateContinuousBackupsCommand,
        UpdateTableCommand,
      ),
    ).toEqual([
      [{ TargetTableName: 'table', BackupArn: 'new' }],
      [{ TableName: 'table', TimeToLiveSpecification: { Enabled: true, AttributeName: 'ttl' } }],
      [
        {
          TableName: 'table',
          PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 7 },
        },
      ],
      [{ TableName: 'table', DeletionProtectionEnabled: true }],
    ])
  })

  it('without a backup cannot', async () => {
    db.on(ListBackupsCommand).resolves({})
    await expect(restoreDeletedTable(client, 'table', settings)).rejects.toThrow('AWS has no backup of table')
  })
})
