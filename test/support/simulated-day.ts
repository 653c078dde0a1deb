import {
  CognitoIdentityProviderClient,
  GetTokensFromRefreshTokenCommand,
} from '@aws-sdk/client-cognito-identity-provider'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { addTool, connect, notes } from './belongings.ts'
import { startSources } from './catalogue-sources.ts'
import { connectProvider } from './connect-provider.ts'
import { docx } from './document-samples.ts'
import { type LocalStack, startStack } from './local-stack.ts'
import { ask } from './read-along.ts'
import { openStackTable } from './stack-table.ts'
import { caller, type StackUser } from './stack-user.ts'
import { passwordStep } from './two-factor.ts'
import { postFile, presign, uploadDocument, uploadFile } from './upload.ts'
import type { Held } from './watched-process.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** Access tokens live for 15 minutes. */
const quarterMs = 14 * minuteMs
/** What is past its end may stay for this long: nothing is tidied up at the very moment. */
const graceSeconds = 2 * 60 * 60

/** What there is at an hour's end, when everything that the user made in it is deleted again. */
export interface Standing extends Held {
  /** rows without an end, by the beginnings of their keys */
  lastingRows: Record<string, number>
  /** rows whose end has passed long ago */
  lapsedRows: number
  secrets: number
  /** files of the data folder but those of the database, which tidies up in its own time */
  storedFiles: string[]
  logBytes: number
}

