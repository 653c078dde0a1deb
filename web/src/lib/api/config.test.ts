import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { parseConfig } from './config.ts'

const validConfig = {
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
  expect(parseConfig(validConfig)).toEqual(validConfig)
  const fullConfig = {
    ...validConfig,
    userPoolEndpoint: 'http://127.0.0.1:9',
    oauthDomain: 'https://sign-in.example',
    minPasswordCharacters: 12,
    googleSignIn: false,
    passwordSignIn: false,
    identityProviders: [{ name: 'Okta', label: 'Okta', domains: ['corp.example'] }],
  }
  expect(parseConfig(fullConfig)).toEqual(fullConfig)
})

it.each([
  ['a list', []],
  ['null', null],
  ['no region', { ...validConfig, region: undefined }],
  ['an empty client', { ...validConfig, userPoolClientId: '' }],
  ['a number as version', { ...validConfig, version: 1 }],
  ['an endpoint without scheme', { ...validConfig, userPoolEndpoint: 'nonsense' }],
  ['a domain that is not a string', { ...validConfig, oauthDomain: 5 }],
  ['a password length that is not a number', { ...validConfig, minPasswordCharacters: '12' }],
  ['providers that are not a list', { ...validConfig, identityProviders: {} }],
  [
    'a provider without a label',
    { ...validConfig, identityProviders: [{ name: 'Okta', label: '', domains: [] }] },
  ],
  ['a provider without domains', { ...validConfig, identityProviders: [{ name: 'Okta', label: 'Okta' }] }],
  [
    'a provider domain that is not a string',
    { ...validConfig, identityProviders: [{ name: 'Okta', label: 'Okta', domains: [5] }] },
  ],
  ['a string instead of a boolean', { ...validConfig, passwordSignIn: 'off' }],
  ['no sign-up mode', { ...validConfig, signUp: undefined }],
  ['an unknown sign-up mode', { ...validConfig, signUp: 'sometimes' }],
  ['no demo', { ...validConfig, demo: undefined }],
  ['an incomplete demo', { ...validConfig, demo: { model: true } }],
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
  fetchMock.mockResolvedValueOnce(Response.json(validConfig))
  expect(await loadConfig()).toEqual(validConfig)
  expect(await loadConfig()).toEqual(validConfig)
  expect(fetchMock).toHaveBeenCalledTimes(3)
})

it('LIM-08 uses the default password length unless the configuration has one', async () => {
  const { loadConfig, getMinPasswordCharacters } = await import('./config.ts')
  expect(getMinPasswordCharacters()).toBe(6)
  vi.stubGlobal(
    'fetch',
    vi.fn<typeof fetch>().mockResolvedValue(Response.json({ ...validConfig, minPasswordCharacters: 12 })),
  )
  await loadConfig()
  expect(getMinPasswordCharacters()).toBe(12)
})
