import { vi } from 'vitest'
import type { StackUser } from './stack-user.ts'

/** Syncs the MCP Registry and waits until this many of its entries are in the catalogue. @returns their ids by name */
export async function syncPublished(user: StackUser, count: number): Promise<Record<string, string>> {
  await user.call('registry.refresh', { body: { kind: 'force' } })
  return vi.waitFor(async () => {
    const query = { term: 'remote server', page: 1, limit: 20 }
    const { items } = await user.call('registry.search', { query })
    if (items.length !== count) throw new Error('not synced yet')
    return Object.fromEntries(items.map(({ name, id }) => [name, id]))
  })
}
