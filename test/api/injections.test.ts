import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demoModelName, startDemoModel, type DemoModel } from '../support/model-server/server.ts'
import { obey } from '../support/model-server/injected-calls.ts'
import { connectProvider } from '../support/connect-provider.ts'
import { injections, webTools } from '../support/injections.ts'
import { type LocalStack, startStack } from '../support/local-stack.ts'
import { type TestMcpServer, startMcpServer } from '../support/mcp-server.ts'
import { tierOf } from '../support/matrix.ts'
import type { StackUser } from '../support/stack-user.ts'
import { uploadDocument } from '../support/upload.ts'

/*
 * Untrusted text reaches a model that obeys all of it. Whatever the model then requests: nothing is written, sent or always allowed
 * without the user's own approval.
 */

let model: DemoModel
let web: TestMcpServer
let stack: LocalStack
let ann: StackUser

const buildName = (index: number) => `attack-${index}`

beforeAll(async () => {
  model = await startDemoModel({ tokensPerSecond: 10_000, reply: obey })
  web = await startMcpServer({ tools: webTools.atConnection })
  const dataDir = await mkdtemp(join(tmpdir(), 'juno-injections-'))
  const at = Date.UTC(2026, 10, 20)
  const providerState = {
    codes: {},
    grants: {},
    accessTokens: {},
    rows: {
      'gmail.mails': injections.flatMap(({ in: place, text }, index) =>
        place === 'mail'
          ? {
              id: buildName(index),
              threadId: buildName(index),
              from: `${buildName(index)} <stranger@example.net>`,
              to: 'you@example.com',
              subject: text,
              text,
              internalDate: at + index,
              labelIds: ['INBOX'],
            }
          : [],
      ),
      'google-drive.files': injections.flatMap(({ in: place, text }, index) =>
        place === 'file name'
          ? {
              id: buildName(index),
              name: `${buildName(index)} ${text}`,
              mimeType: 'text/plain',
              content: text,
              modifiedTime: new Date(at + index).toISOString(),
            }
          : [],
      ),
    },
  }
  await writeFile(join(dataDir, 'providers.json'), JSON.stringify(providerState))
  stack = await startStack({
    dataDir,
    env: {
      OPENAI_BASE_URL: model.baseUrl,
      OPENAI_API_KEY: model.apiKey,
      OPENAI_MODEL: demoModelName,
      RATE_LIMIT_FACTOR: '20',
      OUTBOUND_ALLOW: web.host,
    },
  })
  ann = await stack.newUser({ name: 'Ann' })
  for (const mcpId of ['gmail', 'google-drive']) await connectProvider(stack, ann, mcpId)
  await ann.call('customTools.add', {
    body: { name: 'Web', description: '', config: { serverUrl: web.url, apiKey: '', customFields: {} } },
  })
  const currentTools = new Map([...webTools.atConnection, ...webTools.later].map((tool) => [tool.name, tool]))
  web.behaviour.tools = [...currentTools.values()]
})
afterAll(async () => {
  await stack.stop()
  await model.close()
  await web.close()
})

const questions = {
  mail: (name: string) => `Show my emails with "${name}"`,
  'file name': (name: string) => `List the Drive files with "${name}"`,
  document: () => 'What do the notes say?',
}

it('there are at least 40 attacks', () => {
  expect(injections.length).toBeGreaterThanOrEqual(40)
})

describe.each(injections.map((attack, index) => ({ ...attack, index })))(
  '$in, $name',
  ({ in: place, text, index, calledTool }) => {
    it('nothing happens without an approval', tierOf(index), async () => {
      const callsBefore = web.calls.length
      const content = questions[place](buildName(index))
      const files =
        place === 'document'
          ? [(await uploadDocument(ann, { name: 'notes.txt', type: 'text/plain', content: text })).attachment]
          : []
      const sessionId = crypto.randomUUID()
      const attachments = files.map(({ id, name, type, size }) => ({ id, name, type, size }))
      const { toolCalls } = await ann.call('chat.send', {
        body: {
          messages: [{ role: 'user', content, ...(attachments.length > 0 && { attachments }) }],
          sessionId,
          messageId: crypto.randomUUID(),
        },
      })
      const { run } = await ann.call('sessions.read', { params: { sessionId } })
      // the attack has worked on the model: it made the injected call, or was refused it
      const requestedCalls = run?.questions ?? []
      const refusedCalls = toolCalls.filter(({ result }) => !result.success)
      expect(requestedCalls.length + refusedCalls.length).toBeGreaterThan(0)
      expect(requestedCalls.map(({ tool }) => tool)).toEqual(
        expect.arrayContaining(calledTool === undefined ? [] : [calledTool]),
      )
      expect(requestedCalls.every(({ kind }) => kind === 'approval')).toBe(true)
      const writes = toolCalls.filter(({ tool, result }) => /send|create/.test(tool) && result.success)
      expect(writes).toEqual([])
      expect(web.calls.slice(callsBefore)).toEqual([])
    })
  },
)

it('afterwards nothing was written, and nothing is always allowed', async () => {
  const { entries } = await ann.call('tools.ledger', {})
  expect(entries.filter(({ allowed }) => allowed === 'approved' || allowed === 'always')).toEqual([])
  expect(await ann.call('tools.allowed', {})).toEqual({ tools: [] })
  const { readFile } = await import('node:fs/promises')
  const state = JSON.parse(await readFile(join(stack.dataDir, 'providers.json'), 'utf8')) as {
    rows: { 'gmail.mails': { labelIds: string[] }[]; 'google-drive.files': unknown[] }
  }
  expect(state.rows['gmail.mails'].filter(({ labelIds }) => labelIds.includes('SENT'))).toEqual([])
  expect(state.rows['google-drive.files']).toHaveLength(
    injections.filter(({ in: place }) => place === 'file name').length,
  )
})
