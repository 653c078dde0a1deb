/** @module-tag long */
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { childEnvironment } from '../support/child-environment.ts'
import { type LocalStack, startStack } from '../support/local-stack.ts'
import { openStackTable } from '../support/stack-table.ts'
import { openStoredDataChecker } from '../support/stored-data-checker.ts'
import { signInUser, type StackUser } from '../support/stack-user.ts'
import { readStoredRelease, unpackRelease } from '../support/stored-release.ts'
import { passwordStep, redeem } from '../support/two-factor.ts'

const { ids, recordedAtMs } = readStoredRelease('1.0.0')
const password = 'correct horse'
const canary = `CANARY-${ids.sub}`
const dataDir = await mkdtemp(join(tmpdir(), 'juno-earlier-'))

let stack: LocalStack
let env: Record<string, string>
beforeAll(async () => {
  // signatures are checked by the clock
  vi.useFakeTimers({ toFake: ['Date'], now: recordedAtMs })
  env = await unpackRelease('1.0.0', dataDir)
  stack = await startStack({ dataDir, env })
})
afterAll(async () => {
  await stack.stop()
  vi.useRealTimers()
  await rm(dataDir, { recursive: true, force: true })
})

/** Runs a command of the operator. */
async function operate(name: string, ...options: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [`infra/operate/${name}.ts`, ...options, '--url', stack.origin],
    { env: { ...childEnvironment, ...env, LOCAL_DATA_DIR: dataDir } },
  )
  return stdout
}

async function signIn(name: string): Promise<StackUser> {
  const { cognito } = await stack.endpoints()
  const email = `${name}@example.org`
  const user = await signInUser({ origin: stack.origin, cognito }, { email, name, password, sub: '' })
  const payload = user.accessToken.split('.')[1] ?? ''
  const { sub } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sub: string }
  return { ...user, sub }
}

/** What a person has, by the API, without what changes by itself. */
async function readAll(user: StackUser) {
  const { sessions } = await user.call('sessions.list')
  const conversations = await Promise.all(
    sessions.map(({ id }) => user.call('sessions.read', { params: { sessionId: id } })),
  )
  const { attachments } = await user.call('files.list')
  const files = await Promise.all(
    attachments.map(async ({ id }) => {
      const { url } = await user.call('files.link', { params: { attachmentId: id } })
      return (await fetch(url)).text()
    }),
  )
  const { shares } = await user.call('shares.list')
  const shown = await Promise.all(
    shares.map(({ secret }) => user.call('shares.view', { body: { secret, page: 1 } })),
  )
  return {
    sessions,
    conversations: conversations.map(({ messages }) => messages),
    files,
    shares,
    shown,
    projects: await user.call('projects.list'),
    prompts: await user.call('prompts.list'),
    memories: await user.call('memory.list'),
    tools: await user.call('customTools.list'),
    connections: await user.call('integrations.list'),
    allowed: await user.call('tools.allowed'),
    ledger: await user.call('tools.ledger'),
    imports: await user.call('imports.list'),
    account: await user.call('account.read'),
  }
}
type Belongings = Awaited<ReturnType<typeof readAll>>

/** The messages of each conversation, with how they ended. */
const listTexts = ({ conversations }: Belongings) =>
  conversations
    .map((messages) => messages.map(({ content, ended }) => (ended ? `${content}(${ended})` : content)))
    .toSorted((a, b) => (a.join() < b.join() ? -1 : 1))

/** The migration gives the message of a reply that had not begun the id of its reply. */
const withoutIdsOfStops = (belongings: Belongings) => ({
  ...belongings,
  conversations: belongings.conversations.map((messages) =>
    messages.map((message) => ({ ...message, id: message.id.replace(/-stopped$/, '') })),
  ),
})

const listKeys = async (pattern: RegExp): Promise<string[]> => {
  const table = await openStackTable(stack)
  const rows = await table.readAllRows()
  table.close()
  return rows.map(({ PK, SK }) => `${String(PK)} / ${String(SK)}`).filter((key) => pattern.test(key))
}

