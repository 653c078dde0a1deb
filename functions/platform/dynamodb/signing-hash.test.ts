import { DynamoDBClient, ListTablesCommand, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import type { KeyObject } from 'node:crypto'
import { afterEach, expect, it, vi } from 'vitest'
import { SigningHash } from './signing-hash.ts'

afterEach(() => vi.useRealTimers())

interface Signed {
  request: { headers: Record<string, string> }
}

/** The `Authorization` of a request that is not sent. */
async function sign(secretAccessKey: string, config: DynamoDBClientConfig = {}) {
  let signature: string | undefined
  class Recorder extends NodeHttpHandler {
    override handle(
      request: Parameters<NodeHttpHandler['handle']>[0],
    ): ReturnType<NodeHttpHandler['handle']> {
      signature = request.headers['authorization']
      return Promise.reject(new Error('not sent'))
    }
  }
  const client = new DynamoDBClient({
    region: 'eu-central-1',
    credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey },
    maxAttempts: 1,
    requestHandler: new Recorder(),
    ...config,
  })
  // a random number is signed, too
  const setInvocation = (next: (args: Signed) => unknown) => (args: Signed) => {
    args.request.headers['amz-sdk-invocation-id'] = 'the same'
    return next(args)
  }
  client.middlewareStack.addRelativeTo(setInvocation as never, {
    name: 'setInvocation',
    relation: 'before',
    toMiddleware: 'httpSigningMiddleware',
  })
  await expect(client.send(new ListTablesCommand({ ExclusiveStartTableName: 'täble' }))).rejects.toThrow(
    'not sent',
  )
  return signature
}

it('signs as the SDK does, with secrets that change, and prepares the keys of a secret once', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-11-29T12:00:00Z') })
  const used: KeyObject[] = []
  class RecordingHash extends SigningHash {
    constructor(secret?: ConstructorParameters<typeof SigningHash>[0]) {
      super(secret)
      if (secret !== undefined) used.push(SigningHash.prepareKey(secret))
    }
  }
  const ours = { sha256: RecordingHash }
  for (const secret of ['first', 'second', 'first', 'zweites Geheimnis: ü']) {
    const signature = await sign(secret, ours)
    expect(signature).toMatch(/Signature=[0-9a-f]{64}$/)
    expect(signature).toBe(await sign(secret))
    // with a new secret the SDK makes the key of the day from another text
    await sign(secret, ours)
    const earlier = new Set(used.splice(0))
    expect(await sign(secret, ours)).toBe(signature)
    expect(used.length).toBeGreaterThan(0)
    expect(used.filter((key) => !earlier.has(key))).toEqual([])
  }
})

it.each([
  ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
])('the hash of %j is that of FIPS 180-4', async (text, expected) => {
  const hash = new SigningHash()
  hash.update(text)
  expect(Buffer.from(await hash.digest()).toString('hex')).toBe(expected)
  hash.reset()
  hash.update(new TextEncoder().encode(text).buffer)
  expect(Buffer.from(await hash.digest()).toString('hex')).toBe(expected)
})
