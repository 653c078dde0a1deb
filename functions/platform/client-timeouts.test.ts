import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { GetCommand } from '@aws-sdk/lib-dynamodb'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { expect, it, onTestFinished } from 'vitest'
import { clientTimeouts } from './client-timeouts.ts'

/** A client of a server that answers after some milliseconds, or never. */
async function openClient(answerAfterMs: number | undefined, limitMs: number) {
  let requests = 0
  const server = createServer((_, response) => {
    requests += 1
    if (answerAfterMs !== undefined) setTimeout(() => response.end('{}'), answerAfterMs)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const client = new DynamoDBClient({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    maxAttempts: 2,
    ...clientTimeouts(limitMs),
  })
  const get = () => client.send(new GetCommand({ TableName: 't', Key: { PK: 'a', SK: 'b' } }))
  return { get, countRequests: () => requests }
}

it('a server that does not answer in time is asked again, and then given up', async () => {
  const { get, countRequests } = await openClient(undefined, 200)
  await expect(get()).rejects.toMatchObject({ name: 'TimeoutError' })
  expect(countRequests()).toBe(2)
})

it('time in which this process is busy does not count', { tags: 'long' }, async () => {
  const { get, countRequests } = await openClient(0, 300)
  const getting = get()
  await expect.poll(countRequests).toBe(1)
  // the answer is there, but nobody reads it
  const untilMs = performance.now() + 1_000
  while (performance.now() < untilMs);
  await getting
  expect(countRequests()).toBe(1)
})
