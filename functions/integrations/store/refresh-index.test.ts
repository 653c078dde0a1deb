import { expect, it, vi } from 'vitest'
import { refreshIndex } from './refresh-index.ts'

/** The index over a table with these responses, and the inputs of the commands that were sent. */
function openIndex(respond: (input: Record<string, unknown>) => object) {
  const sent: Record<string, unknown>[] = []
  const client = {
    send: async (command: { input: Record<string, unknown> }) => {
      sent.push(command.input)
      return respond(command.input)
    },
  }
  return { sent, index: refreshIndex({ name: 'rows', client: client as never }) }
}
const connection = { sub: 'ann', mcpId: 'com.example/a#b', refreshedAt: '2026-11-20T00:00:00.000Z' }
const fail = () => {
  throw new Error('no answer')
}

it('reads the index page by page, from a key to the end and then from the beginning up to the key', async () => {
  const item = (SK: string) => ({ PK: 'REFRESH', SK, renewed_at: connection.refreshedAt })
  const { sent, index } = openIndex(({ KeyConditionExpression: range, ExclusiveStartKey: start }) => {
    if (range === 'PK = :pk AND SK < :start') return { Items: [item('ann#c')] }
    return start ? { Items: [] } : { Items: [item('ann#com.example/a#b')], LastEvaluatedKey: { SK: 'last' } }
  })
  const pages = []
  for await (const page of index.pages('k')) pages.push(page)
  expect(pages).toEqual([[connection], [], [{ ...connection, mcpId: 'c' }]])
  const query = { TableName: 'rows', ExpressionAttributeValues: { ':pk': 'REFRESH', ':start': 'k' } }
  const toEnd = { ...query, KeyConditionExpression: 'PK = :pk AND SK >= :start' }
  expect(sent).toEqual([
    toEnd,
    { ...toEnd, ExclusiveStartKey: { SK: 'last' } },
    { ...query, KeyConditionExpression: 'PK = :pk AND SK < :start' },
  ])
})

it('logs a row that cannot be written, because the tokens matter more', async () => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  vi.stubEnv('LOG_LEVEL', 'warn')
  const { sent, index } = openIndex(fail)
  await index.put(connection)
  expect(sent).toEqual([
    {
      TableName: 'rows',
      Item: { PK: 'REFRESH', SK: 'ann#com.example/a#b', renewed_at: connection.refreshedAt },
    },
  ])
  expect(JSON.parse(String(write.mock.calls[0]?.[0]))).toMatchObject({
    level: 'warn',
    message: 'a connection could not be listed for the daily refresh',
    error: { name: 'Error' },
  })
})

it('reports a row that cannot be deleted, so that the call is repeated', async () => {
  const { index } = openIndex(fail)
  await expect(index.removeStale(connection)).rejects.toThrow('no answer')
  await expect(index.remove('ann', 'slack')).rejects.toThrow('no answer')
})
