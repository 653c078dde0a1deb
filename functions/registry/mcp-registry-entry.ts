import { createHash } from 'node:crypto'
import type { ExclusionReason } from '#shared/registry-exclusions.ts'
import { getStatus, type PublishedServer } from './mcp-registry.ts'
import type { StoredEntry } from './stored-entry.ts'
import { httpsLink, plainLine } from '../platform/untrusted-text.ts'

const maxIdCharacters = 56

/** The id of a published server: readable, with a hash because names may differ only in characters that an id cannot contain. */
export function toMcpRegistryId(name: string): string {
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8)
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return `mcp-${slug.slice(0, maxIdCharacters - hash.length - 5).replace(/-$/, '')}-${hash}`
}

/** The name as it is stored with an entry. */
export const toServerName = (name: string): string => name.slice(0, 200)

/** @returns the entry, or why it is not listed; undefined if it is deleted or superseded */
export function toMcpRegistryEntry(
  published: PublishedServer,
  mayBeCalled: (url: string) => boolean,
): StoredEntry | { excluded: ExclusionReason } | undefined {
  const { server } = published
  const { status, updatedAt, isLatest } = getStatus(published)
  if (status === 'deleted' || !isLatest) return undefined
  if (!/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/.test(server.name)) return { excluded: 'invalid_name' }
  const remotes = server.remotes.filter(({ type }) => supportedTransports.has(type))
  if (remotes.length === 0) return { excluded: 'no_remote_server' }
  const remote = remotes.find(({ url }) => mayBeCalled(url))
  if (!remote) return { excluded: 'forbidden_address' }
  const [namespace = '', short = ''] = server.name.split('/')
  const name = plainLine(server.title ?? '', 100) || short.slice(0, 100)
  const secrets = (remote.headers ?? []).filter(({ isSecret }) => isSecret)
  const documentation = httpsLink(server.websiteUrl) ?? httpsLink(server.repository?.url)
  const repository = httpsLink(server.repository?.url)
  return {
    id: toMcpRegistryId(server.name),
    name,
    description: plainLine(server.description, 300),
    provider: namespace.slice(0, 100),
    auth_type: secrets.length > 0 ? 'api_key' : 'unknown',
    config: {
      features: [],
      popularity: 50,
      source: 'mcp-registry',
      server_name: toServerName(server.name),
      remote_url: remote.url,
      ...(repository && { repository }),
      ...(documentation && { documentation_url: documentation }),
      ...(secrets.length > 0 && {
        required_credentials: secrets.slice(0, 10).map((header) => plainLine(header.name, 64)),
      }),
      ...(status === 'deprecated' && { deprecated: true }),
    },
    updated_at:
      updatedAt && !Number.isNaN(Date.parse(updatedAt))
        ? new Date(updatedAt).toISOString()
        : '1970-01-01T00:00:00.000Z',
  }
}

const supportedTransports = new Set(['streamable-http', 'sse'])
