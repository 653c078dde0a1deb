import { UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb'
import type { Table } from './table.ts'
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'

type Key = Record<string, string>

/** Some of the fields of a row; undefined ones are ignored. */
export type PartialFields<Fields> = { [Field in keyof Fields]?: Fields[Field] | undefined }

/** DynamoDB expressions, in which `#name` is the attribute of that name. */
export interface Change {
  readonly update: string
  readonly condition?: string | undefined
  /** by placeholder, `:name` */
  readonly values?: Readonly<Record<string, unknown>> | undefined
  /** attributes whose name differs from the placeholder, as `{ '#id': name }` */
  readonly names?: Readonly<Record<string, string>>
  readonly returns?: UpdateCommandInput['ReturnValues']
}

/**
 * Changes a row in one write.
 * @returns what `returns` asks for, and whether the client sent the write more than once
 * @throws ConditionalCheckFailedException (`isConditionFailed`) when the condition does not hold
 */
export async function updateRow(
  { client, name: TableName }: Table,
  key: Key,
  { update, condition, values, names, returns }: Change,
): Promise<{ attributes: Record<string, unknown> | undefined; wasRetried: boolean }> {
  const tokens = `${update} ${condition ?? ''}`.matchAll(/#(\w+)/g)
  const allNames = { ...Object.fromEntries([...tokens].map(([token, name = '']) => [token, name])), ...names }
  const updated = await client.send(
    new UpdateCommand({
      TableName,
      Key: key,
      UpdateExpression: update,
      ...(condition !== undefined && { ConditionExpression: condition }),
      ...(Object.keys(allNames).length > 0 && { ExpressionAttributeNames: allNames }),
      ...(values && { ExpressionAttributeValues: values }),
      ...(returns && { ReturnValues: returns }),
    }),
  )
  return { attributes: updated.Attributes, wasRetried: wasRetried(updated) }
}

/** Changes a row if it is as expected, in one write. @returns false when the condition does not hold */
export async function updateIf(
  table: Table,
  key: Key,
  change: Change & { readonly condition: string },
): Promise<boolean> {
  try {
    await updateRow(table, key, change)
    return true
  } catch (error) {
    if (isConditionFailed(error)) return false
    throw error
  }
}

/**
 * Sets fields and leaves the others unchanged; creates a missing row.
 * @param fields undefined ones are ignored; if all are, nothing is written
 * @param seen texts that the row must still have; an absent attribute is the empty text
 * @throws ConditionalCheckFailedException if one differs
 * @returns the previous row; undefined if there was none or nothing was written
 */
export async function setFields(
  table: Table,
  key: Key,
  fields: Record<string, unknown>,
  seen: Readonly<Record<string, string | undefined>> = {},
): Promise<Record<string, unknown> | undefined> {
  const isDefined = ([, value]: [string, unknown]) => value !== undefined
  const entries = Object.entries(fields).filter(isDefined)
  const seenEntries = Object.entries(seen).filter(isDefined)
  const conditions = seenEntries.map(
    ([field, text]) =>
      `(#${field} = :seen_${field}${text === '' ? ` OR attribute_not_exists(#${field})` : ''})`,
  )
  if (entries.length === 0) return undefined
  const { attributes } = await updateRow(table, key, {
    update: `SET ${entries.map(([field]) => `#${field} = :${field}`).join(', ')}`,
    condition: conditions.length > 0 ? conditions.join(' AND ') : undefined,
    values: Object.fromEntries([
      ...entries.map(([field, value]) => [`:${field}`, value] as const),
      ...seenEntries.map(([field, text]) => [`:seen_${field}`, text] as const),
    ]),
    returns: 'ALL_OLD',
  })
  return attributes
}

/** Whether a write failed because its condition does not hold. */
export const isConditionFailed = (error: unknown): error is ConditionalCheckFailedException =>
  error instanceof ConditionalCheckFailedException

/**
 * Whether the SDK sent a call more than once. The result is then of the last attempt: the first may have succeeded with its response lost,
 * so that a condition fails on our own write, a counter is added to twice, or the previous value is our own.
 * @param result of a call, or its error
 */
export function wasRetried(result: unknown): boolean {
  const { $metadata } = (result ?? {}) as { $metadata?: { attempts?: number } }
  return ($metadata?.attempts ?? 1) > 1
}
