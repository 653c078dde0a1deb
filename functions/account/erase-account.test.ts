import { GetCommand, PutCommand, QueryCommand, ScanCommand } from '@aws-sdk/lib-dynamodb'
import { expect, it, onTestFinished, vi } from 'vitest'
import {
  newConversationIds,
  aMessage,
  aRun,
  openSharedStores,
  aTranscript,
} from '../../test/support/conversations.ts'
import type { Table } from '../platform/dynamodb/table.ts'
import { rateLimit } from '../platform/http/rate-limit.ts'
import { tokenRevocation, tokenRevoker } from '../platform/auth/token-revocation.ts'
import { profileRepository } from '../settings/profile-repository.ts'
import { settingsRepository } from '../settings/settings-repository.ts'
import { avatarRepository } from './avatar-repository.ts'
import { eraseAccount } from './erase-account.ts'
import { erasureRepository } from './erasure-repository.ts'
import { userDataRepository } from './user-data-repository.ts'

const canary = 'CANARY-51c9'

const stores = await openSharedStores()

/** Creates a user with every kind of row, and with more messages than fit into one batch. */
async function createFilledUser(sub: string = crypto.randomUUID()) {
  const { table } = stores
  for (const sessionId of ['one', 'two']) {
    const at = new Date().toISOString()
    await stores.conversations.upsert(sub, sessionId, {
      title: canary,
      addedMessages: 1,
      at,
      replacesTitle: false,
    })
    await stores.messages.putAll(
      sub,
      Array.from({ length: 30 }, (_, index) =>
        aMessage({ session_id: sessionId, turn: index + 1, content: `${canary} ${index + 1}` }),
      ),
    )
    const run = await stores.runs.claim(aRun({ sub, sessionId }), undefined)
    await stores.logs.append(run, [{ from: 0, to: 6, textId: 't', text: canary }])
    if (sessionId === 'one') continue
    const question = { callId: 'c', tool: 't', title: '', fingerprint: '', arguments: '{}', askedAtMs: 1 }
    await stores.runs.startWaiting(run, [{ kind: 'approval', ...question }], aTranscript({ text: canary }))
  }
  await profileRepository(table).create(sub, { display_name: canary, avatar_id: 'p' })
  await settingsRepository(table).update(sub, { keep_conversations: false })
  await avatarRepository(table).put(
    sub,
    'p',
    { type: 'image/webp', bytes: new Uint8Array(50_000) },
    Date.now(),
  )
  for (const SK of ['A#file', 'I#github', 'C#github', 'T#own', 'OS#state'])
    await table.client.send(new PutCommand({ TableName: table.name, Item: { PK: `U#${sub}`, SK, canary } }))
  await rateLimit(table, 1).count(sub, 'write')
  return sub
}

/** The keys of all rows in the table that mention a user. */
async function findTraces(sub: string) {
  const { client, name } = stores.table
  const { Items = [] } = await client.send(new ScanCommand({ TableName: name, ConsistentRead: true }))
  return Items.filter((item) => JSON.stringify(item).includes(sub)).map(({ PK, SK }) => `${PK} ${SK}`)
}

const counts = {
  conversations: 2,
  messages: 60,
  files: 1,
  integrations: 1,
  credentials: 1,
  custom_tools: 1,
  tool_calls: 0,
  memories: 0,
  projects: 0,
}
const neverTimeUp = () => false
const buildInput = (sub: string, ageSeconds = 0) => ({
  sub,
  username: sub,
  callerSignedInAt: Math.floor(Date.now() / 1000) - ageSeconds,
})

function openDeps(table: Table = stores.table) {
  const deletedUsers: string[] = []
  return {
    deletedUsers,
    userData: userDataRepository(table),
    erasures: erasureRepository(table),
    revocation: tokenRevoker(table),
    pool: { deleteUser: async (name: string) => void deletedUsers.push(name) },
    requireStepUp: async () => undefined,
    externalCleanups: [],
    deleteObjects: async () => true,
    sleep: async () => undefined,
  }
}

/** A table whose connection fails after so many commands. */
function openFailingTable(commands: number): Table {
  let remaining = commands
  const send = (command: never) => {
    remaining -= 1
    return remaining < 0 ? Promise.reject(new Error('cut')) : stores.table.client.send(command)
  }
  return { name: stores.table.name, client: { send: send as Table['client']['send'] } }
}

it('counts what is stored for a user, and nothing of other users', async () => {
  const sub = await createFilledUser()
  expect(await userDataRepository(stores.table).count(sub)).toEqual(counts)
  expect(await userDataRepository(stores.table).count(`${sub}x`)).toMatchObject({ messages: 0 })
})

