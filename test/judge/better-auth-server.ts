import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { echoServer, respond } from './echo-server.ts'

/**
 * Server of the judge `mcp`: the protocol's own library behind better-auth's plugin for MCP, with pages of its own for the sign-in and the
 * consent. Clients register themselves; accounts, clients, tokens and keys are forgotten when it ends.
 * `node better-auth-server.ts PORT FOLDER`: the folder in which `@better-auth/mcp` is installed.
 */
const port = Number(process.argv[2])
const require = createRequire(join(process.argv[3] ?? '', 'index.js'))
type Handler = (request: Request) => Promise<Response>

interface Auth {
  handler: Handler
  api: { signUpEmail: (input: { body: object }) => Promise<unknown> }
}

interface Library {
  betterAuth: (options: object) => Auth
  memoryAdapter: (tables: object) => unknown
  jwt: () => unknown
  mcp: (options: object) => unknown
  requireMcpAuth: (auth: Auth, handle: Handler, options: object) => Handler
}

const origin = `http://127.0.0.1:${port}`
const resource = `${origin}/mcp`
const modules: Promise<Library>[] = [
  'better-auth',
  'better-auth/plugins',
  'better-auth/adapters/memory',
  '@better-auth/mcp',
].map(async (name) => import(pathToFileURL(require.resolve(name)).href))
const library: Library = Object.assign({}, ...(await Promise.all(modules)))
const tables = ['user', 'session', 'account', 'verification', 'jwks']
const oauthTables = [
  'Client',
  'AccessToken',
  'RefreshToken',
  'Consent',
  'Resource',
  'ClientResource',
  'ClientAssertion',
]
const auth = library.betterAuth({
  baseURL: origin,
  secret: 'a secret of at least thirty-two characters',
  database: library.memoryAdapter(
    Object.fromEntries([...tables, ...oauthTables.map((name) => `oauth${name}`)].map((name) => [name, []])),
  ),
  emailAndPassword: { enabled: true, minPasswordLength: 6 },
  rateLimit: { enabled: false },
  plugins: [
    library.jwt(),
    library.mcp({
      resource,
      loginPage: '/sign-in',
      consentPage: '/consent',
      allowDynamicClientRegistration: true,
      allowUnauthenticatedClientRegistration: true,
    }),
  ],
})
const email = 'ann@example.com'
await auth.api.signUpEmail({ body: { name: 'Ann', email, password: 'secret' } })

const answerMcp = library.requireMcpAuth(auth, (request) => echoServer.fetch(request), { resource })

const showForm = (title: string, action: string) =>
  new Response(`<!doctype html><title>${title}</title><form method="post" action="${action}"></form>`, {
    headers: { 'content-type': 'text/html' },
  })

/** Does what a page of the app does with the form: asks better-auth's API, and goes where it says. */
async function submit(request: Request, path: string, fields: object): Promise<Response> {
  const { search } = new URL(request.url)
  const answer = await auth.handler(
    new Request(`${origin}/api/auth${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        origin,
        cookie: request.headers.get('cookie') ?? '',
      },
      body: JSON.stringify({ ...fields, oauth_query: search.slice(1) }),
    }),
  )
  const { url } = (await answer.json()) as { url?: string }
  if (url === undefined) throw new Error(`no way on from ${path}: ${answer.status}`)
  const headers = new Headers({ location: url })
  for (const cookie of answer.headers.getSetCookie()) headers.append('set-cookie', cookie)
  return new Response(null, { status: 302, headers })
}

async function answer(request: Request): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const isPost = request.method === 'POST'
  if (pathname === '/mcp') return answerMcp(request)
  if (pathname === '/sign-in')
    return isPost
      ? submit(request, '/sign-in/email', {
          email,
          password: new URLSearchParams(await request.text()).get('password'),
        })
      : showForm('Sign in', `/sign-in${search}`)
  if (pathname === '/consent')
    return isPost
      ? submit(request, '/oauth2/consent', { accept: true })
      : showForm('Allow?', `/consent${search}`)
  // the judge visits pages by fetch, which says so: https://www.w3.org/TR/fetch-metadata/#sec-fetch-mode-header
  if (request.method === 'GET') request.headers.delete('sec-fetch-mode')
  return auth.handler(request)
}

createServer((message, response) => {
  respond(message, response, origin, answer).catch(() => response.destroy())
}).listen(port, '127.0.0.1')
