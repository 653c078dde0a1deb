import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { mockClient } from 'aws-sdk-client-mock'
import { beforeEach, expect, it, vi } from 'vitest'
import { seal, unseal } from './seal.ts'

const secrets = mockClient(SecretsManagerClient)

beforeEach(() => {
  vi.stubEnv('SEALING_KEY_SECRET', 'juno/sealing')
  secrets.on(GetSecretValueCommand).resolves({ SecretString: 'k'.repeat(64) })
})

it('DEC-085 opens what it sealed, and never seals alike twice', async () => {
  const first = await seal('täglich 🙂', 'user|gmail|1')
  const second = await seal('täglich 🙂', 'user|gmail|1')
  expect(first).not.toBe(second)
  expect(first).not.toContain('glich')
  expect(await unseal(first, 'user|gmail|1')).toBe('täglich 🙂')
  expect(await unseal(await seal('', 'c'), 'c')).toBe('')
})

it('DEC-085 opens under no other context', async () => {
  const sealed = await seal('token', 'ann|gmail|1')
  for (const context of ['bob|gmail|1', 'ann|slack|1', 'ann|gmail|2', ''])
    await expect(unseal(sealed, context)).rejects.toThrow(/authenticate/)
})

it('refuses what was changed or is nothing sealed', async () => {
  const sealed = await seal('token', 'c')
  const [version, iv, text = ''] = sealed.split('.')
  const flipped = `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`
  for (const wrong of [
    `${version}.${iv}.${flipped}`,
    `v2.${iv}.${text}`,
    `${sealed}.x`,
    `${version}.${iv}.AAAA`,
    '',
    'x',
  ])
    await expect(unseal(wrong, 'c')).rejects.toThrow(/authenticate|no sealed text/)
})
