import {
  CognitoIdentityProviderClient,
  GetTokensFromRefreshTokenCommand,
} from '@aws-sdk/client-cognito-identity-provider'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { addTool, connect, notes } from './belongings.ts'
import { startCatalogueSources } from './catalogue-sources.ts'
import { connectProvider } from './connect-provider.ts'
import { docx } from './document-samples.ts'
import { type LocalStack, startStack } from './local-stack.ts'
import { ask } from './read-along.ts'
import { openStackTable } from './stack-table.ts'
import { caller } from './caller.ts'
import type { StackUser } from './stack-user.ts'
import { passwordStep } from './two-factor.ts'
import { postFile, presign, uploadDocument, uploadFile } from './upload.ts'
import type { ResourceUse } from './process-watcher.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const quarterMs = 15 * minuteMs
/** Expired data may stay for this long, because clean-up is not immediate. */
const graceSeconds = 2 * 60 * 60
/** How often the table is read until expired rows are gone. */
const maxReads = 40

/** What is left at an hour's end, after everything that the user created in it was deleted. */
export interface Leftovers extends ResourceUse {
  /** rows that do not expire, by row kind */
  lastingRows: Record<string, number>
  /** rows that expired long ago */
  lapsedRows: number
  secrets: number
  /** files of the data folder, except the database's, which cleans up later */
  storedFiles: string[]
  logBytes: number
}

