import { expect, it } from 'vitest'
import { PutCommand } from '@aws-sdk/lib-dynamodb'
import {
  newConversationIds,
  aMessage,
  aRun,
  openSharedStores,
  aTranscript,
} from '../../test/support/conversations.ts'
import { unzip } from '../../test/support/unzip.ts'
import { fileRepository } from '../files/file-repository.ts'
import { credentialRepository } from '../integrations/store/credential-repository.ts'
import { allowedToolRepository } from '../integrations/store/allowed-tool-repository.ts'
import { ledgerRepository } from '../tools/calls/ledger-repository.ts'
import { customToolRepository } from '../integrations/store/custom-tool-repository.ts'
import { connectionRepository } from '../integrations/store/connection-repository.ts'
import { originalKey } from '../files/file-links.ts'
import { usageRepository } from './usage-repository.ts'
import { subscriptionRepository } from '../push/subscription-repository.ts'
import { projectRepository } from '../projects/project-repository.ts'
import { openAssistants } from '../../test/support/assistants.ts'
import { scheduleRepository } from '../schedules/schedule-repository.ts'
import { promptRepository } from '../projects/prompt-repository.ts'
import { memoryRepository } from '../settings/memory-repository.ts'
import { exportAccount, buildFileName } from './export-account.ts'

const stores = await openSharedStores()

const settings = { keep_conversations: true, store_uploads: true, theme: null }
const poolUser = { email: 'mika@example.com', name: 'Mika' }
/** @param objects the stored objects, by key */
const openDeps = (objects: Record<string, string> = {}) => ({
  stores,
  avatars: { find: async () => undefined },
  files: fileRepository(stores.table),
  objectStore: {
    stream: async (key: string) =>
      objects[key] === undefined ? undefined : new Blob([objects[key]]).stream(),
  },
  connectionRepositories: {
    integrations: connectionRepository(stores.table),
    credentials: credentialRepository(stores.table),
    customTools: customToolRepository(stores.table),
  },
  ledger: ledgerRepository(stores.table),
  allowedTools: allowedToolRepository(stores.table),
  usage: usageRepository(stores.table),
  subscriptions: subscriptionRepository(stores.table),
  memories: memoryRepository(stores.table),
  projects: projectRepository(stores.table),
  prompts: promptRepository(stores.table),
  schedules: scheduleRepository(stores.table),
  assistants: openAssistants(stores.table),
  assistantName: 'Ada',
})

async function createConversation(sub: string, id: string, title: string, messages: number) {
  for (let turn = 1; turn <= messages; turn += 1)
    await stores.messages.put(sub, aMessage({ session_id: id, turn, content: `${title} ${turn}` }), 1)
  const at = '2026-03-01T10:00:00.000Z'
  await stores.conversations.upsert(sub, id, { title, addedMessages: messages, at, replacesTitle: false })
}

async function readBytes(chunks: AsyncIterable<Uint8Array>) {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk)
  return Buffer.concat(parts)
}

const buildPerson = (sub: string) => ({
  sub,
  poolUser,
  profile: { display_name: 'Mika', avatar_id: null },
  settings,
  language: 'en' as const,
})

it('exports the account and every conversation, complete and in order, as JSON and as Markdown', async () => {
  const { sub } = newConversationIds()
  await createConversation(sub, 'aaaaaaaa-1', 'Tea: how/long?', 3)
  await createConversation(sub, 'bbbbbbbb-2', '…', 90)
  const { client, name: TableName } = stores.table
  const usageRow = { replies: 1, input_tokens: 9, output_tokens: 1, nano_usd: 2_000, ttl: 4e9 }
  await client.send(
    new PutCommand({ TableName, Item: { PK: `RATE#${sub}`, SK: 'replies#20000', ...usageRow, tokens: 10 } }),
  )
  const zip = await readBytes(exportAccount(openDeps(), buildPerson(sub)))
  const files = unzip(zip)
  expect([...files.keys()].toSorted()).toEqual([
    'account.json',
    'conversations/2026-03-01 Tea how long aaaaaaaa.json',
    'conversations/2026-03-01 Tea how long aaaaaaaa.md',
    'conversations/2026-03-01 bbbbbbbb.json',
    'conversations/2026-03-01 bbbbbbbb.md',
    'integrations.json',
    'tool-calls.json',
    'usage.json',
  ])
  expect(JSON.parse(files.get('usage.json') ?? '')).toEqual({
    days: [
      {
        day: '2024-10-04',
        replies: 1,
        inputTokens: 9,
        cachedInputTokens: 0,
        outputTokens: 1,
        images: 0,
        cost: 0.000002,
      },
    ],
  })
  expect(JSON.parse(files.get('account.json') ?? '')).toMatchObject({ id: sub, ...poolUser, settings })
  const { messages } = JSON.parse(files.get('conversations/2026-03-01 bbbbbbbb.json') ?? '') as {
    messages: { content: string }[]
  }
  expect(messages.map(({ content }) => content)).toEqual(Array.from({ length: 90 }, (_, i) => `… ${i + 1}`))
})

