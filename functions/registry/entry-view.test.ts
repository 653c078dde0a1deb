import { expect, it } from 'vitest'
import { builtInProviders } from '../providers/built-in.ts'
import { builtInEntry } from './entry-view.ts'

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