/** The whole product, as `npm start` runs it, with an adjustable clock and figures of its process's resources. */
export async function startWatchedStack(env: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'juno-watched-'))
  const addressFile = join(folder, 'address')
  const watcher = pathToFileURL(join(import.meta.dirname, 'process-watcher.ts')).href
  const sources = await startCatalogueSources()
  const stack = await startStack({
    fromSources: true,
    env: {
      GITHUB_API_URL: sources.url,
      MCP_REGISTRY_URL: sources.url,
      NODE_OPTIONS: `--expose-gc --import=${watcher}`,
      WATCHED_ADDRESS_FILE: addressFile,
      ...env,
    },
  })
  const address = await readFile(addressFile, 'utf8')
  const readResourceUse = async (query = '') =>
    (await (await fetch(`${address}/${query}`)).json()) as ResourceUse
  return {
    stack,
    measureResources: () => readResourceUse(),
    /** the same without collecting garbage first, which is faster */
    measureWithoutGc: () => readResourceUse('?skipGc'),
    async advance(ms: number) {
      await readResourceUse(`?advanceMs=${ms}`)
    },
    async stop() {
      await stack.stop()
      await sources.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

type WatchedStack = Awaited<ReturnType<typeof startWatchedStack>>

const getRowKind = (key: unknown) => String(key).split('#')[0]

async function measureLeftovers(
  { stack, measureResources }: WatchedStack,
  nowSeconds: number,
): Promise<Leftovers> {
  const table = await openStackTable(stack)
  const isLapsed = ({ ttl }: Record<string, unknown>) => Number(ttl) < nowSeconds - graceSeconds
  try {
    let rows = await table.readAllRows()
    // the read itself starts the clean-up, which runs in the background
    for (let read = 0; read < maxReads && rows.some(isLapsed); read += 1) {
      await sleep(50)
      rows = await table.readAllRows()
    }
    const lastingRows: Record<string, number> = {}
    for (const { PK, SK, ttl } of rows) {
      const kind = `${getRowKind(PK)}/${getRowKind(SK)}`
      if (ttl === undefined) lastingRows[kind] = (lastingRows[kind] ?? 0) + 1
    }
    const files = await readdir(stack.dataDir, { recursive: true, withFileTypes: true })
    const secrets = JSON.parse(await readFile(join(stack.dataDir, 'secrets.json'), 'utf8')) as object
    return {
      ...(await measureResources()),
      lastingRows,
      lapsedRows: rows.filter(isLapsed).length,
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

/** Approves a tool call that waits. */
async function approve(user: StackUser, sessionId: string): Promise<void> {
  const { run } = await user.call('sessions.read', { params: { sessionId } })
  const [asked] = run?.questions ?? []
  if (!run || !asked) throw new Error('nothing was asked before a tool wrote')
  await user.call('runs.answer', {
    params: { sessionId },
    body: { runId: run.run_id, callId: asked.call_id, approved: true },
  })
}

/** A user's actions in a quarter of an hour. */
const quarterHours: ((stack: LocalStack, user: StackUser) => Promise<void>)[] = [
  async function chat(_, user) {
    const first = question('/markdown')
    await ask(user, first).finished
    const second = { ...question('/echo Once more'), sessionId: first.sessionId }
    await ask(user, second).finished
    await ask(user, { ...question('/echo Better'), sessionId: first.sessionId, replaces: second.messageId })
      .finished
    await user.call('sessions.update', { params: { sessionId: first.sessionId }, body: { title: 'Mine' } })
    await ask(user, { ...question('/echo Nobody keeps this'), keep: false }).finished
    const reading = ask(user, question('/long'))
    await reading.until(({ received }) => received.length > 2)
    await reading.leave()
    await user.call('sessions.corpus')
  },

  async function attachFiles(_, user) {
    const document = { name: 'a.docx', type: '', content: docx('The secret word is heliotrope.') }
    const { attachment } = await uploadDocument(user, document)
    await ask(user, question('What is the word?', { attachments: [attachment] })).finished
    await uploadFile(user, notes)
    // begun and left
    const { upload } = await presign(user, notes)
    await postFile(upload, Buffer.from(notes.content))
    await user.call('chat.send', { body: question('Draw a red cat') })
  },

  async function useTools(_, user) {
    await user.call('chat.send', { body: question('Show my recent Gmail emails') })
    await connect(user)
    const body = question('Create a Notion page with the title "Packing"')
    await user.call('chat.send', { body })
    await approve(user, body.sessionId)
    await user.call('integrations.disconnect', { params: { mcpId: 'notion' } })
    const { tool } = await addTool(user)
    await user.call('customTools.remove', { params: { toolId: tool.id } })
  },

  async function visitOtherPages({ origin }, user) {
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

/** Deletes everything that the user created; conversations first, because their runs may still be waiting. */
async function tidyUp(user: StackUser): Promise<void> {
  const { sessions } = await user.call('sessions.list')
  for (const { id } of sessions) await user.call('sessions.delete', { params: { sessionId: id } })
  const { attachments } = await user.call('files.list')
  for (const { id } of attachments) await user.call('files.delete', { params: { attachmentId: id } })
}

const objectsIn = ({ storedFiles }: Leftovers) => storedFiles.filter((path) => path.startsWith('objects/'))

/** Keeps one user signed in, because tokens are valid for a quarter of an hour. */
async function openSignIns(stack: LocalStack, person: StackUser) {
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
  let refreshToken: string | undefined
  const refresh = (RefreshToken: string) =>
    pool.send(new GetTokensFromRefreshTokenCommand({ ClientId: config.userPoolClientId, RefreshToken }))
  return {
    /** the user with a valid token, of a new sign-in or refreshed */
    async user(isNew: boolean): Promise<StackUser> {
      const tokens =
        isNew || refreshToken === undefined
          ? (await passwordStep(stack, person)).tokens
          : (await refresh(refreshToken)).AuthenticationResult
      refreshToken = tokens?.RefreshToken
      const accessToken = tokens?.AccessToken ?? ''
      return { ...person, accessToken, ...caller(stack.origin, accessToken) }
    },
    close: () => pool.destroy(),
  }
}

/**
 * One user's hours: every hour starts with a sign-in, tokens are refreshed every quarter, and in the end everything created in it is
 * deleted. A day after the last hour the user comes back once.
 * @returns what was left at each hour's end, and a day later
 * @throws Error when one of the user's actions fails
 */
export async function simulateHours(
  watched: WatchedStack,
  count: number,
): Promise<{ hours: Leftovers[]; dayLater: Leftovers }> {
  const { stack } = watched
  const startedAtMs = Date.now()
  let aheadMs = 0
  const moveTo = async (ms: number) => {
    await watched.advance(ms - aheadMs)
    aheadMs = ms
  }
  const measure = () => measureLeftovers(watched, (startedAtMs + aheadMs) / 1_000)
  const person = await stack.newUser({ name: 'Ann' })
  await connectProvider(stack, person, 'gmail')
  const signIns = await openSignIns(stack, person)
  try {
    const hours: Leftovers[] = []
    for (let hour = 0; hour < count; hour += 1) {
      for (const [index, doSomething] of quarterHours.entries()) {
        await moveTo(hour * hourMs + index * quarterMs)
        const user = await signIns.user(index === 0)
        await doSomething(stack, user)
        if (index === quarterHours.length - 1) await tidyUp(user)
      }
      await moveTo((hour + 1) * hourMs)
      hours.push(await measure())
    }
    await moveTo((count + 25) * hourMs)
    const user = await signIns.user(true)
    await uploadFile(user, notes)
    await tidyUp(user)
    let dayLater = await measure()
    // the upload started the bucket's clean-up, which runs in the background
    for (let read = 0; read < maxReads && objectsIn(dayLater).length > 0; read += 1) {
      await sleep(50)
      dayLater = await measure()
    }
    return { hours, dayLater }
  } finally {
    signIns.close()
  }
}

/** The growth of a figure per hour: the slope of the regression line. */
function slope(values: readonly number[]): number {
  const calculateMean = (figures: readonly number[]) =>
    figures.reduce((sum, value) => sum + value, 0) / figures.length
  const [middle, average] = [(values.length - 1) / 2, calculateMean(values)]
  const over = calculateMean(values.map((_, index) => (index - middle) ** 2))
  return over === 0
    ? 0
    : calculateMean(values.map((value, index) => (index - middle) * (value - average))) / over
}

/**
 * What has grown over the hours although everything was deleted.
 * @param limits the first hours, in which code is compiled and caches fill, and how much the heap may rise in one of the others
 * @returns a sentence for each
 */
export function measureGrowth(
  { hours, dayLater }: Awaited<ReturnType<typeof simulateHours>>,
  { warmUpHours, heapBytesAnHour }: { warmUpHours: number; heapBytesAnHour: number },
): string[] {
  const later = hours.slice(warmUpHours)
  const [first, last] = [later[0], later.at(-1)]
  if (!first || !last) throw new Error(`fewer than ${warmUpHours + 1} hours`)
  const found: string[] = []
  const expectAtMost = (what: string, value: number, most: number) => {
    if (value > most) found.push(`${what}: ${value}, more than ${most}`)
  }
  const timers = ({ resources }: Leftovers) => resources['Timeout'] ?? 0
  const sockets = ({ resources }: Leftovers) => resources['TCPSocketWrap'] ?? 0
  const growing = Math.round(slope(later.map(({ heapBytes, externalBytes }) => heapBytes + externalBytes)))
  expectAtMost('bytes of heap and buffers an hour', growing, heapBytesAnHour)
  expectAtMost('timers', timers(last), timers(first) + 8)
  expectAtMost('sockets', sockets(last), sockets(first) + 15)
  expectAtMost('open descriptors', last.openDescriptors, first.openDescriptors + 30)
  for (const one of [last, dayLater]) {
    expectAtMost('rows past their end', one.lapsedRows, 0)
    expectAtMost('secrets', one.secrets, first.secrets)
    for (const [kind, rows] of Object.entries(one.lastingRows))
      expectAtMost(`rows ${kind} without an end`, rows, first.lastingRows[kind] ?? 0)
  }
  const objects = objectsIn(dayLater)
  if (objects.length > 0) found.push(`objects of nobody: ${objects.join(', ')}`)
  return found
}
