import { expect, it } from 'vitest'
import { builtInProviders } from '../providers/built-in.ts'
import { builtInEntry, storedEntryView } from './entry-view.ts'

it('REG-08 DATA-14 DATA-15 DATA-17 DATA-18 have the fields of an entry', () => {
  for (const provider of builtInProviders) {
    const entry = builtInEntry(provider)
    expect(entry.lastUpdated).toMatch(/^\d{4}-/)
    expect(entry.config).toMatchObject({ source: 'builtin', popularity: provider.popularity })
    expect(entry.config.features.length).toBeGreaterThan(0)
    expect(entry.environments).toContain('production')
    const byKey = entry.auth_type === 'api_key'
    expect(entry.oauth_config?.response_type).toBe(byKey ? undefined : 'code')
    expect(entry.credential_fields.length > 0).toBe(byKey)
  }
  expect(builtInProviders.map(builtInEntry).find(({ id }) => id === 'gmail')?.expiresIn).toBe(3_599)
})

it('DEC-061 an entry of a registry has no sandbox, and is live', () => {
  const stored = {
    id: 'github-mcp-fetch',
    name: 'Fetch',
    description: '',
    provider: 'p',
    config: { features: [], popularity: 50, source: 'github' as const },
    updated_at: '',
  }
  expect(storedEntryView({ ...stored, auth_type: 'api_key' as const })).toMatchObject({
    is_active: true,
    oauth_config: null,
    sandbox_supported: false,
    environments: ['production'],
    one_click: false,
  })
})

it('one click is for remote servers that register whoever asks, or only tell when they are asked', () => {
  const oneClick = builtInProviders.map(builtInEntry).filter(({ one_click }) => one_click)
  expect(oneClick.map(({ id }) => id)).toEqual(
    builtInProviders.filter(({ remoteMcp }) => remoteMcp?.auth === 'dcr').map(({ id }) => id),
  )
  const remote = (auth_type: 'unknown' | 'api_key', remote_url?: string) =>
    storedEntryView({
      id: 'mcp-x',
      name: 'X',
      description: '',
      provider: 'p',
      auth_type,
      config: { features: [], popularity: 50, source: 'mcp-registry', ...(remote_url && { remote_url }) },
      updated_at: '',
    }).one_click
  expect(remote('unknown', 'https://mcp.example.com')).toBe(true)
  expect(remote('api_key', 'https://mcp.example.com')).toBe(false)
  expect(remote('unknown')).toBe(false)
})

it('CAP-01 say before connecting what the assistant can do with them; a server is asked once it is connected', () => {
  const tools = builtInProviders.map((provider) => builtInEntry(provider).tools ?? [])
  expect(tools.every((names) => names.length > 0)).toBe(true)
  expect(tools[0]).toEqual(['Read e-mails', 'Send an e-mail'])
  const stored = (remote_url?: string) =>
    storedEntryView({
      id: 'x',
      name: 'X',
      description: '',
      provider: 'X',
      auth_type: 'none',
      updated_at: '2026-11-20T00:00:00.000Z',
      config: { features: [], popularity: 50, source: 'mcp-registry', ...(remote_url && { remote_url }) },
    })
  expect(stored().tools).toEqual([])
  expect(stored('https://mcp.example/x')).not.toHaveProperty('tools')
})
