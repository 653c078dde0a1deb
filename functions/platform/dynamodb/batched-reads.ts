import {
  BatchGetCommand,
  GetCommand,
  type GetCommandInput,
  type GetCommandOutput,
} from '@aws-sdk/lib-dynamodb'
import type { Table } from './table.ts'

type Row = Record<string, unknown>

interface PendingRead {
  key: Row
  resolve: (found: Pick<GetCommandOutput, 'Item'>) => void
  reject: (error: unknown) => void
}

const maxKeys = 100
const toRowId = ({ PK, SK }: Row) => JSON.stringify([PK, SK])

/** The key of a read that can go along with others: a whole row, strongly consistent. */
function getBatchableKey(command: unknown, name: string): Row | undefined {
  if (!(command instanceof GetCommand)) return undefined
  const { TableName, Key, ConsistentRead, ...more }: GetCommandInput = command.input
  return TableName === name && ConsistentRead && Object.keys(more).length === 0 ? Key : undefined
}

/**
 * The table for a function that reads several rows at the same moment: they go out as one request. To make, sign and read a request takes
 * the process longer than the table needs for the row; units are the same.
 */
export function batchedReads({ client, name }: Table): Table {
  let waiting: PendingRead[] = []

  const readOne = (Key: Row) => client.send(new GetCommand({ TableName: name, Key, ConsistentRead: true }))

  async function readMany(keys: Row[]): Promise<Map<string, Row>> {
    const { Responses, UnprocessedKeys } = await client.send(
      new BatchGetCommand({ RequestItems: { [name]: { Keys: keys, ConsistentRead: true } } }),
    )
    const found = new Map((Responses?.[name] ?? []).map((item) => [toRowId(item), item]))
    // a table under pressure leaves some out: each has its own tries
    for (const { Item } of await Promise.all((UnprocessedKeys?.[name]?.Keys ?? []).map(readOne)))
      if (Item) found.set(toRowId(Item), Item)
    return found
  }

  async function readWaiting(): Promise<void> {
    const pending = waiting.splice(0, maxKeys)
    if (waiting.length > 0) void readWaiting()
    const keys = [...new Map(pending.map(({ key }) => [toRowId(key), key])).values()]
    try {
      const [only] = keys
      if (keys.length === 1 && only) {
        const { Item } = await readOne(only)
        for (const { resolve } of pending) resolve(Item ? { Item } : {})
        return
      }
      const found = await readMany(keys)
      for (const { key, resolve } of pending) {
        const Item = found.get(toRowId(key))
        resolve(Item ? { Item } : {})
      }
    } catch (error) {
      for (const { reject } of pending) reject(error)
    }
  }

  const read = (key: Row) =>
    new Promise<Pick<GetCommandOutput, 'Item'>>((resolve, reject) => {
      waiting.push({ key, resolve, reject })
      if (waiting.length === 1) setImmediate(() => void readWaiting())
    })

  const send = (command: Parameters<typeof client.send>[0]) => {
    const key = getBatchableKey(command, name)
    return key ? read(key) : client.send(command)
  }
  return { name, client: { send: send as Table['client']['send'] } }
}
