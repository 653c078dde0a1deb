import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { expect, it, onTestFinished, vi } from 'vitest'
import { sealer, SecretsUnavailable } from './seal.ts'
import { secretStore } from './secret-store.ts'

const withKeys = (...keys: string[]) => sealer({ read: async () => keys.join('\n') }, 'key')

it('DATA-06 opens what it sealed in the same context, and never seals the same way twice', async () => {
  const firstSealer = withKeys('first')
  const sealed = await firstSealer.seal('JBSWY3DPEHPK3PXP é', 'U#ann totp')
  expect(sealed).not.toContain('JBSWY')
  expect(await firstSealer.open(sealed, 'U#ann totp')).toBe('JBSWY3DPEHPK3PXP é')
  expect(await firstSealer.seal('JBSWY3DPEHPK3PXP é', 'U#ann totp')).not.toBe(sealed)
})

it('does not open what belongs to another context or was changed', async () => {
  const firstSealer = withKeys('first')
  const sealed = await firstSealer.seal('secret', 'U#ann totp')
  await expect(firstSealer.open(sealed, 'U#ben totp')).rejects.toThrow('authenticate')
  const last = sealed.at(-3) === 'A' ? 'B' : 'A'
  await expect(firstSealer.open(sealed.slice(0, -3) + last + sealed.slice(-2), 'U#ann totp')).rejects.toThrow(
    'authenticate',
  )
  await expect(firstSealer.open('v1.00000000.AAAA', 'U#ann totp')).rejects.toThrow('unknown key id')
})

it('a new key in front seals, and the old one still opens', async () => {
  const oldValue = await withKeys('old').seal('secret', 'c')
  const sealerWithBoth = withKeys('new', 'old', '')
  expect(await sealerWithBoth.open(oldValue, 'c')).toBe('secret')
  const newValue = await sealerWithBoth.seal('secret', 'c')
  expect(await withKeys('new').open(newValue, 'c')).toBe('secret')
  await expect(withKeys('new').open(oldValue, 'c')).rejects.toThrow('unknown key id')
})

it('returns a fingerprint per key, the current one first, different for each use', async () => {
  const [oldFingerprint] = await withKeys('old').fingerprints('mail', 'ann@example.com')
  const [current, ...others] = await withKeys('new', 'old').fingerprints('mail', 'ann@example.com')
  expect(others).toEqual([oldFingerprint])
  expect(current).not.toBe(oldFingerprint)
  expect(await withKeys('old').fingerprints('other', 'ann@example.com')).not.toContain(oldFingerprint)
})

it('reports that secrets are unavailable when the store fails or is empty', async () => {
  const cause = new Error('down')
  const failingSealer = sealer({ read: async () => Promise.reject(cause) }, 'key')
  await expect(failingSealer.seal('x', 'c')).rejects.toMatchObject({ code: 'secrets_unavailable', cause })
  await expect(withKeys('').seal('x', 'c')).rejects.toBeInstanceOf(SecretsUnavailable)
})

it('reads the keys again for a value of an unknown key, but not for every value', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  let storedKeys = 'old'
  let reads = 0
  const client = {
    send: async () => {
      reads += 1
      return { SecretString: storedKeys }
    },
  } as unknown as SecretsManagerClient
  const fromStore = sealer(secretStore(client), 'key')
  expect(await fromStore.open(await withKeys('old').seal('one', 'c'), 'c')).toBe('one')
  const newValue = await withKeys('new').seal('two', 'c')
  storedKeys = 'new\nold'
  await expect(fromStore.open(newValue, 'c')).rejects.toThrow('unknown key id')
  expect(reads).toBe(1)
  vi.setSystemTime(Date.now() + 10_000)
  expect(await fromStore.open(newValue, 'c')).toBe('two')
  expect(await fromStore.open(newValue, 'c')).toBe('two')
  expect(reads).toBe(2)
})

it('reseals with the current key what another key sealed, and nothing else', async () => {
  const sealerWithBoth = withKeys('new', 'old')
  const resealed = await sealerWithBoth.reseal(await withKeys('old').seal('secret', 'c'), 'c')
  expect(await withKeys('new').open(resealed ?? '', 'c')).toBe('secret')
  expect(await sealerWithBoth.reseal(resealed ?? '', 'c')).toBeUndefined()
  await expect(sealerWithBoth.reseal(await withKeys('old').seal('secret', 'c'), 'other')).rejects.toThrow(
    'authenticate data',
  )
})
