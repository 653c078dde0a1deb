import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { parseConfig } from './config.ts'

const valid = {
  region: 'eu-central-1',
  userPoolId: 'eu-central-1_Ab',
  userPoolClientId: 'client',
  assistantName: 'Juno',
  brandName: 'Juno',
  signUp: 'open',
  demo: { model: true, providers: true },
  version: '1',
}

beforeEach(() => vi.resetModules())
afterEach(() => vi.unstubAllGlobals())

it('accepts a configuration with and without optional values', () => {
  expect(parseConfig(valid)).toEqual(valid)
  const full = {
    ...valid,
    userPoolEndpoint: 'http://127.0.0.1:9',
    oauthDomain: 'https://sign-in.example',
    minPasswordCharacters: 12,
    googleSignIn: false,
    passwordSignIn: false,
    identityProviders: [{ name: 'Okta', label: 'Okta', domains: ['corp.example'] }],
  }
  expect(parseConfig(full)).toEqual(full)
})

it.each([
  ['a list', []],
  ['null', null],
  ['no region', { ...valid, region: undefined }],
  ['an empty client', { ...valid, userPoolClientId: '' }],
  ['a number as version', { ...valid, version: 1 }],
  ['an endpoint without scheme', { ...valid, userPoolEndpoint: 'nonsense' }],
  ['a domain that is not a string', { ...valid, oauthDomain: 5 }],
  ['a password length that is not a number', { ...valid, minPasswordCharacters: '12' }],
  ['providers that are not a list', { ...valid, identityProviders: {} }],
  ['a provider without a label', { ...valid, identityProviders: [{ name: 'Okta', label: '', domains: [] }] }],
  ['a provider without domains', { ...valid, identityProviders: [{ name: 'Okta', label: 'Okta' }] }],
  [
    'a provider domain that is not a string',
    { ...valid, identityProviders: [{ name: 'Okta', label: 'Okta', domains: [5] }] },
  ],
  ['a string instead of a boolean', { ...valid, passwordSignIn: 'off' }],
  ['no sign-up mode', { ...valid, signUp: undefined }],
  ['an unknown sign-up mode', { ...valid, signUp: 'sometimes' }],
  ['no demo', { ...valid, demo: undefined }],
  ['an incomplete demo', { ...valid, demo: { model: true } }],
])('DEC-108 rejects %s', (_, value) => {
  expect(() => parseConfig(value)).toThrow(expect.objectContaining({ name: 'ConfigError' }))
})

it('loads once, and loads again after a failure', async () => {
  const { loadConfig } = await import('./config.ts')
  const fetchMock = vi.fn<typeof fetch>()
  vi.stubGlobal('fetch', fetchMock)
  fetchMock.mockResolvedValueOnce(new Response('', { status: 404 }))
  await expect(loadConfig()).rejects.toMatchObject({ name: 'ConfigError' })
  fetchMock.mockResolvedValueOnce(new Response('<!doctype html>'))
  await expect(loadConfig()).rejects.toMatchObject({ name: 'ConfigError' })
  fetchMock.mockResolvedValueOnce(Response.json(valid))
  expect(await loadConfig()).toEqual(valid)
  expect(await loadConfig()).toEqual(valid)
  expect(fetchMock).toHaveBeenCalledTimes(3)
})

it('LIM-08 uses the default password length unless the configuration has one', async () => {
  const { loadConfig, getMinPasswordCharacters } = await import('./config.ts')
  expect(getMinPasswordCharacters()).toBe(6)
  vi.stubGlobal(
    'fetch',
    vi.fn<typeof fetch>().mockResolvedValue(Response.json({ ...valid, minPasswordCharacters: 12 })),
  )
  await loadConfig()
  expect(getMinPasswordCharacters()).toBe(12)
})
