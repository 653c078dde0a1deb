import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  type InvokedFunction,
  type LambdaEmulator,
  startLambdaEmulator,
} from '../../infra/local/emulators/lambda-invoke.ts'

// Texts and headers like Lambda's: https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html; the error messages as
// localstack's and other public repositories' tests recorded them on AWS.

const region = 'us-east-1'
/** pauses before retries, which pass at once */
const waits = vi.hoisted((): number[] => [])
/** what pauses wait for in place of the time, if anything */
const blocked = vi.hoisted((): Promise<void>[] => [])
vi.mock(import('../../functions/platform/clock.ts'), async (importOriginal) => {
  const clock = await importOriginal()
  return {
    wait: async (ms, options) => {
      if (ms < 60_000) return clock.wait(ms, options)
      waits.push(ms)
      return blocked[0]
    },
  }
})
const credentials = { accessKeyId: 'key', secretAccessKey: 'secret', sessionToken: 'token' }
const functions: Record<string, InvokedFunction> = {
  echo: { name: 'documentParser', timeoutMs: 30_000, handler: async (event) => event },
  nothing: { name: 'documentParser', timeoutMs: 30_000, handler: async () => undefined },
  large: { name: 'documentParser', timeoutMs: 30_000, handler: async () => 'ü'.repeat(3_200_000) },
  broken: {
    name: 'documentParser',
    timeoutMs: 30_000,
    handler: async () => {
      throw new TypeError('no such thing')
    },
  },
  endless: { name: 'documentParser', timeoutMs: 10, handler: () => new Promise(() => undefined) },
}
let emulator: LambdaEmulator
let client: LambdaClient

const clientWith = (changes: object = {}) =>
  new LambdaClient({ endpoint: emulator.url, region, credentials, maxAttempts: 1, ...changes })
beforeEach(async () => {
  emulator = await startLambdaEmulator({ functions, credentials, region })
  client = clientWith()
})
afterEach(async () => {
  client.destroy()
  await emulator.close()
})

async function invoke(FunctionName: string, event?: unknown) {
  const payload = event === undefined ? {} : { Payload: JSON.stringify(event) }
  const response = await client.send(new InvokeCommand({ FunctionName, ...payload }))
  const text = response.Payload?.transformToString() ?? ''
  return {
    status: response.StatusCode,
    error: response.FunctionError,
    version: response.ExecutedVersion,
    payload: JSON.parse(text) as Record<string, unknown>,
  }
}

it('passes the event and returns the response, as JSON', async () => {
  expect(await invoke('echo', { a: ['ü', 1, null] })).toEqual({
    status: 200,
    error: undefined,
    version: '$LATEST',
    payload: { a: ['ü', 1, null] },
  })
  expect((await invoke('echo')).payload).toEqual({})
  expect((await invoke('nothing', {})).payload).toBeNull()
})

it('returns a function’s error as a response with a header', async () => {
  expect(await invoke('broken', {})).toMatchObject({
    status: 200,
    error: 'Unhandled',
    payload: { errorType: 'TypeError', errorMessage: 'no such thing', trace: expect.any(Array) },
  })
})

it('ends a function that exceeds its time limit', async () => {
  expect(await invoke('endless', {})).toMatchObject({
    error: 'Unhandled',
    payload: {
      errorType: 'Sandbox.Timedout',
      errorMessage: expect.stringMatching(/^RequestId: [\w-]+ Error: Task timed out after 0\.01 seconds$/),
    },
  })
})

it('refuses a response of more than 6 MB, counted in bytes', async () => {
  expect(await invoke('large', {})).toMatchObject({
    error: 'Unhandled',
    payload: {
      errorType: 'Function.ResponseSizeTooLarge',
      errorMessage: 'Response payload size exceeded maximum allowed payload size (6291556 bytes).',
    },
  })
})

it('refuses an unknown function, a payload that is too large, and invalid JSON', async () => {
  await expect(invoke('other', {})).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
    message: 'Function not found: arn:aws:lambda:us-east-1:000000000000:function:other',
    $metadata: { httpStatusCode: 404 },
  })
  await expect(invoke('toString', {})).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
  await expect(invoke('echo', 'a'.repeat(6_291_456))).rejects.toMatchObject({
    name: 'RequestEntityTooLargeException',
    message: 'Request must be smaller than 6291456 bytes for the InvokeFunction operation',
    $metadata: { httpStatusCode: 413 },
  })
  await expect(client.send(new InvokeCommand({ FunctionName: 'echo', Payload: '{' }))).rejects.toMatchObject({
    name: 'InvalidRequestContentException',
    $metadata: { httpStatusCode: 400 },
  })
})

