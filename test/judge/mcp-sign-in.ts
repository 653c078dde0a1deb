import { setTimeout as wait } from 'node:timers/promises'
import { calls, says, startFakeModel, type ModelRequest } from '../support/fake-model-server.ts'
import { startStack, type LocalStack } from '../support/local-stack.ts'
import { startMcpRegistry } from '../support/mcp-registry.ts'
import { buildExchange } from '../support/provider-consent.ts'
import type { StackUser } from '../support/stack-user.ts'
import type { JudgeServer } from './mcp-servers.ts'

/** Runs a step of the judge. @param work returns what is wrong */
type RunStep = (what: string, work: () => Promise<string | undefined>) => Promise<void>

/**
 * Goes through a sign-in as a browser does: follows redirects with cookies, and sends each form as it is, with a name and a password.
 * @returns the address of the product that the user is sent back to
 */
async function signIn(authUrl: string, origin: string): Promise<URL> {
  const cookies = new Map<string, string>()
  let request: { url: string; body?: URLSearchParams } = { url: authUrl }
  for (let step = 0; step < 20; step += 1) {
    const { url, body } = request
    if (url.startsWith(origin)) return new URL(url)
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie, accept: 'text/html' },
      ...(body && { method: 'POST', body }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    const html = location === null ? await response.text() : ''
    if (location !== null) request = { url: new URL(location, url).href }
    else {
      const action = /<form[^>]*action="([^"]*)"/.exec(html)?.[1]
      if (action === undefined) throw new Error(`no way on: ${response.status} ${html.slice(0, 200)}`)
      const hidden = [...html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
      // of several buttons the first one agrees
      const button = /<button[^>]*name="([^"]+)"[^>]*value="([^"]*)"/.exec(html)
      const fields = [...hidden, ...(button ? [button] : [])].map(([, name = '', value = '']) => [
        name,
        value,
      ])
      request = {
        url: new URL(action, url).href,
        body: new URLSearchParams([...fields, ['login', 'ann'], ['password', 'secret']]),
      }
    }
  }
  throw new Error('the sign-in does not end')
}

async function openProduct(host: string, url: string) {
  const [registry, model] = await Promise.all([startMcpRegistry(), startFakeModel(says(''))])
  registry.published.push({ name: 'com.example/judge', title: 'Judge', url })
  const stack = await startStack({
    env: {
      MCP_REGISTRY_URL: registry.url,
      OUTBOUND_ALLOW: host,
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_MODEL: 'fake',
      RATE_LIMIT_FACTOR: '100',
    },
  })
  return {
    stack,
    model,
    close: async () => {
      await stack.stop()
      await registry.close()
      model.close()
    },
  }
}

async function findEntry(user: StackUser): Promise<string> {
  await user.call('registry.refresh', { body: { kind: 'force' } })
  for (let tries = 0; tries < 100; tries += 1) {
    const { items } = await user.call('registry.search', { query: { term: 'judge', page: 1, limit: 20 } })
    if (items[0]) return items[0].id
    await wait(100)
  }
  throw new Error('the catalogue does not list it')
}

async function connect(stack: LocalStack, user: StackUser, mcpId: string): Promise<string | undefined> {
  const redirectUri = `${stack.origin}/oauth/callback`
  const begun = await user.send('oauth.handle', { body: { action: 'initiate', mcpId, redirectUri } })
  const { authUrl } = begun.body as { authUrl?: string }
  if (authUrl === undefined) return `no sign-in: ${begun.status} ${JSON.stringify(begun.body)}`
  const back = await signIn(authUrl, stack.origin)
  const { status, body } = await user.send('oauth.handle', { body: buildExchange(back) })
  return status === 200 ? undefined : `${back.search} ${status} ${JSON.stringify(body)}`
}

/**
 * Runs what users do with a server that wants a sign-in, through the whole product: two users connect and call it, it restarts and
 * forgets clients and tokens, the product says so, and both connect again.
 */
export async function judgeSignIn(runStep: RunStep, server: JudgeServer): Promise<void> {
  const { name, url, host, reading } = server
  const { stack, model, close } = await openProduct(host, url)
  try {
    const [ann, bob] = [await stack.newUser(), await stack.newUser()]
    const mcpId = await findEntry(ann)
    /** Lets the model call the tool, approves it, and returns its result, or what the reply waits for. */
    const call = async (user: StackUser) => {
      model.behave((response, request, body: ModelRequest) => {
        const tool = body.tools?.find((one) => one.function.name.includes(reading.tool))?.function.name
        const isAnswered = body.messages.at(-1)?.role === 'tool'
        const behave =
          tool && !isAnswered
            ? calls({ id: 'call_1', name: tool, arguments: JSON.stringify(reading.input) })
            : says('Done.')
        return behave(response, request, body)
      })
      const sessionId = crypto.randomUUID()
      const messages = [{ role: 'user' as const, content: 'Read it.' }]
      let { body } = await user.send('chat.send', {
        body: { sessionId, messageId: crypto.randomUUID(), messages },
      })
      const { run } = await user.call('sessions.read', { params: { sessionId } })
      const question = run?.questions?.[0]
      if (question?.kind === 'approval')
        ({ body } = await user.send('runs.answer', {
          params: { sessionId },
          body: { runId: run?.run_id ?? '', callId: question.call_id, approved: true },
        }))
      const after = await user.call('sessions.read', { params: { sessionId } })
      const asked = after.run?.status === 'waiting' ? after.run.questions?.[0]?.kind : undefined
      return { result: JSON.stringify(body), asked }
    }
    const read = async (user: StackUser) => {
      const { result } = await call(user)
      const plain = (text: string) => text.replaceAll(/["\\]/g, '')
      // whole numbers that JavaScript does not have are text in the JSON form
      return plain(result).includes(plain(reading.result)) ? undefined : `${reading.tool} gave ${result}`
    }
    await runStep(`${name}: a user connects by its sign-in`, () => connect(stack, ann, mcpId))
    await runStep(`${name}: is called`, () => read(ann))
    await runStep(`${name}: another user connects`, () => connect(stack, bob, mcpId))
    await runStep(`${name}: after its restart the reply asks to connect again`, async () => {
      server.kill()
      await server.start()
      const { asked, result } = await call(ann)
      return asked === 'reconnect' ? undefined : `it asks ${asked}: ${result}`
    })
    await runStep(`${name}: the user connects again`, () => connect(stack, ann, mcpId))
    await runStep(`${name}: is called again`, () => read(ann))
    await runStep(`${name}: the other user connects again`, () => connect(stack, bob, mcpId))
    await runStep(`${name}: is called by the other user`, () => read(bob))
  } finally {
    await close()
  }
}
