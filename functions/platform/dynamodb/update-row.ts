import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import { UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb'
import { unmarshall } from '@aws-sdk/util-dynamodb'
import type { Table } from './table.ts'

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
 * @throws ConditionalCheckFailedException (`isConditionFailed`) when the condition does not hold; `getStoredRow` gets what is there instead
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
      ...(condition !== undefined && { ConditionExpression: condition, ...returnStoredRow }),
      ...(Object.keys(allNames).length > 0 && { ExpressionAttributeNames: allNames }),
      ...(values && { ExpressionAttributeValues: values }),
      ...(returns && { ReturnValues: returns }),
    }),
  )
  return { attributes: updated.Attributes, wasRetried: wasRetried(updated) }
}

/** Changes a row as `updateRow` does. @throws the given error when the condition does not hold */
export async function updateOrThrow(
  table: Table,
  key: Key,
  change: Change,
  toError: (cause: unknown) => Error,
): ReturnType<typeof updateRow> {
  try {
    return await updateRow(table, key, change)
  } catch (error) {
    throw isConditionFailed(error) ? toError(error) : error
  }
}

/** Changes a row if it is as expected, in one write. @returns false when the condition does not hold */
export async function updateIf(table: Table, key: Key, change: Change): Promise<boolean> {
  try {
    await updateRow(table, key, change)
    return true
  } catch (error) {
    if (isConditionFailed(error)) return false
    throw error
  }
}

/**
 * The conditions of a write that replaces texts: each is still the one that the sender has seen, or the new one already, as when the same
 * write is sent again. An absent attribute is the empty text.
 * @param seen by field; undefined ones are ignored
 */
export function expectTexts(
  fields: Readonly<Record<string, unknown>>,
  seen: Readonly<Record<string, string | undefined>>,
): { conditions: string[]; values: Record<string, unknown> } {
  const conditions: string[] = []
  const values: Record<string, unknown> = {}
  for (const [field, text] of Object.entries(seen)) {
    if (text === undefined) continue
    const wanted = fields[field] ?? text
    values[`:seen_${field}`] = text
    values[`:wanted_${field}`] = wanted
    const mayBeAbsent = text === '' || wanted === ''
    const orAbsent = mayBeAbsent ? ` OR attribute_not_exists(#${field})` : ''
    conditions.push(`(#${field} = :seen_${field} OR #${field} = :wanted_${field}${orAbsent})`)
  }
  return { conditions, values }
}

/**
 * Sets fields and leaves the others unchanged; creates a missing row.
 * @param fields undefined ones are ignored; if all are, nothing is written
 * @param seen texts that are replaced, as for `expectTexts`
 * @returns false if another text is stored
 */
export async function setFields(
  table: Table,
  key: Key,
  fields: Readonly<Record<string, unknown>>,
  seen: Readonly<Record<string, string | undefined>> = {},
): Promise<boolean> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  if (entries.length === 0) return true
  const { conditions, values } = expectTexts(fields, seen)
  const change = {
    update: `SET ${entries.map(([field]) => `#${field} = :${field}`).join(', ')}`,
    condition: conditions.length > 0 ? conditions.join(' AND ') : undefined,
    values: { ...values, ...Object.fromEntries(entries.map(([field, value]) => [`:${field}`, value])) },
  }
  return updateIf(table, key, change)
}

/** Lets a write whose condition fails say what is stored: no read comes later than the failure, and none is paid for. */
export const returnStoredRow = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const

/**
 * The row for which the condition of a write with `returnStoredRow` failed.
 * @returns undefined if there was none, or the error is another one
 */
export function getStoredRow(error: unknown): Record<string, unknown> | undefined {
  return isConditionFailed(error) && error.Item ? unmarshall(error.Item) : undefined
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
