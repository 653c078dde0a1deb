import { expect, it, onTestFinished } from 'vitest'
import type { LedgerEntry } from '#shared/contracts/tools.ts'
import { aMessage, openTestStores } from '../../test/support/conversations.ts'
import { unzip } from '../../test/support/unzip.ts'
import { fileRepository } from '../files/file-repository.ts'
import { allowedToolRepository } from '../integrations/store/allowed-tool-repository.ts'
import { credentialRepository } from '../integrations/store/credential-repository.ts'
import { projectRepository } from '../projects/project-repository.ts'
import { openAssistants } from '../../test/support/assistants.ts'
import { scheduleRepository } from '../schedules/schedule-repository.ts'
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

const at = '2026-03-01T10:00:00.000Z'

/** A user with more calls, and a longer conversation, than a page of the table has. */
async function openUser() {
  const stores = await openTestStores()
  onTestFinished(() => stores.close())
  const sub = crypto.randomUUID()
  const ledger = ledgerRepository(stores.table)
  await Promise.all(Array.from({ length: 250 }, (_, number) => ledger.add(sub, buildCall(number))))
  const texts = Array.from({ length: 12 }, (_, turn) => `<text ${turn + 1}> ${'x'.repeat(200_000)}`)
  for (const [index, content] of texts.entries())
    await stores.messages.put(sub, aMessage({ session_id: 'long', turn: index + 1, content }), 1)
  await stores.conversations.upsert(sub, 'long', {
    title: 'Long',
    addedMessages: texts.length,
    at,
    replacesTitle: false,
  })
  return { stores, sub, texts }
}

const exportOf = ({ stores, sub }: Pick<Awaited<ReturnType<typeof openUser>>, 'stores' | 'sub'>) =>
  exportAccount(
    {
      stores,
      avatars: { find: () => Promise.resolve(undefined) },
      files: fileRepository(stores.table),
      objectStore: { stream: () => Promise.resolve(undefined) },
      connectionRepositories: {
        integrations: connectionRepository(stores.table),
        credentials: credentialRepository(stores.table),
        customTools: customToolRepository(stores.table),
      },
      ledger: ledgerRepository(stores.table),
      allowedTools: allowedToolRepository(stores.table),
      usage: { listDays: () => Promise.resolve([]), findLastActivity: () => Promise.resolve(undefined) },
      subscriptions: { list: () => Promise.resolve([]) },
      memories: memoryRepository(stores.table),
      projects: projectRepository(stores.table),
      prompts: promptRepository(stores.table),
      schedules: scheduleRepository(stores.table),
      assistants: openAssistants(stores.table),
      assistantName: 'Ada',
    },
    {
      sub,
      language: 'en',
      poolUser: null,
      profile: { display_name: 'Mika', avatar_id: null },
      settings: { keep_conversations: true, store_uploads: true, theme: null },
    },
  )

/** The marks of the rows of a user in a text: ids of calls, and beginnings of messages. */
const findMarks = (text: string) => text.match(/<text \d+>|"id": ?"\d{6}"|LEDGER#\d{6}/g) ?? []
const toName = (mark: string) => mark.replace(/"id": ?"(\d{6})"/, 'LEDGER#$1')

it('exports all calls and all messages, however many pages of the table they take', async () => {
  const user = await openUser()
  const parts: Uint8Array[] = []
  for await (const chunk of exportOf(user)) parts.push(chunk)
  const files = unzip(Buffer.concat(parts))
  const text = files.get('tool-calls.json') ?? ''
  const { calls, ...others } = JSON.parse(text) as { calls: { id: string }[] }
  expect(calls.map(({ id }) => Number(id))).toEqual(Array.from({ length: 250 }, (_, index) => 249 - index))
  expect(text).toBe(`${JSON.stringify({ calls, ...others }, null, 2)}\n`)
  const json = files.get('conversations/2026-03-01 Long long.json') ?? ''
  const conversation = JSON.parse(json) as { messages: { content: string }[] }
  expect(conversation.messages.map(({ content }) => content)).toEqual(user.texts)
  expect(json).toBe(`${JSON.stringify(conversation, null, 2)}\n`)
})

it('reads the next page only when the page before is written', async () => {
  const { stores, sub } = await openUser()
  const { client } = stores.table
  const send = client.send.bind(client) as (command: unknown) => Promise<unknown>
  /** how often each row was read and is not written yet */
  const unwritten = new Map<string, number>()
  /** when each page of these rows was requested */
  const unwrittenRows: number[] = []
  client.send = (async (command: unknown) => {
    const before = [...unwritten.values()].filter((count) => count > 0).length
    const response = (await send(command)) as { Items?: object[] }
    const marks = findMarks(JSON.stringify(response.Items ?? []))
    for (const mark of marks) unwritten.set(mark, (unwritten.get(mark) ?? 0) + 1)
    if (marks.length > 0) unwrittenRows.push(before)
    return response
  }) as typeof client.send
  for await (const chunk of exportOf({ stores, sub }))
    for (const mark of findMarks(Buffer.from(chunk).toString()).map(toName))
      unwritten.set(mark, Math.max(0, (unwritten.get(mark) ?? 0) - 1))
  // of calls; of messages each page for the JSON and, but for the first, for the Markdown
  expect(unwrittenRows).toHaveLength(2 + 2 + 1)
  // what the zip has taken and not yet given
  expect(Math.max(...unwrittenRows)).toBeLessThanOrEqual(2)
  expect([...unwritten.values()].filter((count) => count > 0)).toEqual([])
})