it('erases every row of a user and leaves only the mark that refuses their tokens', async () => {
  const sub = await createFilledUser()
  const other = await createFilledUser()
  const before = await findTraces(other)
  const deps = openDeps()
  const erased = await eraseAccount(deps, { ...buildInput(sub), username: 'Google_1' }, neverTimeUp)
  expect(erased).toMatchObject({ done: true, held: counts })
  expect(deps.deletedUsers).toEqual(['Google_1'])
  expect(await findTraces(sub)).toEqual([`OUT#${sub} OUT`])
  expect(await findTraces(other)).toEqual(before)
})

/** Interrupts an erasure after no step, after so many, after twice as many, and so on, and repeats it. */
async function interruptEvery(steps: number) {
  for (let commands = 0; ; commands += steps) {
    const sub = await createFilledUser()
    const outcome = await eraseAccount(
      openDeps(openFailingTable(commands)),
      buildInput(sub),
      neverTimeUp,
    ).catch(() => 'cut')
    if (outcome !== 'cut') return commands
    const repeated = await eraseAccount(openDeps(), buildInput(sub), neverTimeUp)
    // nothing is removed before the receipt is written; afterwards the first receipt is returned
    expect({ commands, done: repeated.done, held: repeated.held }).toEqual({
      commands,
      done: true,
      held: counts,
    })
    expect({ commands, traces: await findTraces(sub) }).toEqual({ commands, traces: [`OUT#${sub} OUT`] })
  }
}

it('an erasure that is interrupted and repeated ends with the same receipt', async () => {
  expect(await interruptEvery(7)).toBeGreaterThanOrEqual(14)
})

it(
  'an erasure that is interrupted after any number of steps and repeated ends with the same receipt',
  { tags: 'long' },
  async () => {
    expect(await interruptEvery(1)).toBeGreaterThan(14)
  },
)

it('refuses a token that was issued during the erasure', async () => {
  const sub = crypto.randomUUID()
  const deps = openDeps()
  const start = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: start })
  onTestFinished(() => void vi.useRealTimers())
  const issuedAt = Math.floor(start / 1_000) + 1
  const pool = { deleteUser: async () => void vi.setSystemTime(issuedAt * 1_000) }
  await eraseAccount({ ...deps, pool }, buildInput(sub), neverTimeUp)
  const token = { sub, issuedAt, signedInAt: issuedAt, signInId: '' }
  await expect(tokenRevocation(stores.table).check(token, false, Date.now())).rejects.toMatchObject({
    code: 'invalid_token',
  })
})

it('keeps the receipt when the user pool fails, and the next attempt finishes', async () => {
  const sub = await createFilledUser()
  const failingDeps = { ...openDeps(), pool: { deleteUser: () => Promise.reject(new Error('down')) } }
  await expect(eraseAccount(failingDeps, buildInput(sub), neverTimeUp)).rejects.toThrow('down')
  expect(await eraseAccount(openDeps(), buildInput(sub), neverTimeUp)).toMatchObject({ held: counts })
  expect(await findTraces(sub)).toEqual([`OUT#${sub} OUT`])
})

it('stops when its time is over, and says so', async () => {
  const sub = await createFilledUser()
  const deps = openDeps()
  expect(await eraseAccount(deps, buildInput(sub), () => true)).toMatchObject({ done: false })
  expect(deps.deletedUsers).toEqual([])
  expect(await eraseAccount(deps, buildInput(sub), neverTimeUp)).toMatchObject({
    done: true,
    held: counts,
  })
})

it('a reply that is being written finds its run gone, and writes nothing back', async () => {
  const sub = await createFilledUser()
  const { sessionId } = newConversationIds()
  const run = await stores.runs.claim(aRun({ sub, sessionId }), undefined)
  const depsWithLateWrite = {
    ...openDeps(),
    sleep: () => stores.logs.append(run, [{ from: 0, to: 1, textId: 't', text: canary }]),
  }
  await eraseAccount(depsWithLateWrite, buildInput(sub), neverTimeUp)
  await expect(stores.runs.heartbeat(run, Date.now())).rejects.toMatchObject({ code: 'run_lost' })
  await expect(stores.runs.end(run, 'done')).rejects.toMatchObject({ code: 'run_lost' })
  expect(await findTraces(sub)).toEqual([`OUT#${sub} OUT`])
  const { client, name } = stores.table
  const { Items } = await client.send(
    new QueryCommand({
      TableName: name,
      KeyConditionExpression: 'PK = :pk',
      ExpressionAttributeValues: { ':pk': `U#${sub}` },
    }),
  )
  expect(Items).toEqual([])
})

