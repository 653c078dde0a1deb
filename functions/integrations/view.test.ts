import { expect, it } from 'vitest'
import type { CredentialRow } from './store/credential-repository.ts'
import type { ConnectionRow } from './store/connection-repository.ts'
import { toConnectionView } from './view.ts'

const now = new Date('2026-11-20T12:00:00Z')
const row: ConnectionRow = {
  mcp_id: 'slack',
  mcp_name: 'Slack',
  status: 'connected',
  token_status: 'active',
  connected_at: '2026-11-01T00:00:00.000Z',
  created_at: '2026-11-01T00:00:00.000Z',
  updated_at: '2026-11-01T00:00:00.000Z',
  environment: 'production',
  auth_type: 'oauth2',
  provider: 'Slack',
  open_url: null,
  parameters: {},
  usage_count: 0,
  last_used_at: null,
}
const credential: CredentialRow = {
  version: 'v1',
  status: 'active',
  masks: {},
  refreshable: true,
  updated_at: '',
}
const buildView = (rowChanges: Partial<ConnectionRow>, credentialChanges: Partial<CredentialRow> = {}) =>
  toConnectionView('ann', { ...row, ...rowChanges }, { ...credential, ...credentialChanges }, now)

it('CRED-08 DATA-28 shows a row with its credential and what follows from it', () => {
  const expires_at = '2026-11-20T12:08:00.000Z'
  expect(buildView({}, { expires_at })).toMatchObject({
    credential: { status: 'active', expires_at, needs_refresh: false },
    needsAttention: true,
    expiryDisplay: 'Expires in 8m',
    health_status: 'healthy',
  })
  expect(toConnectionView('ann', row, undefined, now)).toMatchObject({
    credential: null,
    credential_id: null,
    needsAttention: false,
    expiryDisplay: null,
  })
})

it('a connection to a server that moved needs attention, whatever its credential says (H4)', () => {
  const reconnect = { kind: 'moved', host: 'evil.example' } as const
  expect(toConnectionView('ann', row, credential, now, reconnect)).toMatchObject({
    token_status: 'invalid',
    needsAttention: true,
    health_status: 'attention',
    reconnect,
  })
})

it('DEC-052 DEC-125 a pending refresh follows from the credential, never from the row', () => {
  expect(buildView({}, { access_expires_at: '2026-11-20T11:00:00.000Z' })).toMatchObject({
    token_status: 'needs_refresh',
    credential: { needs_refresh: true },
    needsAttention: true,
  })
  expect(buildView({ token_status: 'needs_refresh' })).toMatchObject({
    token_status: 'active',
    credential: { needs_refresh: false },
    needsAttention: false,
  })
})

it('DEC-057 an unknown status stays unknown, and counts as healthy', () => {
  expect(buildView({ token_status: 'unknown' })).toMatchObject({
    token_status: 'unknown',
    health_status: 'healthy',
    needsAttention: false,
    display_status: 'connected',
  })
})

it('INT-59 does not show a row without a name or date', () => {
  expect(buildView({ mcp_name: undefined })).toBeUndefined()
  expect(buildView({ connected_at: undefined })).toBeUndefined()
})

it('shows all fields of a connection', () => {
  const expires_at = '2026-11-21T12:00:00.000Z'
  const view = {
    id: 'slack',
    user_id: 'ann',
    mcp_id: 'slack',
    mcp_name: 'Slack',
    status: 'connected',
    token_status: 'active',
    connected_at: '2026-11-01T00:00:00.000Z',
    created_at: '2026-11-01T00:00:00.000Z',
    updated_at: '2026-11-01T00:00:00.000Z',
    settings: { environment: 'production' },
    credential_id: 'slack',
    credential: { status: 'active', expires_at, needs_refresh: false },
    auth_type: 'oauth2',
    provider: 'Slack',
    expires_at,
    display_status: 'connected',
    needsAttention: false,
    expiryDisplay: 'Expires in 1d 0h',
    health_status: 'healthy',
    refreshable: true,
    open_url: null,
    namespace: 'com.example',
  }
  expect(buildView({ namespace: 'com.example' }, { expires_at })).toEqual(view)
  // the expiry of a credential that is about to be deleted is not shown
  const disconnectedRow = { status: 'disconnected', token_status: 'inactive' } as const
  expect(buildView({ ...disconnectedRow, namespace: 'com.example' }, { expires_at })).toEqual({
    ...view,
    ...disconnectedRow,
    expires_at: null,
    display_status: 'disconnected',
    expiryDisplay: null,
    health_status: 'attention',
  })
})

it('shows the worse status of the row and the credential', () => {
  const past = '2026-11-20T11:00:00.000Z'
  const getStatus = (row: Partial<ConnectionRow>, credentialChanges?: Partial<CredentialRow>) =>
    buildView(row, credentialChanges)?.token_status
  expect(getStatus({ token_status: 'invalid' })).toBe('invalid')
  expect(getStatus({ token_status: 'inactive' })).toBe('inactive')
  expect(getStatus({}, { status: 'invalid' })).toBe('invalid')
  // a grant that has ended cannot be refreshed
  expect(getStatus({}, { expires_at: past, access_expires_at: past })).toBe('expired')
})
