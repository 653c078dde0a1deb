import { type DynaliteStore, runDynalite } from '../../infra/local/emulators/dynalite.ts'

/** Creates a table with the product's keys, and waits until it is active. */
export async function createDynaliteTable(store: DynaliteStore, TableName: string): Promise<void> {
  await runDynalite(store, 'CreateTable', {
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: ['PK', 'SK'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: [
      { AttributeName: 'PK', KeyType: 'HASH' },
      { AttributeName: 'SK', KeyType: 'RANGE' },
    ],
  })
  for (let status; status !== 'ACTIVE'; await new Promise(setImmediate))
    status = (
      (await runDynalite(store, 'DescribeTable', { TableName })) as { Table: { TableStatus: string } }
    ).Table.TableStatus
}
