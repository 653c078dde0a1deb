import { mkdtempSync, rmSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, expect, it } from 'vitest'
import { hashOwner } from '../../../functions/platform/auth/link-suspension.ts'
import { userHash } from '../../../functions/platform/telemetry/logger.ts'
import { invitationKey } from '../../../functions/sign-in/invitations.ts'
import { type BackupStore, openBackupStore } from './backup-store.ts'
import { forgetPerson } from './forget-person.ts'
import { loadManifest, newProgress, writeManifest, writePart } from './manifest.ts'
import { verifyBackup } from './verify-backup.ts'
import { createHash } from 'node:crypto'

const folder = mkdtempSync(join(tmpdir(), 'juno-forget-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const [ann, eve] = ['0b8f4f3e-1111-4a2b-8c3d-5e6f7a8b9c0d', '9c1d2e3f-2222-4b3c-9d4e-6f7a8b9c0d1e']
const email = 'eve@example.com'
const row = (PK: string, SK: string, fields: object = {}) => ({ PK: { S: PK }, SK: { S: SK }, ...fields })

/** A backup with rows, files and accounts of two people. */
async function writeBackup(place: string): Promise<BackupStore> {
  const store = openBackupStore(join(folder, place))
  const rows = [
    row(`U#${ann}`, 'PROFILE'),
    row(`U#${eve}`, 'PROFILE', { display_name: { S: 'Canary' } }),
    row(`FEEDBACK#${eve}`, 's#m', { text: { S: 'Canary' } }),
    row('SHARE#x', 'P#1#000', { text: { S: 'Canary' } }),
    row('SHARE#x', 'HEAD', { owner: { S: hashOwner(eve) } }),
    row('ASSIST#y', 'V#1#000', { text: { S: 'Canary' } }),
    row('ASSIST#y', 'HEAD', { publisher: { S: eve } }),
    row('INVITES', invitationKey(email).SK, { email: { S: email } }),
    row('AUDIT#2026-11', '1', { target: { S: 'Eve@example.com' }, action: { S: 'user.disabled' } }),
  ]
  const files = [ann, eve].map((sub) => {
    const text = sub === eve ? 'Canary' : 'hello'
    const sha256 = createHash('sha256').update(text).digest('hex')
    return { text, line: { key: `users/${sub}/1/original`, size: text.length, sha256 } }
  })
  for (const { text, line } of files) await store.write(`objects/${line.key}`, Buffer.from(text), text.length)
  const users = [ann, eve].map((sub) => ({
    sub,
    username: sub,
    attributes: { sub, email: sub === eve ? email : 'ann@example.com' },
    enabled: true,
    status: 'CONFIRMED',
    groups: [],
  }))
  const { step: _, ...contents } = newProgress({ table: 't', bucket: 'b', pool: 'p' }, '1.0.0', new Date(0))
  await writeManifest(store, {
    ...contents,
    ended_at: new Date(1).toISOString(),
    parts: [
      await writePart(store, { kind: 'rows', number: '00001' }, rows),
      await writePart(
        store,
        { kind: 'objects', number: '00001' },
        files.map(({ line }) => line),
      ),
      await writePart(store, { kind: 'users', number: '00001' }, users),
    ],
    rows: {
      'rows of people': 2,
      ratings: 1,
      'shared links': 2,
      assistants: 2,
      invitations: 1,
      'audit log': 1,
    },
    objects: { count: 2, bytes: 11 },
    users: 2,
  })
  return store
}

/** All bytes of a backup as text. */
async function readAllText(place: string): Promise<string> {
  const entries = await readdir(join(folder, place), { recursive: true, withFileTypes: true })
  const texts = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async ({ parentPath, name }) => {
        const bytes = await readFile(join(parentPath, name))
        return name + (name.endsWith('.gz') ? gunzipSync(bytes).toString() : bytes.toString())
      }),
  )
  return texts.join('\n')
}

/** A store that fails from a number of writes and removals on. */
function failAfter(store: BackupStore, changes: number): BackupStore {
  let left = changes
  const count = () => {
    left -= 1
    return left < 0 ? Promise.reject(new Error('cut')) : Promise.resolve()
  }
  return {
    ...store,
    write: async (...input) => (await count(), store.write(...input)),
    remove: async (name) => (await count(), store.remove(name)),
  }
}

it('erases a person from a backup, however often it is interrupted, and nobody else', async () => {
  for (let changes = 0; ; changes += 1) {
    const place = `cut-${changes}`
    const store = await writeBackup(place)
    const outcome = await forgetPerson(failAfter(store, changes), email).catch((error: Error) => error)
    if (outcome instanceof Error) {
      if (outcome.message !== 'cut') throw outcome
      await forgetPerson(store, email)
    }
    const text = await readAllText(place)
    for (const word of ['Canary', eve, email, 'Eve@example.com'])
      expect(text.includes(word), `${changes} ${word}`).toBe(false)
    expect(text).toContain(userHash(eve))
    expect(text).toContain('hello')
    const manifest = await verifyBackup(store)
    expect({ changes, ...manifest }).toMatchObject({
      changes,
      users: 1,
      objects: { count: 1, bytes: 5 },
      rows: {
        'rows of people': 1,
        ratings: 0,
        'shared links': 0,
        assistants: 0,
        invitations: 0,
        'audit log': 1,
      },
    })
    if (outcome instanceof Error) continue
    expect(outcome).toEqual({ rows: 7, objects: 1 })
    expect(changes).toBeGreaterThan(8)
    break
  }
})

it('knows nobody by another address, and forgets an id of which there is no account', async () => {
  const store = await writeBackup('unknown')
  expect(await forgetPerson(store, 'nobody@example.com')).toBeUndefined()
  expect(await forgetPerson(store, '11111111-1111-4111-8111-111111111111')).toEqual({ rows: 0, objects: 0 })
  expect((await loadManifest(store)).users).toBe(2)
})
