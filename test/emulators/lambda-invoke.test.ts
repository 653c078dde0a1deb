import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type InvokedFunction, startLambdaEmulator } from '../../infra/local/emulators/lambda-invoke.ts'
import type { LocalServer } from '../../infra/local/listen.ts'

// Texts and headers like Lambda's: https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html; the error messages as
// localstack's and other public repositories' tests recorded them on AWS.

const region = 'us-east-1'
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
let emulator: LocalServer
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
