import { describe, expect, it } from 'vitest'
import type { RegistryEntry } from '#shared/contracts/registry.ts'
import { findProvider } from '../providers/built-in.ts'
import type { IntegrationDeps } from './deps.ts'
import { findTarget } from './connection-target.ts'

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
    const provider = findProvider('notion')
    const target = { mcpId: 'notion', entry: notion, isBuiltIn: true, environment: 'production' }
    expect(await find('built_in')).toMatchObject({ ...target, remoteUrl: undefined })
    // the provider's own, whatever the entry names
    for (const toolsAllowed of ['catalogue', undefined] as const)
      expect(await find(toolsAllowed)).toMatchObject({ ...target, remoteUrl: provider?.remoteMcp?.url })
    await expect(find('none')).rejects.toMatchObject({ code: 'connection_not_allowed' })
  })
})

it('the server of an entry is connected in one click if the entry says so, but not as a sandbox', async () => {
  const find = async (parts: Partial<RegistryEntry>, environment?: 'sandbox') =>
    (await findTarget(withEntry({ ...notesEntry, ...parts }), 'notes', environment)).remoteUrl
  expect(await find({})).toBe('https://notes.example/mcp')
  expect(await find({ sandbox_supported: true }, 'sandbox')).toBeUndefined()
  expect(await find({ one_click: false })).toBeUndefined()
})