it('refuses callers without a signature, with other credentials, or with a signature for another region', async () => {
  const send = (otherClient: LambdaClient) =>
    otherClient
      .send(new InvokeCommand({ FunctionName: 'echo', Payload: '{}' }))
      .finally(() => otherClient.destroy())
  const address = `${emulator.url}/2015-03-31/functions/echo/invocations`
  const unsigned = await fetch(address, { method: 'POST', body: '{}' })
  expect([unsigned.status, unsigned.headers.get('x-amzn-errortype')]).toEqual([
    403,
    'MissingAuthenticationTokenException',
  ])
  for (const changes of [{ accessKeyId: 'other' }, { sessionToken: 'other' }, { sessionToken: undefined }])
    await expect(send(clientWith({ credentials: { ...credentials, ...changes } }))).rejects.toMatchObject({
      name: 'UnrecognizedClientException',
      $metadata: { httpStatusCode: 403 },
    })
  await expect(send(clientWith({ region: 'eu-west-1' }))).rejects.toMatchObject({
    name: 'InvalidSignatureException',
  })
})

describe('an event', () => {
  const runs: unknown[] = []
  const send = (FunctionName: string, event: unknown, changes = {}) =>
    client.send(
      new InvokeCommand({
        FunctionName,
        InvocationType: 'Event',
        Payload: JSON.stringify(event),
        ...changes,
      }),
    )
  /** Fails as often as its event says. */
  functions['failing'] = {
    name: 'documentReader',
    timeoutMs: 30_000,
    handler: async (event) => {
      runs.push(event)
      if (runs.length <= (event as { failures: number }).failures) throw new Error(`failure ${runs.length}`)
    },
  }
  beforeEach(() => {
    runs.length = 0
    waits.length = 0
  })

  it.each([
    [0, 1, []],
    [1, 2, [60_000]],
    [2, 3, [60_000, 120_000]],
  ])('whose function fails %i times runs %i times, after growing pauses', async (failures, times, pauses) => {
    expect(await send('failing', { failures })).toMatchObject({ StatusCode: 202 })
    await expect.poll(() => runs).toEqual(Array.from({ length: times }, () => ({ failures })))
    expect(waits).toEqual(pauses)
  })

  it('whose function fails a third time is given up, and the terminal says so', async () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    onTestFinished(() => write.mockRestore())
    await send('failing', { failures: 9 })
    await expect.poll(() => write.mock.calls.join('')).toContain('documentReader failed: ')
    expect(runs).toHaveLength(3)
    expect(write.mock.calls.join('')).toContain('failure 3')
  })

  it('does not wait for the function', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    functions['waiting'] = { name: 'documentReader', timeoutMs: 30_000, handler: () => promise }
    expect(await send('waiting', {})).toMatchObject({ StatusCode: 202 })
    expect(emulator.countRunning()).toBe(1)
    resolve()
    await expect.poll(() => emulator.countRunning()).toBe(0)
  })

  it('whose next attempt waits begins it at once if a test asks for it', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    blocked.push(promise)
    onTestFinished(() => {
      resolve()
      blocked.length = 0
    })
    await send('failing', { failures: 1 })
    await expect.poll(() => waits).toEqual([60_000])
    await expect.poll(() => emulator.countRunning()).toBe(0)
    expect(runs).toHaveLength(1)
    emulator.retryNow()
    await expect.poll(() => runs).toHaveLength(2)
  })

  it('of more than 1 MB, or for an unknown function, is refused; other kinds are not known', async () => {
    await expect(send('failing', 'a'.repeat(1_048_576))).rejects.toMatchObject({
      name: 'RequestEntityTooLargeException',
      $metadata: { httpStatusCode: 413 },
    })
    await expect(send('other', {})).rejects.toMatchObject({ name: 'ResourceNotFoundException' })
    await expect(send('failing', {}, { InvocationType: 'DryRun' })).rejects.toMatchObject({
      name: 'InvalidParameterValueException',
    })
  })
})
