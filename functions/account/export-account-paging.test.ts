import { pageBytes } from '../platform/limits.ts'
import { expect, it, onTestFinished } from 'vitest'
import type { LedgerEntry } from '#shared/contracts/tools.ts'
import { aMessage, openTestStores } from '../../test/support/conversations.ts'
import { unzip } from '../../test/support/unzip.ts'
import { fileRepository } from '../files/file-repository.ts'
import { allowedToolRepository } from '../integrations/store/allowed-tool-repository.ts'
import { credentialRepository } from '../integrations/store/credential-repository.ts'
import { projectRepository } from '../projects/project-repository.ts'
import { promptRepository } from '../projects/prompt-repository.ts'
import { memoryRepository } from '../settings/memory-repository.ts'
import { customToolRepository } from '../integrations/store/custom-tool-repository.ts'
import { connectionRepository } from '../integrations/store/connection-repository.ts'
import { ledgerRepository } from '../tools/calls/ledger-repository.ts'
import { exportAccount } from './export-account.ts'

const buildCall = (number: number): LedgerEntry => ({
  id: String(number).padStart(6, '0'),
  at: '2026-03-01T10:00:00.000Z',
  tool: 'search',
  title: 'Search',
  integration: null,
  mcp_id: null,
  arguments: null,
  success: true,
  error: null,
  result_size: 1,
  allowed: 'reading',
})

it('exports all calls and all messages, however many pages of the table they take', async () => {
  const stores = await openTestStores()
  onTestFinished(() => stores.close())
  const { table } = stores
  const sub = crypto.randomUUID()
  const ledger = ledgerRepository(table)
  await Promise.all(Array.from({ length: 201 }, (_, number) => ledger.add(sub, buildCall(number))))
  // more text than fits into a page
  const texts = Array.from({ length: 30 }, (_, turn) => `${turn + 1} ${'x'.repeat(200_000)}`)
  for (const [index, content] of texts.entries())
    await stores.messages.put(sub, aMessage({ session_id: 'long', turn: index + 1, content }), 1)
  expect((await stores.messages.loadNewest(sub, 'long', { maxBytes: pageBytes })).earlier).not.toBeNull()
  await stores.conversations.upsert(sub, 'long', {
    title: 'Long',
    addedMessages: texts.length,
    at: '2026-03-01T10:00:00.000Z',
    replacesTitle: false,
  })

  const zip = exportAccount(
    {
      stores,
      avatars: { find: () => Promise.resolve(undefined) },
      files: fileRepository(table),
      objectStore: { stream: () => Promise.resolve(undefined) },
      connectionRepositories: {
        integrations: connectionRepository(table),
        credentials: credentialRepository(table),
        customTools: customToolRepository(table),
      },
      ledger,
      allowedTools: allowedToolRepository(table),
      usage: { listDays: () => Promise.resolve([]) },
      memories: memoryRepository(table),
      projects: projectRepository(table),
      prompts: promptRepository(table),
      assistantName: 'Ada',
    },
    {
      sub,
      poolUser: null,
      profile: { display_name: 'Mika', avatar_id: null },
      settings: { keep_conversations: true, store_uploads: true, theme: null },
    },
  )
  const parts: Uint8Array[] = []
  for await (const chunk of zip) parts.push(chunk)
  const files = unzip(Buffer.concat(parts))
  const { calls } = JSON.parse(files.get('tool-calls.json') ?? '') as { calls: { id: string }[] }
  expect(calls.map(({ id }) => Number(id))).toEqual(Array.from({ length: 201 }, (_, index) => 200 - index))
  const { messages } = JSON.parse(files.get('conversations/2026-03-01 Long long.json') ?? '') as {
    messages: { content: string }[]
  }
  expect(messages.map(({ content }) => content)).toEqual(texts)
})