it('requires a recent sign-in before it deletes anything, but not to continue', async () => {
  const sub = await createFilledUser()
  const before = await findTraces(sub)
  await expect(eraseAccount(openDeps(), buildInput(sub, 901), neverTimeUp)).rejects.toMatchObject({
    code: 'sign_in_again',
    status: 403,
  })
  expect(await findTraces(sub)).toEqual(before)
  await eraseAccount(openDeps(), buildInput(sub), () => true)
  expect(await eraseAccount(openDeps(), buildInput(sub, 901), neverTimeUp)).toMatchObject({ done: true })
})

it('DEC-020 requires the second factor before it deletes anything, but not to continue', async () => {
  const sub = await createFilledUser()
  const before = await findTraces(sub)
  const depsWithoutFactor = { ...openDeps(), requireStepUp: () => Promise.reject(new Error('no code')) }
  await expect(eraseAccount(depsWithoutFactor, buildInput(sub), neverTimeUp)).rejects.toThrow('no code')
  expect(await findTraces(sub)).toEqual(before)
  await eraseAccount(openDeps(), buildInput(sub), () => true)
  expect(await eraseAccount(depsWithoutFactor, buildInput(sub), neverTimeUp)).toMatchObject({ done: true })
})

it('gives running replies time to notice, and does not wait when there are none', async () => {
  const waitsMs: number[] = []
  const deps = { ...openDeps(), sleep: async (ms: number) => waitsMs.push(ms) }
  const { sub, sessionId } = newConversationIds()
  await stores.runs.claim(aRun({ sub, sessionId }), undefined)
  await eraseAccount(deps, buildInput(sub), neverTimeUp)
  expect(waitsMs).toEqual([2_500])
  await eraseAccount(deps, buildInput(crypto.randomUUID()), neverTimeUp)
  expect(waitsMs).toEqual([2_500])
})

it('ends replies first, then deletes secrets and objects, then rows, and checks for objects once more before it is done', async () => {
  const { sub, sessionId } = newConversationIds()
  await stores.runs.claim(aRun({ sub, sessionId }), undefined)
  const steps: string[] = []
  const deps = openDeps()
  const step = (name: string) => async () => steps.push(name) > 0
  await eraseAccount(
    {
      ...deps,
      userData: {
        ...deps.userData,
        deleteRuns: (...args) => (steps.push('runs'), deps.userData.deleteRuns(...args)),
        deleteAllRows: (...args) => (steps.push('rows'), deps.userData.deleteAllRows(...args)),
      },
      sleep: async () => steps.push('wait'),
      externalCleanups: [step('secrets')],
      deleteObjects: step('objects'),
      pool: { deleteUser: async () => void steps.push('user') },
    },
    buildInput(sub),
    neverTimeUp,
  )
  expect(steps).toEqual(['runs', 'wait', 'secrets', 'objects', 'rows', 'objects', 'user', 'rows'])
})

it('is not done while grants are still being revoked or objects are left, and keeps the rows that name them', async () => {
  const sub = await createFilledUser()
  const endUnfinished = async () => false
  for (const part of [{ externalCleanups: [endUnfinished] }, { deleteObjects: endUnfinished }]) {
    const deps = { ...openDeps(), ...part }
    expect(await eraseAccount(deps, buildInput(sub), neverTimeUp)).toMatchObject({
      done: false,
      held: counts,
    })
    expect(deps.deletedUsers).toEqual([])
    expect(await findTraces(sub)).toContain(`U#${sub} C#github`)
  }
  let calls = 0
  const depsWithLateObject = { ...openDeps(), deleteObjects: async () => (calls += 1) !== 2 }
  expect(await eraseAccount(depsWithLateObject, buildInput(sub), neverTimeUp)).toMatchObject({
    done: false,
  })
  expect(depsWithLateObject.deletedUsers).toEqual([])
  expect(await eraseAccount(openDeps(), buildInput(sub), neverTimeUp)).toMatchObject({
    done: true,
    held: counts,
  })
})

it('a receipt expires after a week', async () => {
  const sub = crypto.randomUUID()
  const nowMs = Date.parse('2026-11-20T08:00:00.500Z')
  await erasureRepository(stores.table).begin(sub, counts, nowMs)
  const { client, name } = stores.table
  const { Item } = await client.send(
    new GetCommand({ TableName: name, Key: { PK: `U#${sub}`, SK: 'ERASE' } }),
  )
  expect(Item).toMatchObject({
    asked_at: '2026-11-20T08:00:00.500Z',
    held: counts,
    ttl: Math.floor(nowMs / 1_000) + 604_800,
  })
})
