import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { findBundle } from '../../infra/local/bundle.ts'
import { projectRoot } from '../../infra/local/settings.ts'
import { findFreePort } from '../support/free-port.ts'
import { startStack } from '../support/local-stack.ts'
import { signIn } from './browser.ts'
import { ask, sendTurn } from './client.ts'
import { question, type Pace } from './pace.ts'

/** Folder of a built chat-ui (https://github.com/huggingface/chat-ui); without it there is nothing to compare with. */
export const folder = process.env['CHAT_UI']
const database = process.env['MONGODB_URL'] ?? 'mongodb://127.0.0.1:27017'
/** a new one for each run */
const databaseName = `chat-ui-${Date.now()}`
const startLimitMs = 60_000

/** One of the two products. */
export interface Side {
  origin: string
  /** sends a message as the page does, without a conversation in a new one; returns the time to the first token, and the conversation */
  send(conversation: string | undefined, pace: Pace): Promise<{ firstTokenMs: number; conversation: string }>
  /** deletes a conversation: a database without indexes would slow down with each */
  remove?(conversation: string): Promise<unknown>
  /** prepares a browser: signed in, nothing to dismiss */
  enter(page: Page): Promise<void>
  end(): Promise<void>
}

export type Sides = readonly [ours: Side, chatUi: Side]

export async function startOurs(modelUrl: string): Promise<Side> {
  process.env['PRODUCT_BUNDLE'] = await findBundle()
  const stack = await startStack({
    env: {
      OPENAI_BASE_URL: modelUrl,
      OPENAI_MODEL: 'bench',
      MODEL_API: 'chat',
      RATE_LIMIT_FACTOR: '100000',
      TOKENS_PER_DAY: '1000000000000',
    },
  })
  const user = await stack.newUser()
  return {
    origin: stack.origin,
    async send(conversation = randomUUID(), pace) {
      const turn = { sessionId: conversation, pace, characters: 80 }
      const { firstTokenMs } = await sendTurn({ origin: stack.origin, accessToken: user.accessToken }, turn)
      return { firstTokenMs, conversation }
    },
    async enter(page) {
      await page.goto('/auth')
      await signIn(page, user)
    },
    end: () => stack.stop(),
  }
}

/** Starts a server; npm and what it runs form a process group. */
const run = (command: string, args: string[], cwd: string | undefined, env: Record<string, string>) =>
  spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: 'ignore', detached: command === 'npm' })

export const runOurs = (modelUrl: string, port: number, dataDir: string) =>
  run('npm', ['start', '--silent'], projectRoot, {
    PORT: String(port),
    LOCAL_DATA_DIR: dataDir,
    OPENAI_BASE_URL: modelUrl,
    OPENAI_MODEL: 'bench',
    // the daily sync must not leave this machine
    GITHUB_API_URL: 'http://127.0.0.1:9',
  })

export const runChatUi = (modelUrl: string, port: number) =>
  run(process.execPath, ['--env-file=.env', 'server.js'], folder, {
    HOST: '127.0.0.1',
    PORT: String(port),
    ORIGIN: `http://127.0.0.1:${port}`,
    COOKIE_SECURE: 'false',
    MONGODB_URL: database,
    MONGODB_DB_NAME: databaseName,
    OPENAI_BASE_URL: modelUrl,
    OPENAI_API_KEY: 'none',
  })

export async function startChatUi(modelUrl: string): Promise<Side> {
  const port = await findFreePort()
  const origin = `http://127.0.0.1:${port}`
  const child = runChatUi(modelUrl, port)
  await waitForAnswer(origin)
  const headers = { origin, cookie: `hf-chat=${randomUUID()}` }
  const lastMessage = (conversation: string) =>
    (JSON.parse(conversation) as { json: { messages: { id: string }[] } }).json.messages.at(-1)?.id
  return {
    origin,
    async send(known, pace) {
      let parent: string | undefined
      let createdMs = 0
      let conversation = known ?? ''
      if (known) {
        const response = await fetch(`${origin}/api/v2/conversations/${known}`, { headers })
        parent = lastMessage(await response.text())
      } else {
        const startedAt = performance.now()
        const response = await fetch(`${origin}/conversation`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify({ model: 'bench' }),
        })
        const created = (await response.json()) as { conversationId: string; conversation: string }
        createdMs = performance.now() - startedAt
        conversation = created.conversationId
        parent = lastMessage(created.conversation)
      }
      const body = new FormData()
      const generationId = randomUUID()
      body.set('data', JSON.stringify({ inputs: question(pace, 80), id: parent, generationId }))
      const times = await ask({
        url: `${origin}/conversation/${conversation}`,
        headers,
        body,
        end: '"finished"',
        // the conversation's title, which the model writes meanwhile, is no token of the reply
        token: /"token":"t(\d{6,}) /g,
      })
      return { firstTokenMs: createdMs + times.firstTokenMs, conversation }
    },
    remove: (conversation) => fetch(`${origin}/conversation/${conversation}`, { method: 'DELETE', headers }),
    async enter(page) {
      await page.goto('/')
      const saved = page.waitForResponse((response) =>
        Boolean(response.request().postData()?.includes('"welcomeModalSeen":true')),
      )
      await page.getByRole('button', { name: 'Start chatting' }).click()
      await saved
    },
    async end() {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

/** Waits until a server answers with the page. */
export async function waitForAnswer(origin: string): Promise<void> {
  const until = performance.now() + startLimitMs
  for (;;) {
    const isOk = await fetch(origin).then(
      (response) => response.ok,
      () => false,
    )
    if (isOk) return
    if (performance.now() > until) throw new Error(`${origin} does not answer`)
    await sleep(5)
  }
}
