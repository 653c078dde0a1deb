import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { Table } from './table.ts'

type Key = Record<string, string>

/** Some of the fields of a row; an undefined one is as good as none. */
export type Given<Fields> = { [Field in keyof Fields]?: Fields[Field] | undefined }

/**
 * Changes a row if it is as expected, in one write.
 * @param expressions `update` and `condition` of DynamoDB; `#name` stands for the attribute of that name
 * @returns false when the condition does not hold
 */
export async function updateIf(
  { client, name: TableName }: Table,
  key: Key,
  { update, condition, values }: { update: string; condition: string; values?: Record<string, unknown> },
): Promise<boolean> {
  const names = Object.fromEntries(
    [...`${update} ${condition}`.matchAll(/#(\w+)/g)].map(([token, name = '']) => [token, name]),
  )
  try {
    await client.send(
      new UpdateCommand({
        TableName,
        Key: key,
        UpdateExpression: update,
        ConditionExpression: condition,
        ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
        ...(values && { ExpressionAttributeValues: values }),
      }),
    )
    return true
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return false
    throw error
  }
}

/**
 * Sets the fields given, and leaves the others; makes the row where there is none.
 * @param fields undefined ones are not given; without any, nothing is written
 * @returns the row before, undefined when there was none or nothing was written
 */
export async function setFields(
  { client, name: TableName }: Table,
  key: Key,
  fields: Record<string, unknown>,
): Promise<Record<string, unknown> | undefined> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  if (given.length === 0) return undefined
  const { Attributes } = await client.send(
    new UpdateCommand({
      TableName,
      Key: key,
      UpdateExpression: `SET ${given.map(([field]) => `#${field} = :${field}`).join(', ')}`,
      ExpressionAttributeNames: Object.fromEntries(given.map(([field]) => [`#${field}`, field])),
      ExpressionAttributeValues: Object.fromEntries(given.map(([field, value]) => [`:${field}`, value])),
      ReturnValues: 'ALL_OLD',
    }),
  )
  return Attributes
}
