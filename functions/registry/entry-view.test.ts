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