/** The whole product, as `npm start` runs it, with a clock that can be moved and a look at what its process holds. */
export async function startWatchedStack(env: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'juno-watched-'))
  const addressFile = join(folder, 'address')
  const watcher = pathToFileURL(join(import.meta.dirname, 'watched-process.ts')).href
  const sources = await startSources()
  const stack = await startStack({
    env: {
      GITHUB_API_URL: sources.url,
      MCP_REGISTRY_URL: sources.url,
      NODE_OPTIONS: `--expose-gc --import=${watcher}`,
      WATCHED_ADDRESS_FILE: addressFile,
      ...env,
    },
  })
  const address = await readFile(addressFile, 'utf8')
  const held = async (query = '') => (await (await fetch(`${address}/${query}`)).json()) as Held
  return {
    stack,
    held: () => held(),
    async advance(ms: number) {
      await held(`?advanceMs=${ms}`)
    },
    async stop() {
      await stack.stop()
      await sources.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

type WatchedStack = Awaited<ReturnType<typeof startWatchedStack>>

const kindOf = (key: unknown) => String(key).split('#')[0]

async function standing({ stack, held }: WatchedStack, nowSeconds: number): Promise<Standing> {
  const table = await openStackTable(stack)
  try {
    const rows = await table.everyRow()
    const lastingRows: Record<string, number> = {}
    for (const { PK, SK, ttl } of rows) {
      const kind = `${kindOf(PK)}/${kindOf(SK)}`
      if (ttl === undefined) lastingRows[kind] = (lastingRows[kind] ?? 0) + 1
    }
    const files = await readdir(stack.dataDir, { recursive: true, withFileTypes: true })
    const secrets = JSON.parse(await readFile(join(stack.dataDir, 'secrets.json'), 'utf8')) as object
    return {
      ...(await held()),
      lastingRows,
      lapsedRows: rows.filter(({ ttl }) => Number(ttl) < nowSeconds - graceSeconds).length,
      secrets: Object.values(secrets).filter(({ deletedAtSeconds }) => deletedAtSeconds === undefined).length,
      storedFiles: files
        .filter((file) => file.isFile())
        .map((file) => join(file.parentPath, file.name).slice(stack.dataDir.length + 1))
        .filter((path) => !path.startsWith('dynamodb/')),
      logBytes: (await stat(join(stack.dataDir, 'log.jsonl'))).size,
    }
  } finally {
    table.close()
  }
}

const question = (content: string, more: object = {}) => ({
  messages: [{ role: 'user' as const, content, ...more }],
  sessionId: crypto.randomUUID(),
  messageId: crypto.randomUUID(),
})

/** Answers what a tool asks before it writes. */
async function approve(user: StackUser, sessionId: string): Promise<void> {
  const { run } = await user.call('sessions.read', { params: { sessionId } })
  const [asked] = run?.questions ?? []
  if (!run || !asked) throw new Error('nothing was asked before a tool wrote')
  await user.call('runs.answer', {
    params: { sessionId },
    body: { runId: run.run_id, callId: asked.call_id, approved: true },
  })
}

/** What somebody does in a quarter of an hour. */
const quarters: ((stack: LocalStack, user: StackUser) => Promise<void>)[] = [
  async function talks(_, user) {
    const first = question('/markdown')
    await ask(user, first).finished
    const second = { ...question('/echo Once more'), sessionId: first.sessionId }
    await ask(user, second).finished
    await ask(user, { ...question('/echo Better'), sessionId: first.sessionId, replaces: second.messageId })
      .finished
    await user.call('sessions.rename', { params: { sessionId: first.sessionId }, body: { title: 'Mine' } })
    await ask(user, { ...question('/echo Nobody keeps this'), keep: false }).finished
    const left = ask(user, question('/long'))
    await left.until(({ received }) => received.length > 2)
    await left.leave()
    await user.call('sessions.corpus')
  },

  async function attaches(_, user) {
    const document = { name: 'a.docx', type: '', content: docx('The secret word is heliotrope.') }
    const { attachment } = await uploadDocument(user, document)
    await ask(user, question('What is the word?', { attachments: [attachment] })).finished
    await uploadFile(user, notes)
    // begun and left
    const { upload } = await presign(user, notes)
    await postFile(upload, Buffer.from(notes.content))
    await user.call('chat.send', { body: question('Draw a red cat') })
  },

  async function usesTools(_, user) {
    await user.call('chat.send', { body: question('Show my recent Gmail emails') })
    await connect(user)
    const wish = question('Create a Notion page with the title "Packing"')
    await user.call('chat.send', { body: wish })
    await approve(user, wish.sessionId)
    await user.call('integrations.disconnect', { params: { mcpId: 'notion' } })
    const { tool } = await addTool(user)
    await user.call('customTools.remove', { params: { toolId: tool.id } })
  },

  async function looksAround({ origin }, user) {
    await user.call('registry.refresh', { body: { kind: 'refresh' } })
    await user.call('registry.page', { query: { page: 1, limit: 20 } })
    await user.call('integrations.cleanup')
    // begun and left
    await user.call('oauth.handle', {
      body: {
        action: 'initiate',
        mcpId: 'google-drive',
        clientId: 'demo',
        environment: 'production',
        redirectUri: `${origin}/oauth/callback`,
      },
    })
    await user.send('account.export')
    await user.call('account.save', { body: { display_name: 'Ann' } })
  },
]

/** Everything that the user made is deleted; what may be answered still goes first. */
async function tidyUp(user: StackUser): Promise<void> {
  const { sessions } = await user.call('sessions.list')
  for (const { id } of sessions) await user.call('sessions.delete', { params: { sessionId: id } })
  const { attachments } = await user.call('files.list')
  for (const { id } of attachments) await user.call('files.delete', { params: { attachmentId: id } })
}

/**
 * One user's hours: every hour begins with a sign-in, tokens are renewed each quarter of it, and in the end everything made in it is
 * deleted.
 * @returns what there was at each hour's end
 */
export async function simulateHours(watched: WatchedStack, hours: number): Promise<Standing[]> {
  const { stack, advance } = watched
  let user = await stack.newUser({ name: 'Ann' })
  await connectProvider(stack, user, 'gmail')
  const config = (await (await fetch(`${stack.origin}/config.json`)).json()) as {
    region: string
    userPoolClientId: string
    userPoolEndpoint: string
  }
  const pool = new CognitoIdentityProviderClient({
    region: config.region,
    endpoint: config.userPoolEndpoint,
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  })
  const startedAtMs = Date.now()
  let aheadMs = 0
  const standings: Standing[] = []
  try {
    for (let hour = 1; hour <= hours; hour += 1) {
      let refreshToken: string | undefined
      for (const doSomething of quarters) {
        const tokens =
          refreshToken === undefined
            ? (await passwordStep(stack, user)).tokens
            : (
                await pool.send(
                  new GetTokensFromRefreshTokenCommand({
                    ClientId: config.userPoolClientId,
                    RefreshToken: refreshToken,
                  }),
                )
              ).AuthenticationResult
        refreshToken = tokens?.RefreshToken
        const accessToken = tokens?.AccessToken ?? ''
        user = { ...user, accessToken, ...caller(stack.origin, accessToken) }
        await doSomething(stack, user)
        if (doSomething === quarters.at(-1)) await tidyUp(user)
        await advance(quarterMs)
        aheadMs += quarterMs
      }
      const rest = hour * hourMs - aheadMs
      await advance(rest)
      aheadMs += rest
      standings.push(await standing(watched, (startedAtMs + aheadMs) / 1_000))
    }
    return standings
  } finally {
    pool.destroy()
  }
}
