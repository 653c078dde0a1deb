import type { AuthType } from '#shared/contracts/registry.ts'
import { runsLocally } from '#shared/registry-search.ts'
import { BadRequest } from '../platform/errors.ts'
import { acceptsCredentials } from '../providers/test-call.ts'
import { connectionOf } from './connection.ts'
import type { CredentialRow } from './credential-repository.ts'
import { disconnectMoved } from './disconnect.ts'
import { CredentialsRefused, CredentialsRequired, ServerRunsLocally } from './errors.ts'
import type { IntegrationRow } from './integration-repository.ts'
import { probeServer } from '../mcp/probe.ts'
import { entryHeaders } from '../mcp/headers.ts'
import type { Stores } from './deps.ts'
import { findTarget, placeOf, type Target } from './target.ts'
import type { TypedValues } from './vault/vault.ts'
import { keep } from './credentials.ts'

export interface ConnectWish {
  mcpId: string
  environment: 'production' | 'sandbox'
  credentials: TypedValues | undefined
  parameters: Record<string, string>
}

/**
 * INT-41 to INT-46: connects an entry by typed values, or by none. They are proved at the provider first, then stored, then the row
 * is written; a row without its credential is the only half state there can be, and it is shown as invalid.
 * @throws EntryNotFound, ServerRunsLocally, CredentialsRequired, CredentialsRefused, AddressForbidden, OutboundFailed, McpServerFailed
 */
export async function connect(
  stores: Stores,
  sub: string,
  wish: ConnectWish,
): Promise<{ row: IntegrationRow; credential: CredentialRow | undefined }> {
  const target = await findTarget(stores, wish.mcpId, wish.environment)
  if (runsLocally(target.entry)) throw new ServerRunsLocally(target.entry.name)
  const typed = typedValues(wish.credentials)
  const { authType, readOnlyTools } = await prove(stores, target, typed, wish.parameters)
  await disconnectMoved(stores, sub, target)
  const stored = typed && (await keep(stores, sub, target, typed))
  const row = await stores.integrations.connect(
    sub,
    target.mcpId,
    connectionOf(target, {
      tokenStatus: stored === 'failed' ? 'invalid' : 'active',
      authType,
      parameters: wish.parameters,
      readOnlyTools,
    }),
    new Date().toISOString(),
  )
  return { row, credential: stored === 'failed' ? undefined : stored }
}

/** Blank values are none. */
function typedValues(credentials: TypedValues | undefined): TypedValues | undefined {
  const filled = Object.entries(credentials ?? {})
    .map(([name, value]): [string, string] => [name, value.trim()])
    .filter(([, value]) => value !== '')
  return filled.length > 0 ? Object.fromEntries(filled) : undefined
}

/** @returns how the entry turned out to be connected (a server that needs nothing is `none`), and which of its server's tools only read */
async function prove(
  { http }: Pick<Stores, 'http'>,
  target: Target,
  typed: TypedValues | undefined,
  parameters: Record<string, string>,
): Promise<{ authType: AuthType; readOnlyTools: readonly string[] }> {
  const { entry, provider } = target
  if (entry.auth_type !== 'none' && entry.auth_type !== 'unknown') requireAll(target, typed)
  if (provider) {
    if (typed && !(await acceptsCredentials(http, provider, typed, placeOf(target, parameters))))
      throw new CredentialsRefused(entry.name)
    return { authType: entry.auth_type, readOnlyTools: [] }
  }
  const { remote_url: url } = entry.config
  if (!url) throw new ServerRunsLocally(entry.name)
  const answer = await probeServer(http, url, typed ? entryHeaders(entry.credential_fields, typed) : {})
  if (!('challenge' in answer))
    return { authType: typed ? 'api_key' : 'none', readOnlyTools: answer.readOnlyTools }
  if (typed) throw new CredentialsRefused(entry.name)
  throw new CredentialsRequired(entry.auth_type)
}

/** @throws CredentialsRequired when nothing was typed, BadRequest naming what is missing */
function requireAll({ entry, provider }: Target, typed: TypedValues | undefined): void {
  if (!typed) throw new CredentialsRequired(entry.auth_type)
  const missing = provider?.apiKey?.fields.find(({ name }) => typed[name] === undefined)
  if (!missing) return
  // one key may come under the name that the specification gives it
  const [only, ...more] = provider?.apiKey?.fields ?? []
  if (only && more.length === 0 && typed['apiKey'] !== undefined) {
    typed[only.name] = typed['apiKey']
    delete typed['apiKey']
    return
  }
  throw new BadRequest(`${missing.label} is required.`)
}
