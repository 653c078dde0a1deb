import { expect, it } from 'vitest'
import { builtInProviders } from '../providers/built-in.ts'
import { toBuiltInEntry, toEntryView } from './entry-view.ts'

it('REG-08 an entry says when it was updated, and how long a token is valid', () => {
  for (const integration of builtInProviders)
    expect(toBuiltInEntry(integration).lastUpdated).toMatch(/^\d{4}-/)
  expect(builtInProviders.map(toBuiltInEntry).find(({ id }) => id === 'gmail')?.expiresIn).toBe(3_599)
})

it('DATA-15 an entry has a config of features, popularity and source', () => {
  for (const integration of builtInProviders) {
    const { config } = toBuiltInEntry(integration)
    expect(config).toMatchObject({ source: 'builtin', popularity: integration.popularity })
    expect(config.features).toEqual(integration.features)
    expect(config.features.length).toBeGreaterThan(0)
  }
})

it('a built-in entry asks for either credentials or a sign-in', () => {
  for (const integration of builtInProviders) {
    const entry = toBuiltInEntry(integration)
    const isByKey = entry.auth_type === 'api_key'
    expect(entry.oauth_config?.response_type).toBe(isByKey ? undefined : 'code')
    expect(entry.credential_fields.length > 0).toBe(isByKey)
  }
})

it('DATA-14 a built-in entry shows every field with the provider’s own value', () => {
  for (const integration of builtInProviders) {
    const entry = toBuiltInEntry(integration)
    expect(entry).toMatchObject({
      id: integration.id,
      name: integration.name,
      description: integration.description,
      provider: integration.provider,
      auth_type: integration.auth_type,
      config: { features: integration.features, source: 'builtin' },
      icon: integration.icon,
      is_active: true,
    })
    expect(entry.updated_at).toBe(entry.lastUpdated)
  }
})

it('DATA-17 a built-in entry has the addresses and scopes of the sign-in, each in its own field', () => {
  for (const integration of builtInProviders) {
    const { oauth } = integration
    expect(toBuiltInEntry(integration).oauth_config).toEqual(
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
  for (const integration of builtInProviders)
    expect(toBuiltInEntry(integration)).toMatchObject({
      sandbox_supported: integration.sandboxSupported,
      environments: integration.environments,
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
  for (const integration of builtInProviders)
    expect(toBuiltInEntry(integration).open_url).toBe(integration.openUrl)
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

it('CAP-01 an entry lists the tools of a built-in integration before it is connected, and not those of a remote server', () => {
  const tools = builtInProviders.map((integration) => toBuiltInEntry(integration).tools ?? [])
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
