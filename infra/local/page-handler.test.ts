import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listen, type LocalServer } from './listen.ts'
import { pageHandler } from './page-handler.ts'

let folder: string
let server: LocalServer

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'juno-page-'))
  await mkdir(join(folder, 'dist/assets'), { recursive: true })
  await writeFile(join(folder, 'secret.txt'), 'secret')
  await writeFile(join(folder, 'dist/index.html'), '<title>app</title>')
  await writeFile(join(folder, 'dist/theme.js'), '1')
  await writeFile(join(folder, 'dist/.env'), 'secret')
  await writeFile(join(folder, 'dist/assets/main-abc123.js'), '2')
  await mkdir(join(folder, 'dist/diagram/assets'), { recursive: true })
  await writeFile(join(folder, 'dist/diagram/assets/main-abc123.js'), '3')
  const handle = pageHandler(join(folder, 'dist'))
  server = await listen(
    createServer((request, response) => {
      // as a client may send it, without resolving `..`
      void handle(request, response, { pathname: request.url ?? '/' } as URL)
    }),
  )
})

afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

const get = async (path: string, method = 'GET') => {
  const response = await fetch(server.url + path, { method })
  const { headers } = response
  return {
    status: response.status,
    type: headers.get('content-type'),
    cache: headers.get('cache-control'),
    text: await response.text(),
  }
}

const appPage = {
  status: 200,
  type: 'text/html; charset=utf-8',
  cache: 'no-cache',
  text: '<title>app</title>',
}

it('serves hashed assets as immutable and the rest for revalidation', async () => {
  expect(await get('/assets/main-abc123.js')).toEqual({
    status: 200,
    type: 'text/javascript; charset=utf-8',
    cache: 'public, max-age=31536000, immutable',
    text: '2',
  })
  expect(await get('/diagram/assets/main-abc123.js')).toMatchObject({
    cache: 'public, max-age=31536000, immutable',
    text: '3',
  })
  expect(await get('/theme.js')).toMatchObject({ status: 200, cache: 'no-cache', text: '1' })
})

it.each(['/', '/auth', '/settings', '/c/1.5', '/no.such.js', '/%', '/assets'])(
  'serves the app at %s',
  async (path) => {
    expect(await get(path)).toEqual(appPage)
  },
)

it('returns 404 for a missing asset', async () => {
  expect(await get('/diagram/assets/main-000000.js')).toMatchObject({ status: 404 })
  expect(await get('/assets/main-000000.js')).toMatchObject({
    status: 404,
    type: 'text/plain; charset=utf-8',
  })
})

it('caches assets with a content hash in their name, and reads everything else each time', async () => {
  const asset = join(folder, 'dist/assets/once-abc123.js')
  await writeFile(asset, 'first')
  expect(await get('/assets/once-abc123.js')).toMatchObject({ status: 200, text: 'first' })
  await rm(asset)
  expect(await get('/assets/once-abc123.js')).toMatchObject({ status: 200, text: 'first' })
  expect(await get('/assets/..%2ftheme.js')).toMatchObject({ cache: 'no-cache', text: '1' })
  await writeFile(join(folder, 'dist/theme.js'), 'changed')
  expect((await get('/assets/..%2ftheme.js')).text).toBe('changed')
  await writeFile(join(folder, 'dist/theme.js'), '1')
})

it.each(['/%2e%2e/secret.txt', '/..%2fsecret.txt', '/assets/..%2f..%2fsecret.txt', '/.env', '/theme.js%00'])(
  'reveals nothing at %s',
  async (path) => {
    expect((await get(path)).text).not.toContain('secret')
  },
)

it('answers HEAD without a body and refuses writes', async () => {
  expect(await get('/', 'HEAD')).toEqual({ ...appPage, text: '' })
  expect(await get('/theme.js', 'HEAD')).toMatchObject({ status: 200, text: '' })
  expect((await get('/', 'POST')).status).toBe(405)
})