it('exports memories', async () => {
  const { sub } = newConversationIds()
  const memory = await memoryRepository(stores.table).add(sub, { id: 'aaaaaaaa', text: 'Lives in Oslo' })
  const files = unzip(await readBytes(exportAccount(openDeps(), buildPerson(sub))))
  expect(JSON.parse(files.get('memories.json') ?? '')).toEqual([memory])
})

it('exports which push services have browsers of the user, without what opens a way to them', async () => {
  const { sub } = newConversationIds()
  const keys = { p256dh: 'p', auth: 'a' }
  await subscriptionRepository(stores.table).add(sub, { endpoint: 'https://push.example/secret', keys })
  const files = unzip(await readBytes(exportAccount(openDeps(), buildPerson(sub))))
  expect(JSON.parse(files.get('push.json') ?? '')).toEqual([
    { push_service: 'push.example', created_at: expect.any(String) as string },
  ])
})

it('exports projects with their settings, and saved prompts', async () => {
  const { sub } = newConversationIds()
  const project = await projectRepository(stores.table).create(sub, {
    name: 'Thesis',
    instructions: 'Be brief.',
  })
  const prompt = await promptRepository(stores.table).add(sub, {
    name: 'Sum up',
    text: 'Sum up:',
    project_id: project.id,
  })
  const files = unzip(await readBytes(exportAccount(openDeps(), buildPerson(sub))))
  expect(JSON.parse(files.get('projects.json') ?? '')).toEqual([project])
  expect(JSON.parse(files.get('prompts.json') ?? '')).toEqual([prompt])
})

it('exports schedules, without what only the dispatcher needs', async () => {
  const { sub } = newConversationIds()
  const at = Date.parse('2026-12-01T08:00Z')
  await scheduleRepository(stores.table).create(sub, {
    id: 's1',
    v: 7,
    version: 1,
    prompt: 'Read my mail',
    rule: { kind: 'daily', time: '08:00' },
    time_zone: 'UTC',
    session_id: 'c1',
    writes: [{ name: 'gmail_send_email', fingerprint: 'f' }],
    notify: [],
    created_at: at,
    approved_at: at,
    failures: 0,
    next_at: at,
  })
  const files = unzip(await readBytes(exportAccount(openDeps(), buildPerson(sub))))
  const [exported] = JSON.parse(files.get('schedules.json') ?? '[]') as Record<string, unknown>[]
  expect(exported).toMatchObject({
    id: 's1',
    writes: ['gmail_send_email'],
    next_at: '2026-12-01T08:00:00.000Z',
  })
  expect(exported).not.toHaveProperty('v')
})

it('exports files as they were uploaded, except those whose bytes are gone', async () => {
  const { sub } = newConversationIds()
  for (const [id, state] of [
    ['11111111-1', 'ready'],
    ['22222222-2', 'ready'],
    ['33333333-3', 'incoming'],
  ] as const)
    await fileRepository(stores.table).put(sub, {
      id,
      state,
      name: 'notes: "a|b"?.txt',
      type: 'text/plain',
      size: 5,
      created_at: '2026-03-01T10:00:00.000Z',
    })
  const zip = await readBytes(
    exportAccount(openDeps({ [originalKey(sub, '11111111-1')]: 'hello' }), buildPerson(sub)),
  )
  const files = unzip(zip)
  expect([...files.keys()].toSorted()).toEqual([
    'account.json',
    'file-names.json',
    'files/11111111 notes_ _a_b__.txt',
    'integrations.json',
    'tool-calls.json',
  ])
  expect(files.get('files/11111111 notes_ _a_b__.txt')).toBe('hello')
  expect(files.get('file-names.json')).toContain(String.raw`notes: \"a|b\"?.txt`)
})

