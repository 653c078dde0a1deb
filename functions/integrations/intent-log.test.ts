import { randomUUID } from 'node:crypto'
import { afterAll, expect, it, vi } from 'vitest'
import { maxStoredSecrets } from '../platform/limits.ts'
import { openTestTable } from '../../test/support/table.ts'
import { saveCredentials } from './credentials/save.ts'
import { TooManySecrets } from './store/errors.ts'
import { secretIntentLog } from './vault/intent-log.ts'
import { vault, type SecretBackend } from './vault/vault.ts'

const table = await openTestTable()
afterAll(() => table.close())

function openVault() {
  const names = new Set<string>()
  const backend: SecretBackend = {
    find: () => Promise.resolve(undefined),
    put: async (_, name) => void names.add(name),
    remove: async (_, name) => void names.delete(name),
  }
  const backendWithIntents = secretIntentLog(table).withIntents(backend)
  return { names, ...vault([backendWithIntents, backendWithIntents], 'stage/vault') }
}
const tooMany = { status: 409, code: 'too_many_secrets' }

it('limits the secrets of a user, each of which costs the operator every month, however many are stored at once', async () => {
  const sub = randomUUID()
  const { names, ...userVault } = openVault()
  const storeAll = (count: number) =>
    Promise.allSettled(
      Array.from({ length: count }, () => userVault.store(sub, randomUUID(), { apiKey: 'x' })),
    )
  expect((await storeAll(maxStoredSecrets - 1)).every(({ status }) => status === 'fulfilled')).toBe(true)
  const results = await storeAll(5)
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({ reason: tooMany })
  expect(names.size).toBeLessThanOrEqual(maxStoredSecrets)

  while (names.size < maxStoredSecrets) await userVault.store(sub, randomUUID(), { apiKey: 'x' })
  await expect(userVault.store(sub, randomUUID(), { apiKey: 'x' })).rejects.toMatchObject(tooMany)
  const [name = ''] = names
  const id = name.split('/')[3] ?? ''
  // a new key for the same connection: the old one is deleted afterwards
  await userVault.store(sub, id, { apiKey: 'y' })
  await userVault.remove(sub, name)
  expect(names.size).toBe(maxStoredSecrets)
  // refused secrets do not count
  await userVault.remove(sub, [...names][0] ?? '')
  await userVault.store(sub, randomUUID(), { apiKey: 'x' })
  await userVault.store(randomUUID(), randomUUID(), { apiKey: 'of somebody else' })
})

it('reports that there are too many secrets, and writes no row', async () => {
  const replace = vi.fn<() => Promise<string[]>>()
  const store = () => Promise.reject(new TooManySecrets('no room'))
  const deps = { vault: { store }, credentials: { replace } } as never
  const saving = saveCredentials(deps, randomUUID(), { mcpId: 'notion' }, { apiKey: 'x' })
  await expect(saving).rejects.toMatchObject(tooMany)
  expect(replace).not.toHaveBeenCalled()
})
