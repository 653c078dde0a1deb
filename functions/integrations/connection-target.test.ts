import { describe, expect, it } from 'vitest'
import type { RegistryEntry } from '#shared/contracts/registry.ts'
import { findProvider } from '../providers/built-in.ts'
import type { IntegrationDeps } from './deps.ts'
import { findTarget, findRemoteUrl } from './connection-target.ts'

const notesEntry: RegistryEntry = {
  id: 'notes',
  name: 'Notes',
  provider: 'Example',
  environments: ['production'],
  sandbox_supported: false,
  one_click: true,
  config: { remote_url: 'https://notes.example/mcp' },
} as unknown as RegistryEntry

const withEntry = (entry: RegistryEntry) =>
  ({ registry: { find: (id: string) => Promise.resolve(id === entry.id ? entry : undefined) } }) as Pick<
    IntegrationDeps,
    'registry'
  >

describe('a sandbox', () => {
  it.each<[string, Partial<RegistryEntry>]>([
    ['that says so', { sandbox_supported: true }],
    ['of several environments', { environments: ['production', 'sandbox'] }],
    ['named like a provider that has one', { name: 'My PayPal tools' }],
    ['of a provider that has one', { provider: 'Stripe' }],
  ])('exists for an entry %s, with its own id', async (_, parts) => {
    const stores = withEntry({ ...notesEntry, ...parts })
    const sandbox = { mcpId: 'notes-sandbox', environment: 'sandbox', entry: { id: 'notes' } }
    expect(await findTarget(stores, 'notes', 'sandbox')).toMatchObject(sandbox)
    expect(await findTarget(stores, 'notes-sandbox')).toMatchObject(sandbox)
    expect(await findTarget(stores, 'notes-sandbox', 'sandbox')).toMatchObject(sandbox)
    expect(await findTarget(stores, 'notes')).toMatchObject({ mcpId: 'notes', environment: 'production' })
  })

  it('does not exist for any other or unknown entry', async () => {
    const stores = withEntry(notesEntry)
    for (const find of [
      () => findTarget(stores, 'notes', 'sandbox'),
      () => findTarget(stores, 'notes-sandbox'),
      () => findTarget(stores, 'unknown'),
      () => findTarget(stores, 'unknown-sandbox'),
    ])
      await expect(find()).rejects.toMatchObject({ code: 'mcp_not_found' })
  })
})

describe('an entry of a built-in provider that has a remote server too', () => {
  const notion = { ...notesEntry, id: 'notion', name: 'Notion' }
  const find = (toolsAllowed?: 'built_in' | 'catalogue' | 'none') =>
    findTarget({ ...withEntry(notion), toolsAllowed }, 'notion')

  it('is found without that server if the user may not use it', async () => {
    expect(await find('built_in')).toEqual({
      mcpId: 'notion',
      entry: { ...notion, one_click: false },
      provider: findProvider('notion'),
      environment: 'production',
    })
    for (const toolsAllowed of ['catalogue', undefined] as const)
      expect(await find(toolsAllowed)).toMatchObject({ entry: { one_click: true } })
    await expect(find('none')).rejects.toMatchObject({ code: 'connection_not_allowed' })
  })
})

describe('the server of an entry', () => {
  const target = {
    mcpId: 'notes',
    entry: notesEntry,
    provider: undefined,
    environment: 'production',
  } as const

  it('can be connected in one click if the entry says so, but not as a sandbox', () => {
    expect(findRemoteUrl(target)).toBe('https://notes.example/mcp')
    expect(findRemoteUrl({ ...target, environment: 'sandbox' })).toBeUndefined()
    expect(findRemoteUrl({ ...target, entry: { ...notesEntry, one_click: false } })).toBeUndefined()
  })

  it('is the provider’s own for a built-in provider, whatever the entry names', () => {
    const provider = findProvider('notion')
    expect(findRemoteUrl({ ...target, provider })).toBe(provider?.remoteMcp?.url)
  })
})
