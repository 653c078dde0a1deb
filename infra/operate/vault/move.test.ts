import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { secretsManagerBackend } from '../../../functions/integrations/vault/secrets-manager.ts'
import { tableBackend } from '../../../functions/integrations/vault/table.ts'
import {
  orderBackends,
  type SecretBackend,
  type Credentials,
  vault,
  type VaultKind,
} from '../../../functions/integrations/vault/vault.ts'
import { sealer } from '../../../functions/platform/secrets/seal.ts'
import type { Table } from '../../../functions/platform/dynamodb/table.ts'
import { openTestSecrets } from '../../../test/support/secrets.ts'
import { openTestTable } from '../../../test/support/table.ts'
import { countVault, moveVault, type Backends } from './move.ts'

const kinds = ['table', 'secrets'] as const
const otherKind = (kind: VaultKind): VaultKind => (kind === 'table' ? 'secrets' : 'table')
const credentials = { apiKey: 'ntn_canary' }

describe.each(kinds)('a move to %s', (to) => {
  let table: Awaited<ReturnType<typeof openTestTable>>
  let secrets: Awaited<ReturnType<typeof openTestSecrets>>
  beforeEach(async () => {
    ;[table, secrets] = await Promise.all([openTestTable(), openTestSecrets()])
  })
  afterEach(() => Promise.all([table.close(), secrets.close()]))

  const createRealBackends = (): Backends => ({
    secrets: secretsManagerBackend(secrets.client),
    table: tableBackend(table, sealer({ read: async () => 'key' }, 'name')),
  })

  /** A value in a backend, and the row that names it. */
  async function storeCredentials(kind: VaultKind, key: 'C#' | 'T#', values: Credentials = credentials) {
    const sub = randomUUID()
    const name = await vault(orderBackends(kind, createRealBackends()), 'stage/vault').store(
      sub,
      'notion',
      values,
    )
    const Item = { PK: `U#${sub}`, SK: `${key}notion`, secret_name: name, version: '1' }
    await table.client.send(new PutCommand({ TableName: table.name, Item }))
    return { sub, name, values }
  }

  /** The backends, for this many calls in all: then the process has crashed. */
  function interruptAfter(calls: number, backends: Backends): Backends {
    let callsLeft = calls
    const interrupt = (backend: SecretBackend): SecretBackend => {
      const count = () => {
        callsLeft -= 1
        if (callsLeft < 0) throw new Error('cut')
      }
      return {
        find: async (...args) => (count(), backend.find(...args)),
        put: async (...args) => (count(), backend.put(...args)),
        remove: async (...args) => (count(), backend.remove(...args)),
      }
    }
    return { secrets: interrupt(backends.secrets), table: interrupt(backends.table) }
  }

  it('INFRA-06 may be interrupted at every step and repeated: every value can be read at any time, and in the end it is only in the new backend', async () => {
    const from = otherKind(to)
    const entries = [
      await storeCredentials(from, 'C#'),
      await storeCredentials(from, 'T#', { 'field:team': 'ключ' }),
      await storeCredentials(to, 'C#', { apiKey: 'here already' }),
    ]
    const backends = createRealBackends()
    const lines: string[] = []
    const work = { table, report: (line: string) => void lines.push(line) }
    let calls = 0
    for (; ; calls += 1) {
      const { left } = await moveVault({ ...work, backends: interruptAfter(calls, backends) }, to)
      for (const kind of kinds)
        for (const { sub, name, values: expected } of entries)
          expect(await vault(orderBackends(kind, backends), 'stage/vault').read(sub, name)).toEqual(expected)
      if (left === 0) break
    }
    expect(calls).toBeGreaterThan(6)
    const zeroCounts = { secrets: 0, table: 0, both: 0, nowhere: 0, unreadable: 0 }
    expect(await countVault({ ...work, backends })).toEqual({ ...zeroCounts, [to]: entries.length })
    expect(await moveVault({ ...work, backends }, to)).toEqual({ moved: 0, left: 0 })
    expect(lines.join()).not.toMatch(/canary|ключ|already/)
  })

  it('leaves what cannot be read, says how many and why, and moves the rest', async () => {
    const from = otherKind(to)
    const unreadableEntry = await storeCredentials(from, 'C#')
    await storeCredentials(from, 'C#')
    const backends = createRealBackends()
    const failingBackend: SecretBackend = {
      ...backends[from],
      find: async (sub, name) =>
        name === unreadableEntry.name
          ? Promise.reject(new Error('of no known key'))
          : backends[from].find(sub, name),
    }
    const lines: string[] = []
    const work = { table, report: (line: string) => void lines.push(line) }
    const withFailingBackend = { ...backends, [from]: failingBackend }
    expect(await countVault({ ...work, backends: withFailingBackend })).toMatchObject({ unreadable: 1 })
    expect(await moveVault({ ...work, backends: withFailingBackend }, to)).toEqual({ moved: 1, left: 1 })
    expect(lines).toContain('1 could not be moved: of no known key')
    expect(lines.join()).not.toContain(unreadableEntry.sub)
    expect(await moveVault({ ...work, backends }, to)).toEqual({ moved: 1, left: 0 })
  })

  it('deletes nothing without an equal copy', async () => {
    const from = otherKind(to)
    const { sub, name } = await storeCredentials(from, 'C#')
    const backends = createRealBackends()
    const backendWithoutWrites: SecretBackend = { ...backends[to], put: async () => undefined }
    const work = { table, report: () => undefined }
    expect(
      await moveVault({ ...work, backends: { ...backends, [to]: backendWithoutWrites } }, to),
    ).toMatchObject({
      left: 1,
    })
    await backends[to].put(sub, name, { apiKey: 'another' })
    expect(await moveVault({ ...work, backends }, to)).toMatchObject({ moved: 0, left: 1 })
    expect(await backends[from].find(sub, name)).toEqual(credentials)
  })
})

