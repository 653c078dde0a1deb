import {
  ContinuousBackupsUnavailableException,
  DescribeTableCommand,
  DynamoDBClient,
  ListBackupsCommand,
  RestoreTableFromBackupCommand,
  RestoreTableToPointInTimeCommand,
  type RestoreSummary,
  TableAlreadyExistsException,
  TableInUseException,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb'
import { beforeEach, describe, expect, it } from 'vitest'
import { mockClient } from '../../../test/support/mock-client.ts'
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

const noDetails = { message: '', $metadata: {} }
const describeTable = (summary?: Partial<RestoreSummary>, TableStatus: 'ACTIVE' | 'DELETING' = 'ACTIVE') =>
  db.on(DescribeTableCommand).resolves({
    Table: {
      TableStatus,
      ...(summary && { RestoreSummary: { RestoreDateTime: at, ...summary, RestoreInProgress: false } }),
    },
  })

describe('an earlier moment', () => {
  it('is restored as a table of another name, which is waited for', async () => {
    await restoreMoment(client, { from: 'table', to: 'juno-dev-restored', at })
    expect(listInputs(RestoreTableToPointInTimeCommand, DescribeTableCommand)).toEqual([
      [{ SourceTableName: 'table', TargetTableName: 'juno-dev-restored', RestoreDateTime: at }],
      [{ TableName: 'juno-dev-restored' }],
    ])
  })

  const restored = { SourceTableArn: 'arn:aws:dynamodb:eu-central-1:1:table/table', RestoreDateTime: at }

  it.each([TableAlreadyExistsException, TableInUseException])(
    'takes the table of an interrupted run (%o)',
    async (Exists) => {
      db.on(RestoreTableToPointInTimeCommand).rejects(new Exists(noDetails))
      describeTable(restored)
      await restoreMoment(client, { from: 'table', to: 'other', at })
      expect(db.commandCalls(RestoreTableToPointInTimeCommand)).toHaveLength(1)
    },
  )

  it.each([
    ['of another moment', { ...restored, RestoreDateTime: new Date(at.getTime() - 1_000) }, 'ACTIVE'],
    ['of another table', { ...restored, SourceTableArn: `${restored.SourceTableArn}-2` }, 'ACTIVE'],
    ['that was not restored', undefined, 'ACTIVE'],
    ['that is being deleted', restored, 'DELETING'],
  ] as const)('takes no table %s', async (_, summary, status) => {
    db.on(RestoreTableToPointInTimeCommand).rejects(new TableAlreadyExistsException(noDetails))
    describeTable(summary, status)
    const restoring = restoreMoment(client, { from: 'table', to: 'other', at })
    await expect(restoring).rejects.toThrow(`other exists already (${status})`)
  })

  it('fails for anything else', async () => {
    db.on(RestoreTableToPointInTimeCommand).rejects(new Error('too early'))
    await expect(restoreMoment(client, { from: 'table', to: 'other', at })).rejects.toThrow('too early')
  })
})

describe('a deleted table', () => {
  const settings = { recoveryDays: 7, isProtected: true }

  const backups = { BackupSummaries: [{ BackupArn: 'new', BackupCreationDateTime: at }] }

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

  it('gets point-in-time recovery as soon as AWS has prepared it, and fails for anything else', async () => {
    db.on(ListBackupsCommand).resolves(backups)
    const pauses: number[] = []
    const pause = async (ms: number) => void pauses.push(ms)
    const unprepared = new ContinuousBackupsUnavailableException(noDetails)
    db.on(UpdateContinuousBackupsCommand).rejectsOnce(unprepared).rejectsOnce(unprepared).resolves({})
    await restoreDeletedTable(client, 'table', settings, pause)
    expect(pauses).toHaveLength(2)
    expect(db.commandCalls(UpdateTableCommand)).toHaveLength(1)
    db.on(UpdateContinuousBackupsCommand).rejects(new Error('denied'))
    await expect(restoreDeletedTable(client, 'table', settings, pause)).rejects.toThrow('denied')
    db.on(UpdateContinuousBackupsCommand).rejects(unprepared)
    await expect(restoreDeletedTable(client, 'table', settings, pause)).rejects.toBe(unprepared)
  })

  it('comes back after an interruption, and one that is in use is left alone', async () => {
    db.on(ListBackupsCommand).resolves(backups)
    db.on(RestoreTableFromBackupCommand).rejects(new TableAlreadyExistsException(noDetails))
    const isEnabled = new Error('TimeToLive is already enabled')
    db.on(UpdateTimeToLiveCommand).rejectsOnce(isEnabled).rejects(new Error('denied'))
    describeTable({ SourceBackupArn: 'new' })
    await restoreDeletedTable(client, 'table', settings)
    await expect(restoreDeletedTable(client, 'table', settings)).rejects.toThrow('denied')
    describeTable({ SourceBackupArn: 'old' })
    await expect(restoreDeletedTable(client, 'table', settings)).rejects.toThrow('table exists already')
    expect(db.commandCalls(UpdateTableCommand)).toHaveLength(1)
  })

  it('without a backup cannot', async () => {
    db.on(ListBackupsCommand).resolves({})
    await expect(restoreDeletedTable(client, 'table', settings)).rejects.toThrow(
      'AWS lists no backup of table',
    )
  })
})
