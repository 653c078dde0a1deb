import { expect, it, vi } from 'vitest'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo } from 'node:net'
import { ProtocolError } from '@modelcontextprotocol/client'
import { LoggableError } from '../errors.ts'
import { logger, userHash, type LogFields } from './logger.ts'
import { outboundHttp } from '../net/outbound-http.ts'

function captureLine(write: () => void): string {
  const output = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  write()
  const line = String(output.mock.calls[0]?.[0])
  output.mockRestore()
  return line
}

it('writes only allowed fields', () => {
  const fields = { requestId: 'r', content: 'my secret diary', email: 'ann@example.org' } as LogFields
  const line = captureLine(() => logger.with({ route: 'chat.send' }).info('request', fields))
  expect(JSON.parse(line)).toEqual({
    time: expect.any(String) as string,
    level: 'info',
    message: 'request',
    requestId: 'r',
    route: 'chat.send',
  })
})

it('writes the causes of our own errors, without tokens', () => {
  const cause = new LoggableError('401 with Bearer eyJhbGciOi.eyJzdWIi.c2ln and key sk-live-1234567890')
  const line = captureLine(() =>
    logger.error('failed', { error: new LoggableError('the call failed', { cause }) }),
  )
  expect(line).toContain('the call failed')
  expect(line).toContain('401 with')
  expect(line).not.toMatch(/eyJ|sk-live/)
})

class LibraryError extends Error {
  override readonly name = 'LibraryError'
}

it('writes no words or addresses of a server, whatever error contains them (L2)', () => {
  const words =
    'no: key of Ann Lee, 12 Elm Street\n    at https://ann.example/secret:1:1\n    at /home/ann:1:1'
  const rpcError = new ProtocolError(-32_603, words)
  const errors = [
    rpcError,
    new SyntaxError(words),
    new TypeError(words),
    new LibraryError(words),
    new Error(words),
  ]
  for (const error of errors) {
    const line = captureLine(() => logger.warn('failed', { error: new Error('around it', { cause: error }) }))
    expect(line).not.toMatch(/Ann|Elm|ann/)
    expect(line).toContain(`"name":"${error.name}"`)
    // the place in the code is still logged
    expect(line).toContain('logger.test.ts')
  }
  expect(captureLine(() => logger.warn('failed', { error: rpcError }))).toContain('"code":-32603')
  const refusal = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:443'), { code: 'ECONNREFUSED' })
  const line = captureLine(() => logger.warn('failed', { error: refusal }))
  expect(line).toContain('"code":"ECONNREFUSED"')
  expect(line).not.toContain('10.0.0.7')
})

it('writes no host of a call without a response (L2)', async () => {
  const closedServer = createServer().listen(0, '127.0.0.1')
  await once(closedServer, 'listening')
  const host = `127.0.0.1:${(closedServer.address() as AddressInfo).port}`
  closedServer.close()
  const http = outboundHttp({ allow: [host] })
  const response = http.request(`http://${host}/key-in-the-path`, { method: 'GET' })
  const error: unknown = await response.catch((caught: unknown) => caught)
  await http.close()
  const line = captureLine(() => logger.warn('failed', { error }))
  expect(line).toContain('OutboundFailed')
  expect(line).toContain('ECONNREFUSED')
  expect(line).not.toMatch(/127\.0\.0\.1|key-in-the-path/)
})

it.each([
  ['a call that may not be redirected', { redirect: 'error' }],
  ['a body that is redirected to another server', { body: 'x' }],
] as const)('writes no host for %s (L2)', async (_, init) => {
  const server = createHttpServer((_request, response) => {
    response.writeHead(307, { location: 'https://elsewhere.example/' }).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const http = outboundHttp({ allow: [host] })
  const response = http.request(`http://${host}/`, { method: 'POST', ...init })
  const error: unknown = await response.catch((caught: unknown) => caught)
  await http.close()
  server.close()
  const line = captureLine(() => logger.warn('failed', { error }))
  expect(line).toContain('redirect')
  expect(line).not.toMatch(/127\.0\.0\.1|elsewhere/)
})

it('writes the status of another server’s response, not its text', () => {
  const refusal = Object.assign(new Error('429 you said: my secret diary'), { status: 429, headers: {} })
  const line = captureLine(() =>
    logger.error('failed', { error: new LoggableError('the call failed', { cause: refusal }) }),
  )
  expect(line).toContain('"status":429')
  expect(line).not.toContain('diary')
})

it('identifies users by a hash', () => {
  expect(userHash('ann')).toMatch(/^[0-9a-f]{12}$/)
  expect(userHash('ann')).not.toBe(userHash('ben'))
})