/** Runs a step when it is its owner's turn. */
type Turn = <T>(step: () => T) => Promise<T>

const createMemoryBackend = (stored: Map<string, Credentials>, turn: Turn): SecretBackend => ({
  find: (_, name) => turn(() => stored.get(name)),
  put: (_, name, values) => turn(() => void stored.set(name, values)),
  remove: (_, name) => turn(() => void stored.delete(name)),
})

/** Runs the steps of two owners in this order; an owner without further steps is skipped. */
function createTurns(order: readonly string[]) {
  const remaining = [...order]
  const ended = new Set<string>()
  const waiting = new Map<string, () => void>()
  function next() {
    for (;;) {
      while (remaining[0] !== undefined && ended.has(remaining[0])) remaining.shift()
      const owner = remaining[0] ?? [...waiting.keys()][0]
      const proceed = owner === undefined ? undefined : waiting.get(owner)
      if (owner === undefined || !proceed) return
      remaining.shift()
      waiting.delete(owner)
      proceed()
    }
  }
  return {
    takeTurn:
      (owner: string): Turn =>
      (step) =>
        new Promise((done) => {
          waiting.set(owner, () => done(step()))
          next()
        }),
    async run<T>(owner: string, work: Promise<T>): Promise<T> {
      try {
        return await work
      } finally {
        ended.add(owner)
        next()
      }
    },
  }
}

/** All interleavings of two owners' steps. */
function listOrders(moves: number, others: number): string[][] {
  if (moves === 0) return [Array.from({ length: others }, () => 'other')]
  if (others === 0) return [Array.from({ length: moves }, () => 'move')]
  return [
    ...listOrders(moves - 1, others).map((order) => ['move', ...order]),
    ...listOrders(moves, others - 1).map((order) => ['other', ...order]),
  ]
}

const name = 'stage/vault/sub/notion/1'
/** steps: find, put and find a value; then find it in both backends and remove it */
const orders = listOrders(6, 3)

describe.each([
  ['table', 'table'],
  ['table', 'secrets'],
  ['secrets', 'table'],
  ['secrets', 'secrets'],
] as const)('while a value moves to %s, a process configured for %s', (to, configured) => {
  const scan = { Items: [{ PK: 'U#sub', SK: 'C#notion', secret_name: name }] }
  const table = { name: 'test', client: { send: async () => scan } } as unknown as Table

  function startMove(order: readonly string[]) {
    const stored = { secrets: new Map<string, Credentials>(), table: new Map<string, Credentials>() }
    stored[otherKind(to)].set(name, credentials)
    const turns = createTurns(order)
    const buildBackends = (owner: string): Backends => ({
      secrets: createMemoryBackend(stored.secrets, turns.takeTurn(owner)),
      table: createMemoryBackend(stored.table, turns.takeTurn(owner)),
    })
    const move = () =>
      turns.run('move', moveVault({ table, backends: buildBackends('move'), report: () => undefined }, to))
    return {
      stored,
      turns,
      move,
      otherVault: vault(orderBackends(configured, buildBackends('other')), 'stage/vault'),
    }
  }

  it('finds it, in whatever order their steps happen', async () => {
    for (const order of orders) {
      const { stored, turns, move, otherVault } = startMove(order)
      const [moved, found] = await Promise.all([move(), turns.run('other', otherVault.read('sub', name))])
      const counts = [stored[to].size, stored[otherKind(to)].size]
      expect({ order, found, moved, counts }).toEqual({
        order,
        found: credentials,
        moved: { moved: 1, left: 0 },
        counts: [1, 0],
      })
    }
  })

  it('deletes it for good, in whatever order their steps happen', async () => {
    for (const order of orders) {
      const { stored, turns, move, otherVault } = startMove(order)
      await Promise.all([move(), turns.run('other', otherVault.remove('sub', name))])
      expect({ order, stored: [...stored.secrets, ...stored.table] }).toEqual({ order, stored: [] })
    }
  })

  it('stores another value beside it, which is found afterwards', async () => {
    for (const order of listOrders(6, 1)) {
      const { turns, move, otherVault } = startMove(order)
      const [, newName] = await Promise.all([
        move(),
        turns.run('other', otherVault.store('sub', 'notion', { apiKey: 'new' })),
      ])
      const found = await otherVault.read('sub', newName)
      expect({ order, found }).toEqual({ order, found: { apiKey: 'new' } })
    }
  })
})
