/** @module-tag long */
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { calls, says, startFakeModel } from '../support/fake-model-server.ts'
import { startStack, type LocalStack } from '../support/local-stack.ts'
import type { StackUser } from '../support/stack-user.ts'

const terms = `<!doctype html><html><head><title>New terms</title></head><body><nav>Careers</nav>
<main><h1>New terms</h1><p>Crafts cost 13.9 %. ${'Everybody who sells here has to know what these terms say. '.repeat(6)}</p>
<p><a href="/details?for=seller">Details</a></p></main></body></html>`

let paths: string[] = []
const web = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://x')
  paths.push(request.url ?? '')
  if (pathname === '/terms') response.writeHead(200, { 'content-type': 'text/html' }).end(terms)
  else if (pathname === '/moved') response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end()
  else if (pathname === '/app')
    response.end('<html><title>App</title><body><script src="/a.js"></script></body></html>')
  else if (pathname === '/login')
    response.end('<html><title>Sign in</title><body><form><input type="password"></form></body></html>')
  else if (pathname === '/offer')
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"price": 57.7}')
  // as SearXNG: JSON alone where it is asked for and allowed
  else if (pathname === '/search' && searchParams.get('format') !== 'json') response.writeHead(403).end()
  else if (pathname === '/search' && searchParams.get('q') === 'busy') response.writeHead(429).end()
  else if (pathname === '/search')
    response.writeHead(200, { 'content-type': 'application/json' }).end(
      JSON.stringify({
        query: '',
        results: [{ title: 'Found', url: `${root}/found?q=1`, content: 'Text', engine: 'x' }],
      }),
    )
  else if (/^\/(?:details|found)/.test(pathname))
    response.end('<html><title>Details</title><p>Returns are free.</p></html>')
  else response.writeHead(404).end('<p>Not here</p>')
})
let root: string
let model: Awaited<ReturnType<typeof startFakeModel>>
let stack: LocalStack
let ann: StackUser
beforeAll(async () => {
  web.listen(0, '127.0.0.1')
  await once(web, 'listening')
  const host = `127.0.0.1:${(web.address() as AddressInfo).port}`
  root = `http://${host}`
  model = await startFakeModel(says(''))
  stack = await startStack({
    env: {
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_MODEL: 'fake',
      OUTBOUND_ALLOW: host,
      WEB_SEARCH: 'searxng',
      WEB_SEARCH_URL: root,
    },
  })
  ann = await stack.newUser()
})
afterAll(async () => {
  await stack.stop()
  web.close()
  model.close()
})
beforeEach(() => {
  paths = []
})

let count = 0
const call = (name: string, input: object) =>
  calls({ id: `c${(count += 1)}`, name, arguments: JSON.stringify(input) })
const readsPage = (path: string) => call('read_page', { url: path.startsWith('http') ? path : root + path })
const send = (sessionId: string, content: string) =>
  ann.call('chat.send', {
    body: { sessionId, messageId: crypto.randomUUID(), messages: [{ role: 'user', content }] },
  })
const lastResult = () =>
  String(model.requests.at(-1)?.messages.findLast(({ role }) => role === 'tool')?.content)

it('a typed address is read at once: its text, a source, and a file that is read without another request', async () => {
  const sessionId = crypto.randomUUID()
  model.behave(readsPage('/terms'), says('13.9 %'))
  const {
    sources,
    toolCalls,
    attachments = [],
  } = (await send(sessionId, `What changes? ${root}/terms.`)) as unknown as {
    sources: object[]
    toolCalls: { result: { data: Record<string, unknown> } }[]
    attachments?: { id: string }[]
  }
  const page = JSON.parse(lastResult()) as Record<string, string>
  expect(page).toMatchObject({ url: `${root}/terms`, title: 'New terms', type: 'text/html' })
  expect(page['text']).toMatch(/^# New terms\n\n.*Crafts cost 13\.9 %/s)
  expect(page['text']).not.toContain('Careers')
  expect(sources).toEqual([{ url: `${root}/terms`, title: 'New terms' }])
  expect(toolCalls[0]?.result.data).toMatchObject({
    file_id: page['file_id'],
    words: expect.any(Number) as number,
  })
  expect(JSON.stringify(toolCalls)).not.toContain('Crafts cost')
  expect(attachments.map(({ id }) => id)).toEqual([page['file_id']])
  model.behave(call('read_attachment', { id: page['file_id'] }), says('Fine.'))
  await send(sessionId, 'And books?')
  expect(lastResult()).toContain('Crafts cost')
  model.behave(call('search_files', { wordings: ['Crafts'] }), says('Fine.'))
  await send(sessionId, 'And crafts?')
  expect(lastResult()).toContain('Crafts cost')
  expect(paths).toEqual(['/terms'])
})

it('an address that nobody typed waits with all of it, and its host may be allowed for one conversation', async () => {
  const sessionId = crypto.randomUUID()
  const url = `${root}/details?for=seller&mail=secret`
  model.behave(readsPage(url), readsPage('/details?more=1'), says('Done.'))
  await send(sessionId, 'Look into the details.')
  const { run } = await ann.call('sessions.read', { params: { sessionId } })
  const [question] = run?.questions ?? []
  expect([question?.arguments, paths]).toEqual([{ url }, []])
  await ann.call('runs.answer', {
    params: { sessionId },
    body: { runId: run?.run_id ?? '', callId: question?.call_id ?? '', approved: true, always: true },
  })
  // the second one has not asked
  expect(paths).toEqual(['/details?for=seller&mail=secret', '/details?more=1'])
  model.behave(readsPage('/details?later=1'), says('Done.'))
  await send(sessionId, 'More.')
  expect(paths).toHaveLength(3)
  model.behave(readsPage('/details?other=1'), says('Done.'))
  await send(crypto.randomUUID(), 'More.')
  expect(paths).toHaveLength(3)
})

it('what a search found is read at once, and a busy service is told', async () => {
  model.behave(call('search_web', { query: 'pool' }), readsPage('/found?q=1'), says('Done.'))
  const sessionId = crypto.randomUUID()
  await send(sessionId, 'Is it open?')
  expect(lastResult()).toContain('Returns are free')
  model.behave(call('search_web', { query: 'busy' }), says('Done.'))
  await send(sessionId, 'Again')
  expect(lastResult()).toMatch(/takes no more searches for now \(429\)/)
})

it.each([
  ['/gone', /answered with the error 404/],
  ['/moved', /not.*(?:public|called|allowed)/i],
  ['/app', /without its scripts.*"text":\s*"# App"/s],
  ['/login', /asks for a sign-in/],
  ['/offer', /application\/json.*57\.7/s],
])('reading %s says so', async (path, expected) => {
  model.behave(readsPage(path), says('Done.'))
  await send(crypto.randomUUID(), `Read ${root}${path}`)
  expect(lastResult()).toMatch(expected)
})
