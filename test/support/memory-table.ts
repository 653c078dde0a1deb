import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb'
import type { Table } from '../../functions/platform/dynamodb/table.ts'

type Item = Record<string, unknown>

interface Input {
  Key?: Item
  Item?: Item
  UpdateExpression?: string
  ConditionExpression?: string
  KeyConditionExpression?: string
  ExpressionAttributeNames?: Record<string, string>
  ExpressionAttributeValues?: Record<string, string | number | boolean | object>
}

const textOf = ({ ExpressionAttributeValues = {} }: Input, name: string): string => {
  const value = ExpressionAttributeValues[name]
  return typeof value === 'string' ? value : ''
}

/** Rows are frozen, so that those that read them share them. */
function freeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null)
    for (const part of Object.values(Object.freeze(value))) freeze(part)
  return value
}

/**
 * A table in memory, for simulations with millions of requests: only `SET #a = :a REMOVE #b`, conditions of the form `#a = :a` and
 * `attribute_not_exists(PK)`, and queries of a whole partition or of a prefix. Anything else throws.
 */
export function memoryTable(): Table & { partitions: Map<string, Map<string, Item>> } {
  const partitions = new Map<string, Map<string, Item>>()
  /** sort keys of partitions in their order, until one is added or deleted */
  const ordered = new Map<string, string[]>()

  function listKeys(partition: string, rows: Map<string, Item>): string[] {
    const keys = ordered.get(partition) ?? [...rows.keys()].toSorted((a, b) => (a < b ? -1 : 1))
    ordered.set(partition, keys)
    return keys
  }

  const findPartition = (key: string) => {
    const found = partitions.get(key) ?? new Map<string, Item>()
    partitions.set(key, found)
    return found
  }

  function check(input: Input, item: Item | undefined): void {
    const condition = input.ConditionExpression
    if (condition === undefined) return
    const [, name, value] = /^(#\w+) = (:\w+)$/.exec(condition) ?? []
    const holds =
      condition === 'attribute_not_exists(PK)'
        ? item === undefined
        : name !== undefined && value !== undefined
          ? item?.[input.ExpressionAttributeNames?.[name] ?? ''] === input.ExpressionAttributeValues?.[value]
          : undefined
    if (holds === undefined) throw new Error(`cannot check ${condition}`)
    if (!holds) throw new ConditionalCheckFailedException({ message: 'no', $metadata: {} })
  }

  function update(input: Input, item: Item): Item {
    const [, sets = '', removes = ''] =
      /^SET (.+?)(?: REMOVE (.+))?$/.exec(input.UpdateExpression ?? '') ?? []
    const changed = { ...item }
    for (const assignment of sets.split(', ')) {
      const [name = '', value = ''] = assignment.split(' = ')
      changed[input.ExpressionAttributeNames?.[name] ?? ''] = input.ExpressionAttributeValues?.[value]
    }
    for (const name of removes.split(', ')) delete changed[input.ExpressionAttributeNames?.[name] ?? '']
    return changed
  }

  function run(command: string, input: Input): unknown {
    const key = (input.Key ?? input.Item ?? {}) as { PK: string; SK: string }
    if (command === 'QueryCommand') {
      const prefix = textOf(input, ':prefix')
      const partition = textOf(input, ':pk')
      const rows = findPartition(partition)
      const keys = listKeys(partition, rows).filter((name) => name.startsWith(prefix))
      return { Items: keys.map((name) => rows.get(name)) }
    }
    const partition = findPartition(key.PK)
    const item = partition.get(key.SK)
    if (command === 'GetCommand') return { Item: item }
    check(input, item)
    if (!item || command === 'DeleteCommand') ordered.delete(key.PK)
    if (command === 'PutCommand') partition.set(key.SK, freeze(structuredClone(input.Item ?? {})))
    else if (command === 'UpdateCommand')
      partition.set(key.SK, freeze(structuredClone(update(input, item ?? key))))
    else if (command === 'DeleteCommand') partition.delete(key.SK)
    else throw new Error(`cannot do ${command}`)
    return {}
  }

  const send = async (command: object) => run(command.constructor.name, (command as { input: Input }).input)
  return { partitions, name: 'memory', client: { send } as unknown as Table['client'] }
}