it('everything that 1.0.0 has stored is there, before and after npm run migrate', async () => {
  const used = await redeem(stack, { email: 'ann@example.org', token: ids.backupCode, isBackupCode: true })
  const { codes = [] } = used.body as { codes?: string[] }
  const step = await passwordStep(stack, { email: 'ann@example.org', password })
  expect(await step.respond(codes[1] ?? '')).not.toBe('')
  await operate('admin', 'reset-two-factor', '--email', 'ann@example.org')
  const [ann, ben, cleo] = await Promise.all(['ann', 'ben', 'cleo'].map(signIn))
  if (!ann || !ben || !cleo) throw new Error('nobody')

  const before = await Promise.all([readAll(ann), readAll(cleo)])
  const [hers] = before
  expect(hers).toMatchObject({
    account: { profile: { display_name: canary, avatar_id: ids.avatarId }, settings: { memory: true } },
    memories: { memories: [{ id: ids.memoryId, text: canary }] },
    projects: { projects: [{ id: ids.projectId, name: canary }] },
    prompts: { prompts: [{ id: ids.promptId, text: canary }] },
    shares: [{ id: ids.shareId, message_count: 2 }],
    shown: [{ messages: [{ content: `/echo ${canary}` }, { content: canary }] }],
    ledger: { entries: [{ id: ids.ledgerId }] },
    allowed: { tools: [{ id: ids.allowedToolId }] },
  })
  expect(hers.files).toEqual([canary, 'Buy milk and bread.'])
  expect(
    hers.connections.integrations.map(({ mcp_id: id, token_status: status }) => `${id} ${status}`).toSorted(),
  ).toEqual(['airtable active', 'gmail active', 'google-drive active', 'notion active'])
  expect(hers.tools.tools.map(({ name }) => name)).toEqual(['Everything', 'My tool'])
  expect(hers.imports).toMatchObject({ imports: [{ id: ids.importId, conversations: 1 }] })
  expect(listTexts(before[0])).toEqual([
    [`/echo ${canary}`, canary],
    [`/echo ${canary}`, canary],
    ['/echo one', 'one'],
    ['/echo second', 'second'],
    [canary],
    [expect.stringMatching(/^Create a file/)],
    ['Hello tools', expect.stringMatching(/^Hello!/)],
    [expect.stringMatching(/^Send an email/), expect.stringMatching(/^That is done/)],
    ['What is in it?', expect.stringMatching(/^\*\*read\.txt\*\*/)],
  ])
  expect(listTexts(before[1])).toEqual([
    ['Stop before', '(stopped)'],
    ['Stop within', 'One, two,(stopped)'],
    Array.from({ length: 8 }, (_, at) => [expect.stringMatching(`^word${at} `) as string, 'Yes.']).flat(),
  ])

  const [lines, heads] = [/ M#.*#3$/, / HEAD$/]
  const old = [...(await listKeys(heads)), ...(await listKeys(lines))]
  expect(old).toHaveLength(3)
  const listed = await operate('migrate', '--dry-run')
  expect(listed.match(/^ {2}.+$/gm)?.map((line) => line.trim())).toEqual(old)
  expect(listed).not.toContain('CANARY')
  expect(await listKeys(lines)).toHaveLength(2)
  expect(await operate('migrate')).toMatch(/^shared links: 1 changed\..*\nrows of people: 2 changed\./)
  expect(await listKeys(lines)).toEqual([])
  expect(await operate('migrate', '--dry-run')).toMatch(/^All \d+ rows have format 2\.$/m)
  expect(await Promise.all([ann, cleo].map(readAll))).toEqual(before.map(withoutIdsOfStops))
  const problems = await openStoredDataChecker(stack)
  // hers was stored with the vault in the table, and this product has it in secrets
  expect(await problems.findProblems(cleo.sub)).toEqual(['a credential that holds nothing'])
  problems.close()

  expect((await ben.call('admin.groups')).groups).toMatchObject([
    { name: 'admins', members: 1 },
    { name: 'staff', description: 'Staff', limits: { tokens_per_day: 100_000 }, members: 1 },
  ])
  expect((await ben.call('admin.invitations')).invitations).toMatchObject([
    { email: 'eve@example.org', groups: ['staff'] },
  ])
  expect((await ben.call('admin.audit')).entries.map(({ action }) => action)).toEqual([
    'user.two_factor_reset',
    'user.groups_changed',
    'invitation.created',
    'group.created',
  ])
})

it('a reply that has waited since 1.0.0 goes on', async () => {
  const ann = await signIn('ann')
  const params = { sessionId: ids.waitingId }
  await ann.call('runs.answer', { params, body: { runId: ids.runId, callId: ids.callId, approved: true } })
  const { messages, run } = await ann.call('sessions.read', { params })
  expect(run).toBeNull()
  expect(messages.map(({ tool_calls }) => tool_calls.map(({ result }) => result.success))).toEqual([
    [],
    [true],
  ])
})
