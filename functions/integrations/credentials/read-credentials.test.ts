import { expect, it, vi } from 'vitest'
import type { CredentialRow } from '../store/credential-repository.ts'
import type { RefreshDeps } from './refresh.ts'
import { credentialsReader } from './read-credentials.ts'
import { ReconnectRequired } from '../../providers/reconnect-required.ts'

/** The stored parts of a connection, and mocks of its stores. */
function openAccess(credential: Partial<CredentialRow> | undefined) {
  const read = vi.fn<() => Promise<Record<string, string>>>(() => Promise.resolve({ key: 'typed' }))
  const open = vi.fn<(sealed: string) => Promise<string>>((sealed) => Promise.resolve(sealed))
  const stored = credential && {
    version: 'one',
    status: 'active',
    masks: {},
    refreshable: false,
    updated_at: '',
    ...credential,
  }
  const setStatus = vi.fn<() => Promise<object>>(() => Promise.resolve({}))
  const stores = {
    credentials: { find: () => Promise.resolve(stored) },
    integrations: {
      find: () => Promise.resolve({ mcp_id: 'notes', status: 'connected', token_status: 'active' }),
      setStatus,
    },
    sealer: { open },
    vault: { read },
  } as unknown as RefreshDeps
  return {
    access: credentialsReader(stores, 'ann', { mcpId: 'notes', name: 'Notes' }),
    read,
    open,
    setStatus,
  }
}
const tokens = { sealed: '{"accessToken":"token"}' }

it.each<[string, Partial<CredentialRow> | undefined]>([
  ['is gone', undefined],
  ['was refused, and holds a key', { status: 'invalid', secret_name: 'secret' }],
  ['was refused, and holds tokens', { status: 'invalid', ...tokens }],
  ['has ended', { status: 'expired', secret_name: 'secret' }],
  ['holds nothing', {}],
])('a credential that %s is not used or read', async (_, credential) => {
  const { access, read, open } = openAccess(credential)
  await expect(access()).rejects.toBeInstanceOf(ReconnectRequired)
  expect(read).not.toHaveBeenCalled()
  expect(open).not.toHaveBeenCalled()
})

it('reads a key from the vault of its user, and opens tokens for their user and connection', async () => {
  const keyAccess = openAccess({ secret_name: 'secret' })
  expect(await keyAccess.access()).toEqual({ version: 'one', credentials: { key: 'typed' } })
  expect(keyAccess.read).toHaveBeenCalledExactlyOnceWith('ann', 'secret')
  const tokenAccess = openAccess(tokens)
  expect(await tokenAccess.access()).toMatchObject({ version: 'one', tokens: { accessToken: 'token' } })
  expect(tokenAccess.open).toHaveBeenCalledExactlyOnceWith(tokens.sealed, 'tokens|ann|notes|one')
})

it('does not reuse a refused credential that cannot be renewed, and leaves it to the call to mark the connection', async () => {
  const { access, read, setStatus } = openAccess({ secret_name: 'secret' })
  const error: unknown = await access('one').catch((reason: unknown) => reason)
  expect(read).not.toHaveBeenCalled()
  expect(setStatus).not.toHaveBeenCalled()
  expect(error).toBeInstanceOf(ReconnectRequired)
  await (error as ReconnectRequired).remember()
  expect(setStatus).toHaveBeenCalledExactlyOnceWith('ann', 'notes', {
    status: 'connected',
    tokenStatus: 'invalid',
  })
})

it('ignores the refusal of an earlier version', async () => {
  const { access, setStatus } = openAccess({ secret_name: 'secret' })
  expect(await access('zero')).toMatchObject({ version: 'one' })
  expect(setStatus).not.toHaveBeenCalled()
})
