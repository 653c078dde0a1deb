import {
  DeleteCommand,
  GetCommand,
  PutCommand,
  type DeleteCommandInput,
  type PutCommandInput,
} from '@aws-sdk/lib-dynamodb'
import type { Table } from './table.ts'
import { isConditionFailed } from './update-row.ts'

type Key = Record<string, string>
type Row = Record<string, unknown>
type PutCondition = Pick<
  PutCommandInput,
  'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
>
type Condition = Pick<
  DeleteCommandInput,
  'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
>

/** @returns a row as it is now (strongly consistent); undefined if there is none */
export async function readRow({ client, name: TableName }: Table, Key: Key): Promise<Row | undefined> {
  return (await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }))).Item
}

/** Writes a whole row, whatever was there. */
export async function putRow({ client, name: TableName }: Table, Item: object): Promise<void> {
  await client.send(new PutCommand({ TableName, Item }))
}

/** Writes a row if what is there is as expected. @returns false if it is not; then it may be our own, when the client has sent the write twice */
export async function putIf(
  { client, name: TableName }: Table,
  Item: object,
  condition: PutCondition,
): Promise<boolean> {
  try {
    await client.send(new PutCommand({ TableName, Item, ...condition }))
    return true
  } catch (error) {
    if (isConditionFailed(error)) return false
    throw error
  }
}

/** Writes a row unless there is one. @returns as `putIf` */
export const createRow = (table: Table, Item: object): Promise<boolean> =>
  putIf(table, Item, { ConditionExpression: 'attribute_not_exists(PK)' })

/** Deletes a row. A missing one is not an error, nor one that is not as expected, which stays. */
export async function deleteRow(
  { client, name: TableName }: Table,
  Key: Row,
  condition: Condition = {},
): Promise<void> {
  try {
    await client.send(new DeleteCommand({ TableName, Key, ...condition }))
  } catch (error) {
    if (!isConditionFailed(error)) throw error
  }
}

/** Deletes a row. @returns what was in it; undefined if there was none, or it is not as expected and stays */
export async function takeRow(
  { client, name: TableName }: Table,
  Key: Key,
  condition: Condition = {},
): Promise<Row | undefined> {
  try {
    const command = new DeleteCommand({ TableName, Key, ...condition, ReturnValues: 'ALL_OLD' })
    return (await client.send(command)).Attributes
  } catch (error) {
    if (!isConditionFailed(error)) throw error
    return undefined
  }
}
