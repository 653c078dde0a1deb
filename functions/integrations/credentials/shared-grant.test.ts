import { expect, it } from 'vitest'
import type { CredentialRow } from '../store/credential-repository.ts'
import { isGrantShared, mayShareGrant } from './revoke.ts'

const credential: CredentialRow = {
  version: 'v1',
  status: 'active',
  masks: {},
  sealed: 'tokens',
  client_id: 'my-app',
  refreshable: true,
  updated_at: '',
}
const server = {
  url: 'https://mcp.example.com/mcp',
  issuer: 'https://auth.example.com',
  names_itself: false,
  token_url: 'https://auth.example.com/token',
  client_auth: 'post',
} as const
/** Whether a connection's grant is shared, with these other connections of the user. */
const isShared = (mcpId: string, others: Record<string, Partial<CredentialRow>>) => {
  const rows = Object.entries(others).map(([id, more]) => [id, { ...credential, ...more }] as const)
  const credentials = { list: () => Promise.resolve(new Map(rows)) }
  return isGrantShared({ credentials }, 'ann', mcpId, { clientId: 'my-app', clientSecret: undefined })
}

it.each<[string, string, Record<string, Partial<CredentialRow>>, boolean]>([
  ['another connection of Google through the same app', 'gmail', { 'google-drive': {} }, true],
  ['one of several', 'gmail', { slack: {}, 'google-drive': {} }, true],
  ['the same connection', 'gmail', { gmail: {} }, false],
  ['another app', 'gmail', { 'google-drive': { client_id: 'another' } }, false],
  ['the operator’s app, which was removed', 'gmail', { 'google-drive': { client_id: undefined } }, false],
  ['a connection without tokens', 'gmail', { 'google-drive': { sealed: undefined } }, false],
  ['a connection by another server', 'gmail', { 'google-drive': { server } }, false],
  ['another provider', 'gmail', { slack: {} }, false],
  ['a provider whose grants are each their own', 'salesforce', { 'salesforce-sandbox': {} }, false],
  ['a server that is not built in', 'notes', { 'other-notes': {} }, false],
])('revoking a grant would end %s (%s)', async (_, mcpId, others, expected) => {
  expect(await isShared(mcpId, others)).toBe(expected)
})

it.each<[string, Partial<CredentialRow>, Partial<CredentialRow>, boolean]>([
  ['the same app of a provider', {}, {}, true],
  ['the same client of one issuer', { server }, { server: { ...server, url: 'https://b.example' } }, true],
  [
    'another issuer with the same client id',
    { server },
    { server: { ...server, issuer: 'https://b.example' } },
    false,
  ],
  ['a server instead of the provider', {}, { server }, false],
  ['another app', {}, { client_id: 'another' }, false],
  ['a key before', { sealed: undefined }, {}, false],
  ['a key instead', {}, { sealed: undefined }, false],
])('a connection again, through %s, may be of the same grant', (_, before, after, expected) => {
  expect(mayShareGrant({ ...credential, ...before }, { ...credential, ...after })).toBe(expected)
})
