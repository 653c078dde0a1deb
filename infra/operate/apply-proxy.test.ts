import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { childEnvironment } from '../../test/support/child-environment.ts'

/* https://github.com/eggent-ai/eggent/issues/21, https://github.com/n8n-io/n8n/issues/16171 */

/** what the proxy is asked to reach; it reaches nothing */
let asked: string[] = []
const proxy = createServer((request, response) => {
  asked.push(request.url ?? '')
  response.writeHead(502).end()
}).on('connect', ({ url }, socket: Duplex) => {
  asked.push(url ?? '')
  socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
})
/** a product on this computer */
let visits = 0
const product = createServer((_, response) => {
  visits += 1
  response.writeHead(404).end()
})
const portOf = (server: Server) => (server.address() as AddressInfo).port

beforeAll(async () => {
  for (const server of [proxy, product]) await once(server.listen(0, '127.0.0.1'), 'listening')
})
afterAll(() => {
  proxy.close()
  product.close()
})
beforeEach(() => (asked = []))

const aws = { AWS_REGION: 'eu-central-1', AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' }

async function run(command: string[], env: Record<string, string>): Promise<string> {
  const child = spawn(process.execPath, command, {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...childEnvironment, ...aws, AWS_MAX_ATTEMPTS: '1', ...env },
  })
  const [output, problem] = await Promise.all([text(child.stdout), text(child.stderr)])
  return output + problem
}

it.each(['HTTPS_PROXY', 'https_proxy'])(
  'a command reaches AWS through the proxy that %s names',
  async (name) => {
    await run(['infra/operate/outputs.ts'], { [name]: `http://127.0.0.1:${portOf(proxy)}` })
    expect(new Set(asked)).toEqual(new Set(['cloudformation.eu-central-1.amazonaws.com:443']))
  },
)

it('a proxy may be named without a scheme', async () => {
  await run(['infra/operate/outputs.ts'], { HTTPS_PROXY: `127.0.0.1:${portOf(proxy)}` })
  expect(asked).not.toEqual([])
})

it('a host of NO_PROXY is reached without it, and so is this computer, whatever NO_PROXY says', async () => {
  const address = `http://127.0.0.1:${portOf(proxy)}`
  await run(['infra/operate/outputs.ts'], { HTTPS_PROXY: address, NO_PROXY: '.amazonaws.com' })
  const both = { HTTPS_PROXY: address, HTTP_PROXY: address, NO_PROXY: 'example.org' }
  await run(['infra/operate/smoke.ts', '--url', `http://127.0.0.1:${portOf(product)}`], both)
  expect({ asked, visits }).toEqual({ asked: [], visits: 1 })
})

it('a value that is no address of a proxy is said to be none', async () => {
  expect(await run(['infra/operate/outputs.ts'], { HTTPS_PROXY: 'socks5://127.0.0.1:1' })).toContain(
    'HTTPS_PROXY must be the address of a proxy, such as http://proxy.example.org:8080. No proxy is used.',
  )
})

it('a model server of the own network is called directly, and others through the proxy', async () => {
  const address = `http://127.0.0.1:${portOf(proxy)}`
  const script = (server: string) =>
    `const { applyProxy } = await import('./infra/operate/apply-proxy.ts')
    applyProxy(['${server}/v1'])
    const failure = await fetch('${server}/v1/models', { signal: AbortSignal.timeout(300) }).catch((error) => error)`
  const call = (server: string) =>
    run(['--input-type=module', '-e', script(server)], { HTTPS_PROXY: address, HTTP_PROXY: address })
  for (const server of [
    'http://192.168.255.254:8080',
    'http://172.31.0.1:8080',
    'http://127.0.0.2:8080',
    'http://ollama:8080',
  ])
    await call(server)
  expect(asked).toEqual([])
  for (const server of ['http://172.32.0.1:8080', 'https://models.example.org']) await call(server)
  expect(asked).toEqual(['172.32.0.1:8080', 'models.example.org:443'])
})
