import { createServer, get } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { expect, it } from 'vitest'
import { listen } from './listen.ts'
import { ResponseStream } from './response-stream.ts'

const MB = 1024 * 1024

/** The bytes of a response of this size that a client receives, whether it is complete, and the handler's error. */
async function streamMegabytes(megabytes: number, maxBytes?: number) {
  const handlerOutcome = Promise.withResolvers<unknown>()
  const server = createServer((_, response) => {
    const chunk = Buffer.alloc(MB)
    async function* write() {
      for (let sent = 0; sent < megabytes; sent += 1) yield chunk
    }
    pipeline(write(), new ResponseStream(response, undefined, maxBytes)).then(
      () => handlerOutcome.resolve(undefined),
      (error: unknown) => handlerOutcome.resolve(error),
    )
  })
  const listening = await listen(server)
  const { promise: received, resolve } = Promise.withResolvers<{ bytes: number; isWhole: boolean }>()
  get(listening.url, (response) => {
    let bytes = 0
    response.on('data', (chunk: Buffer) => (bytes += chunk.length))
    response.on('error', () => undefined)
    response.on('close', () => resolve({ bytes, isWhole: response.complete }))
  })
  const result = { ...(await received), error: await handlerOutcome.promise }
  await listening.close()
  return result
}

it('a response that is larger than its limit is cut, and its handler is notified', async () => {
  expect(await streamMegabytes(4, 4 * MB)).toEqual({ bytes: 4 * MB, isWhole: true, error: undefined })
  const { isWhole, error } = await streamMegabytes(5, 4 * MB)
  expect(isWhole).toBe(false)
  expect(String(error)).toContain('over 4 MB')
})

it('accepts a response of 200 MB', { tags: 'long' }, async () => {
  expect(await streamMegabytes(200)).toEqual({ bytes: 200 * MB, isWhole: true, error: undefined })
})

it('cuts a larger one, and its handler is notified', { tags: 'long' }, async () => {
  const { isWhole, error } = await streamMegabytes(201)
  expect(isWhole).toBe(false)
  expect(String(error)).toContain('over 200 MB')
})
