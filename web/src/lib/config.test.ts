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
  ['a domain that is no text', { ...valid, oauthDomain: 5 }],
  ['a password length that is no number', { ...valid, minPasswordCharacters: '12' }],
  ['providers that are no list', { ...valid, identityProviders: {} }],
  ['a provider without a label', { ...valid, identityProviders: [{ name: 'Okta', label: '', domains: [] }] }],
  ['a provider without domains', { ...valid, identityProviders: [{ name: 'Okta', label: 'Okta' }] }],
  ['a domain that is none', { ...valid, identityProviders: [{ name: 'Okta', label: 'Okta', domains: [5] }] }],
  ['a text as switch', { ...valid, passwordSignIn: 'off' }],
  ['no word on sign-up', { ...valid, signUp: undefined }],
  ['an unknown word on sign-up', { ...valid, signUp: 'sometimes' }],
  ['no demo', { ...valid, demo: undefined }],
  ['half a demo', { ...valid, demo: { model: true } }],
])('DEC-108 refuses %s', (_, value) => {
  expect(() => parseConfig(value)).toThrow(expect.objectContaining({ name: 'ConfigError' }))
})

it('loads once, and tries again after a failure', async () => {
  const { loadConfig } = await import('./config.ts')
  const fetched = vi.fn<typeof fetch>()
  vi.stubGlobal('fetch', fetched)
  fetched.mockResolvedValueOnce(new Response('', { status: 404 }))
  await expect(loadConfig()).rejects.toMatchObject({ name: 'ConfigError' })
  fetched.mockResolvedValueOnce(new Response('<!doctype html>'))
  await expect(loadConfig()).rejects.toMatchObject({ name: 'ConfigError' })
  fetched.mockResolvedValueOnce(Response.json(valid))
  expect(await loadConfig()).toEqual(valid)
  expect(await loadConfig()).toEqual(valid)
  expect(fetched).toHaveBeenCalledTimes(3)
})

it('LIM-08 knows how long a password has to be: what the product asks for, unless the configuration says more', async () => {
  const { loadConfig, getMinPasswordCharacters } = await import('./config.ts')
  expect(getMinPasswordCharacters()).toBe(6)
  vi.stubGlobal(
    'fetch',
    vi.fn<typeof fetch>().mockResolvedValue(Response.json({ ...valid, minPasswordCharacters: 12 })),
  )
  await loadConfig()
  expect(getMinPasswordCharacters()).toBe(12)
})