it('exports connections and custom tools without secrets', async () => {
  const { sub } = newConversationIds()
  const { client, name: TableName } = stores.table
  const rows = {
    'I#github': { mcp_name: 'GitHub', connected_at: '2026-03-01', status: 'connected', auth_type: 'oauth2' },
    'I#github:sandbox': { mcp_name: 'GitHub', status: 'disconnected' },
    'C#github': {
      version: '1',
      status: 'active',
      secret_name: 'vault/CANARY',
      sealed: 'CANARY',
      client_id: 'CANARY',
      masks: { apiKey: '••••CANARY' },
    },
    'T#1': {
      name: 'Mine',
      description: 'Own',
      server_url: 'https://mine.example',
      masks: { 'api-key': '••••CANARY' },
      secret_name: 'vault/CANARY',
      is_active: false,
      created_at: '2026-03-01',
    },
  }
  for (const [SK, fields] of Object.entries(rows))
    await client.send(new PutCommand({ TableName, Item: { PK: `U#${sub}`, SK, ...fields } }))
  const files = unzip(await readBytes(exportAccount(openDeps(), buildPerson(sub))))
  const text = files.get('integrations.json') ?? ''
  expect(text).not.toContain('CANARY')
  expect(JSON.parse(text)).toMatchObject({
    integrations: [
      { mcp_id: 'github', mcp_name: 'GitHub', status: 'connected', credential: { status: 'active' } },
      { mcp_id: 'github:sandbox', credential: null },
    ],
    custom_tools: [
      {
        id: '1',
        name: 'Mine',
        description: 'Own',
        server_url: 'https://mine.example',
        is_active: false,
        created_at: '2026-03-01',
      },
    ],
  })
})

it('continues when messages are written and conversations deleted meanwhile', async () => {
  const { sub } = newConversationIds()
  for (const id of ['a', 'b', 'c']) await createConversation(sub, id, id, 2)
  const zip = exportAccount(openDeps(), buildPerson(sub))
  const parts: Uint8Array[] = []
  for await (const chunk of zip) {
    if (parts.length === 0) {
      await createConversation(sub, 'a', 'a', 3)
      await stores.messages.deleteAll(sub, 'b')
      await stores.conversations.markDeleted(sub, 'b', Date.now())
    }
    parts.push(chunk)
  }
  const files = unzip(Buffer.concat(parts))
  expect([...files.keys()].filter((name) => /^conversations.*json$/.test(name))).toHaveLength(2)
})

it('gives files names that every operating system accepts', () => {
  const session = {
    id: '../../etc',
    user_id: 'u',
    title: '..\\"C:|<x>?*\u0000 ok',
    created_at: '2026-03-01',
    updated_at: '',
    message_count: 1,
  }
  expect(buildFileName({ ...session, id: 'abcdefgh-ijk' }, 'en')).toBe('2026-03-01 C x ok abcdefgh')
  expect(buildFileName({ ...session, title: 'é'.repeat(500) }, 'en').length).toBeLessThan(90)
})

it('DEC-033 exports a reply that waits for the user, with the arguments as they would be sent now', async () => {
  const { sub } = newConversationIds()
  await createConversation(sub, 'aaaaaaaa-1', 'Tea', 1)
  const run = await stores.runs.claim(aRun({ sub, sessionId: 'aaaaaaaa-1' }), undefined)
  const question = { callId: 'c', tool: 'send', title: '', fingerprint: '', arguments: '{}', askedAtMs: 1 }
  const waitingRun = await stores.runs.startWaiting(
    run,
    [{ kind: 'approval', ...question }],
    aTranscript({ text: 'So far.' }),
  )
  await stores.runs.decide(waitingRun, 0, { decision: 'approved', decidedAtMs: 1, arguments: '{"to":"bob"}' })
  const files = unzip(await readBytes(exportAccount(openDeps(), buildPerson(sub))))
  expect(JSON.parse(files.get('waiting-replies.json') ?? '')).toEqual([
    {
      session_id: 'aaaaaaaa-1',
      message_id: 'm-1',
      content: 'So far.',
      tool_calls: [],
      questions: [{ tool: 'send', arguments: '{"to":"bob"}' }],
    },
  ])
})

it('lists other versions of a message after the shown ones, marked as such', async () => {
  const { sub } = newConversationIds()
  await createConversation(sub, 'aaaaaaaa-1', 'Tea', 3)
  await createConversation(sub, 'bbbbbbbb-1', 'Rome', 1)
  const branches = { forks: [{ turn: 3, versionOf: 2 }], head: 2 }
  await stores.runs.claim(aRun({ sub, sessionId: 'aaaaaaaa-1', turn: 3, branches }), undefined)
  const files = unzip(await readBytes(exportAccount(openDeps(), buildPerson(sub))))
  const find = (name: RegExp) => [...files].find(([key]) => name.test(key))?.[1] ?? ''
  expect(JSON.parse(find(/Tea.*json/))).toMatchObject({
    messages: [{ content: 'Tea 1' }, { content: 'Tea 2', versions: { shown: 1, count: 2 } }],
    other_versions: [{ content: 'Tea 3', versions: { shown: 2, count: 2 } }],
  })
  expect(find(/Tea.*md/)).toMatch(/Tea 1\n[^]*version 1 of 2\n\nTea 2\n\n# Other versions\n[^]*Tea 3\n/)
  expect(JSON.parse(find(/Rome.*json/))).not.toHaveProperty('other_versions')
  expect(find(/Rome.*md/)).not.toContain('Other versions')
})
