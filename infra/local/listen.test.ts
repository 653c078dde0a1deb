import { createServer } from 'node:http'
import { connect } from 'node:net'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listen, type LocalServer } from './listen.ts'

let server: LocalServer
let events: string[]
beforeAll(async () => {
  events = []
  const http = createServer((request, response) => {
    events.push(`request ${request.url}`)
    request.resume().on('end', () => response.end('secret'))
  })
  server = await listen(http)
  // as Vite's development server does, after the start
  http.on('upgrade', (_request, socket) => {
    events.push('upgrade')
    socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n')
  })
})
afterAll(() => server.close())

const send = (head: string) =>
  new Promise<string>((resolve) => {
    let text = ''
    connect(server.port, '127.0.0.1', function (this: ReturnType<typeof connect>) {
      this.setEncoding('utf8').on('data', (part: string) => (text += part))
      this.on('close', () => resolve(text))
      this.end(`${head}\r\n\r\n`)
    })
  })

it.each(['127.0.0.1', 'localhost', 'LOCALHOST'])('accepts its own name %s', async (name) => {
  expect(await send(`GET / HTTP/1.1\r\nHost: ${name}:${server.port}\r\nConnection: close`)).toContain(
    'secret',
  )
})

it.each([
  ['another name', (port: number) => `rebound.evil.example:${port}`],
  ['a name that begins alike', (port: number) => `localhost.evil.example:${port}`],
  ['a user in front', (port: number) => `127.0.0.1@evil.example:${port}`],
  ['a loopback that nothing listens on', () => '[::1]'],
  ['nothing', () => ''],
])('a page that rebinds a name to 127.0.0.1 gets nothing (M6): %s', async (_, host) => {
  events = []
  const name = host(server.port)
  for (const extraHeaders of [
    '',
    'Expect: 100-continue\r\nContent-Length: 0\r\n',
    'Connection: Upgrade\r\nUpgrade: websocket\r\n',
  ])
    expect(
      await send(
        `POST / HTTP/1.1\r\nHost: ${name}\r\n${extraHeaders}X: y${extraHeaders === '' ? '\r\nConnection: close' : ''}`,
      ),
    ).toMatch(/^(HTTP\/1\.1 100 Continue\r\n\r\n)?HTTP\/1\.1 403 /)
  expect(events).toEqual([])
})

it('nothing else of the local product opens a port', async () => {
  const folder = import.meta.dirname
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.ts'))
  const filesThatListen = []
  for (const name of files)
    if (name !== 'listen.ts' && !name.endsWith('.test.ts'))
      if (/\.listen\(/.test(await readFile(join(folder, name), 'utf8'))) filesThatListen.push(name)
  expect(filesThatListen).toEqual([])
})
