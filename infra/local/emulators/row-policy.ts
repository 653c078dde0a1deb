import { type FunctionName, type RowAccess, tableAccess } from '../../aws/table-access.ts'
import { AwsError, type AwsInput, optionalText } from './aws-json.ts'

type Attribute = { S?: string } | undefined
type Row = Record<string, Attribute> | undefined
interface Batch {
  Keys?: Row[]
}
interface BatchedWrite {
  PutRequest?: { Item?: Row }
  DeleteRequest?: { Key?: Row }
}

/** IAM's StringLike: a star stands for any characters, a question mark for one. */
export function matchesPattern(value: string, pattern: string): boolean {
  const expression = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '[^]*')
    .replaceAll('?', '[^]')
  return new RegExp(`^${expression}$`).test(value)
}

/** IAM's `dynamodb:LeadingKeys`: the partition keys of a request. */
function leadingKeys(operation: string, input: AwsInput): string[] {
  return partitionKeys(operation, input).flatMap((key) => key?.S ?? [])
}

function partitionKeys(operation: string, input: AwsInput): Attribute[] {
  if (operation === 'PutItem') return [(input['Item'] as Row)?.['PK']]
  if (operation === 'Query') return [queriedKey(input)]
  if (operation === 'BatchGetItem')
    return Object.values((input['RequestItems'] ?? {}) as Record<string, Batch>).flatMap(({ Keys = [] }) =>
      Keys.map((key) => key?.['PK']),
    )
  if (operation === 'BatchWriteItem')
    return Object.values((input['RequestItems'] ?? {}) as Record<string, BatchedWrite[]>)
      .flat()
      .map(({ PutRequest, DeleteRequest }) => (PutRequest?.Item ?? DeleteRequest?.Key)?.['PK'])
  return [(input['Key'] as Row)?.['PK']]
}

function queriedKey(input: AwsInput): Attribute {
  const names = (input['ExpressionAttributeNames'] ?? {}) as Record<string, string>
  const values = (input['ExpressionAttributeValues'] ?? {}) as Record<string, Attribute>
  const condition = optionalText(input, 'KeyConditionExpression') ?? ''
  for (const [, name = '', value = ''] of condition.matchAll(/([#\w]+)\s*=\s*(:\w+)/g))
    if ((names[name] ?? name) === 'PK') return values[value]
  return undefined
}

/**
 * Whether one of the statements allows the request, as IAM evaluates them: one statement must name the action and match every key,
 * and a request without a key matches none.
 */
export function allowsRows(
  statements: readonly RowAccess[],
  action: string,
  keys: readonly string[],
): boolean {
  return (
    keys.length > 0 &&
    statements.some(
      ({ actions, partitions }) =>
        actions.some((allowed) => allowed === action) &&
        keys.every((key) => partitions.some((partition) => matchesPattern(key, partition))),
    )
  )
}

/**
 * Refuses what the function's role does not allow. A request without a function name is from an operator's script or a test.
 * @throws AwsError AccessDeniedException
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/troubleshoot_access-denied.html for the words
 */
export function checkRowAccess(caller: string | undefined, operation: string, input: AwsInput): void {
  if (caller === undefined) return
  const statements = Object.hasOwn(tableAccess, caller) ? tableAccess[caller as FunctionName] : []
  const keys = leadingKeys(operation, input)
  if (allowsRows(statements, operation, keys)) return
  throw new AwsError(
    'com.amazon.coral.service#AccessDeniedException',
    `User: arn:aws:sts::000000000000:assumed-role/${caller} is not authorized to perform: dynamodb:${operation} on the keys ${listKeyKinds(keys)} because no identity-based policy allows the dynamodb:${operation} action (infra/aws/table-access.ts)`,
  )
}

/** Messages go to logs and keys contain user ids, so only the kinds of keys are listed. */
const listKeyKinds = (keys: readonly string[]) =>
  [...new Set(keys.map((key) => key.replace(/#.*$/s, '#…')))].join(', ') || '(none)'
