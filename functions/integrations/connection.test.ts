import { expect, it } from 'vitest'
import type { RegistryEntry } from '#shared/contracts/registry.ts'
import type { CredentialRow } from './store/credential-repository.ts'
import type { ConnectionRow } from './store/connection-repository.ts'
import { loadReconnectReason, pinServer } from './store/connection.ts'
import { builtInProviders } from '../providers/built-in.ts'
import { toBuiltInEntry } from '../registry/entry-view.ts'
import { buildConnectionFields } from './connection.ts'

const entry = {
  id: 'notes',
  name: 'Notes',
  provider: 'Example',
  namespace: 'com.example',
  open_url: 'https://notes.example',
  config: { remote_url: 'https://notes.example/mcp' },
  credential_fields: [{ name: 'key', label: 'X-Key', secret: true, placeholder: 'sk-…' }],
} as unknown as RegistryEntry
const server = { url: 'https://notes.example/mcp', fields: [{ name: 'key', label: 'X-Key' }] }

it('a connection stores what its entry says, and the only server that it may call', () => {
  const target = { mcpId: 'notes', entry, provider: undefined, environment: 'production' } as const
  const state = { tokenStatus: 'active', parameters: { team: 'red' }, readOnlyTools: ['one'] } as const
  const connection = {
    mcp_name: 'Notes',
    token_status: 'active',
    environment: 'production',
    auth_type: 'api_key',
    provider: 'Example',
    open_url: 'https://notes.example',
    parameters: { team: 'red' },
    read_only_tools: ['one'],
    namespace: 'com.example',
    remote: server,
  }
  expect(buildConnectionFields(target, { ...state, authType: 'api_key' })).toEqual(connection)
  // tokens bring their own server
  expect(buildConnectionFields(target, { ...state, authType: 'oauth2' })).toEqual({
    ...connection,
    auth_type: 'oauth2',
    remote: undefined,
  })
})

it('pins no server for a built-in integration or another entry without one', () => {
  expect(pinServer(entry)).toEqual(server)
  for (const provider of builtInProviders) expect(pinServer(toBuiltInEntry(provider))).toBeUndefined()
})

it('compares only connections to servers of the catalogue with their entry', async () => {
  const requestedIds: string[] = []
  const registry = {
    async find(id: string) {
      requestedIds.push(id)
      return entry
    },
  }
  const load = (mcp_id: string, more: Partial<ConnectionRow> = {}, credential?: Partial<CredentialRow>) => {
    const row = { mcp_id, status: 'connected', auth_type: 'none', ...more } as ConnectionRow
    return loadReconnectReason({ registry }, row, credential as CredentialRow | undefined)
  }
  const host = 'notes.example'
  expect(await load('notes')).toEqual({ kind: 'no_address', host })
  expect(await load('notes-sandbox', { remote: { ...server, url: 'https://old.example/' } })).toEqual({
    kind: 'moved',
    host,
  })
  expect(await load('notes', { auth_type: 'oauth2' }, {})).toEqual({ kind: 'no_address', host })
  expect(requestedIds).toEqual(['notes', 'notes', 'notes'])
  expect(await load('notes', { status: 'disconnected' })).toBeUndefined()
  expect(requestedIds).toHaveLength(3)
})
