import { build } from 'esbuild'
import type OpenAI from 'openai'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { unusedOpenaiServices } from '../../infra/aws/function-build/unused-openai-services.ts'
import { temporaryFolder } from './synthesised.ts'

const requests: string[] = []
const server = createServer((request, response) => {
  requests.push(`${request.method} ${request.url}`)
  if (requests.length === 1) {
    response.writeHead(503).end()
    return
  }
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ data: [{ b64_json: 'aGk=' }] }))
})
let client: OpenAI

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const outfile = join(temporaryFolder(), 'openai.mjs')
  await build({
    stdin: { contents: "export { OpenAI } from 'openai'", resolveDir: import.meta.dirname },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    mainFields: ['module', 'main'],
    plugins: [unusedOpenaiServices],
  })
  const bundled = (await import(pathToFileURL(outfile).href)) as { OpenAI: typeof OpenAI }
  client = new bundled.OpenAI({
    apiKey: 'k',
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    maxRetries: 1,
  })
})
afterAll(() => server.close())

it('the client generates images, and retries after a failure', async () => {
  const { data } = await client.images.generate({ prompt: 'p' })
  expect(data?.[0]?.b64_json).toBe('aGk=')
  expect(requests).toEqual(['POST /v1/images/generations', 'POST /v1/images/generations'])
})

it('an omitted service says so when it is used', () => {
  for (const use of [() => client.vectorStores.list(), () => client.responses.create({ input: 'hi' })])
    expect(use).toThrow(/^openai: (?:VectorStores|Responses) is not part of this bundle$/)
})
