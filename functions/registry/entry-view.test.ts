import { expect, it } from 'vitest'
import { builtInProviders } from '../providers/built-in.ts'
import { toBuiltInEntry, toEntryView } from './entry-view.ts'

it('REG-08 an entry says when it was updated, and how long a token is valid', () => {
  for (const provider of builtInProviders) expect(toBuiltInEntry(provider).lastUpdated).toMatch(/^\d{4}-/)
  expect(builtInProviders.map(toBuiltInEntry).find(({ id }) => id === 'gmail')?.expiresIn).toBe(3_599)
})

it('DATA-15 an entry has a config of features, popularity and source', () => {
  for (const provider of builtInProviders) {
    const { config } = toBuiltInEntry(provider)
    expect(config).toMatchObject({ source: 'builtin', popularity: provider.popularity })
    expect(config.features).toEqual(provider.features)
    expect(config.features.length).toBeGreaterThan(0)
  }
})

it('a built-in entry asks for either credentials or a sign-in', () => {
  for (const provider of builtInProviders) {
    const entry = toBuiltInEntry(provider)
    const isByKey = entry.auth_type === 'api_key'
    expect(entry.oauth_config?.response_type).toBe(isByKey ? undefined : 'code')
    expect(entry.credential_fields.length > 0).toBe(isByKey)
  }
})

it('DATA-14 a built-in entry shows every field with the provider’s own value', () => {
  for (const provider of builtInProviders) {
    const entry = toBuiltInEntry(provider)
    expect(entry).toMatchObject({
      id: provider.id,
      name: provider.name,
      description: provider.description,
      provider: provider.provider,
      auth_type: provider.auth_type,
      config: { features: provider.features, source: 'builtin' },
      icon: provider.icon,
      is_active: true,
    })
    expect(entry.updated_at).toBe(entry.lastUpdated)
  }
})

it('DATA-17 a built-in entry has the addresses and scopes of the sign-in, each in its own field', () => {
  for (const provider of builtInProviders) {
    const { oauth } = provider
    expect(toBuiltInEntry(provider).oauth_config).toEqual(
      oauth
        ? { auth_url: oauth.authUrl, token_url: oauth.tokenUrl, scopes: oauth.scopes, response_type: 'code' }
        : null,
    )
  }
  expect(builtInProviders.map(toBuiltInEntry).find(({ id }) => id === 'gmail')?.oauth_config).toEqual({
    auth_url: 'https://accounts.google.com/o/oauth2/v2/auth',
    token_url: 'https://oauth2.googleapis.com/token',
    scopes: ['https://www.googleapis.com/auth/gmail.readonly', 'https://www.googleapis.com/auth/gmail.send'],
    response_type: 'code',
  })
})

it('DATA-18 DEC-061 an entry tells whether there is a sandbox, and the environments', () => {
  for (const provider of builtInProviders)
    expect(toBuiltInEntry(provider)).toMatchObject({
      sandbox_supported: provider.sandboxSupported,
      environments: provider.environments,
    })
  const salesforce = builtInProviders.map(toBuiltInEntry).find(({ id }) => id === 'salesforce')
  expect(salesforce).toMatchObject({ sandbox_supported: true, environments: ['production', 'sandbox'] })
  expect(builtInProviders.map(toBuiltInEntry).find(({ id }) => id === 'gmail')).toMatchObject({
    sandbox_supported: false,
    environments: ['production'],
  })
})

it('DEC-141 an entry of a registry has no sandbox, icon or provider sign-in, and is active', () => {
  const entry = {
    id: 'github-mcp-fetch',
    name: 'Fetch',
    description: '',
    provider: 'p',
    config: { features: [], popularity: 50, source: 'github' as const },
    updated_at: '',
  }
  expect(toEntryView({ ...entry, auth_type: 'api_key' as const })).toMatchObject({
    is_active: true,
    oauth_config: null,
    icon: null,
    sandbox_supported: false,
    environments: ['production'],
    one_click: false,
  })
})

it('DEC-097 opens a built-in service at its own address, others at their documentation, or nowhere', () => {
  const gmail = builtInProviders.map(toBuiltInEntry).find(({ id }) => id === 'gmail')
  expect(gmail?.open_url).toBe('https://mail.google.com')
  expect(gmail?.open_url).not.toBe(gmail?.config.documentation_url)
  for (const provider of builtInProviders) expect(toBuiltInEntry(provider).open_url).toBe(provider.openUrl)
  const config = { features: [], popularity: 50, source: 'github' as const }
  const entry = {
    id: 'github-mcp-gmail.evil.example',
    name: 'Fetch',
    description: '',
    provider: 'p',
    auth_type: 'none' as const,
    updated_at: '',
  }
  const documentation_url = 'https://docs.example/fetch'
  expect(toEntryView({ ...entry, config: { ...config, documentation_url } }).open_url).toBe(documentation_url)
  expect(toEntryView({ ...entry, config }).open_url).toBeNull()
})

it('one click is offered for remote servers that register any client, or whose sign-in is unknown', () => {
  const oneClickEntries = builtInProviders.map(toBuiltInEntry).filter(({ one_click }) => one_click)
  expect(oneClickEntries.map(({ id }) => id)).toEqual(
    builtInProviders.filter(({ remoteMcp }) => remoteMcp?.auth === 'dcr').map(({ id }) => id),
  )
  const isOneClick = (auth_type: 'unknown' | 'api_key', remote_url?: string) =>
    toEntryView({
      id: 'mcp-x',
      name: 'X',
      description: '',
      provider: 'p',
      auth_type,
      config: { features: [], popularity: 50, source: 'mcp-registry', ...(remote_url && { remote_url }) },
      updated_at: '',
    }).one_click
  expect(isOneClick('unknown', 'https://mcp.example.com')).toBe(true)
  expect(isOneClick('api_key', 'https://mcp.example.com')).toBe(false)
  expect(isOneClick('unknown')).toBe(false)
})

it('CAP-01 lists tools of built-in providers before they are connected, and none of a server until it is', () => {
  const tools = builtInProviders.map((provider) => toBuiltInEntry(provider).tools ?? [])
  expect(tools.every((names) => names.length > 0)).toBe(true)
  expect(tools[0]).toEqual(['Read e-mails', 'Send an e-mail'])
  const buildView = (remote_url?: string) =>
    toEntryView({
      id: 'x',
      name: 'X',
      description: '',
      provider: 'X',
      auth_type: 'none',
      updated_at: '2026-11-20T00:00:00.000Z',
      config: { features: [], popularity: 50, source: 'mcp-registry', ...(remote_url && { remote_url }) },
    })
  expect(buildView().tools).toEqual([])
  expect(buildView('https://mcp.example/x')).not.toHaveProperty('tools')
})
