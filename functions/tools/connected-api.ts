import { setTimeout as wait } from 'node:timers/promises'
import { isDeeperThan, maxUntrustedDepth } from '../platform/http/json-depth.ts'
import { OutboundFailed } from '../platform/net/outbound-http.ts'
import { fillWith, typedHeaders } from '../providers/authorization.ts'
import type { BuiltInProvider } from '../providers/built-in.ts'
import { endpointsOf } from '../providers/endpoints.ts'
import type { IntegrationRow } from '../integrations/integration-repository.ts'
import type { TokenStores } from '../integrations/oauth/refresh.ts'
import { heldAccess } from './access.ts'
import type { ApiRequest, ConnectedApi } from '../capabilities/api.ts'
import { providerErrorOf, ProviderError, GrantGone } from '../providers/errors.ts'

/** How often a read is sent in all while the provider is busy, and how long between at most. */
const tries = 3
const longestWaitMs = 8_000

/** A connection of a user to a provider that the product knows. */
export interface ProviderConnection {
  sub: string
  row: IntegrationRow
  provider: BuiltInProvider
}

interface Access {
  version: string
  /** the API root, and by their names those beside it */
  roots: Readonly<Record<string, string>>
  /** for `{name}` in addresses */
  values: Readonly<Record<string, string>>
  /** who asks */
  headers: (scheme: string) => Record<string, string>
}

const apiRoot = 'api'
/** Some providers take no requests of programs that do not say who they are. */
const userAgent = 'juno-assistant'

/**
 * The provider's API with the person's own credentials: tokens are renewed before their end, and once when they are refused in
 * use, by one refresher at a time. Addresses of the provider's own go through the outbound guard as all others do.
 */
export function connectedApi(stores: TokenStores, { sub, row, provider }: ProviderConnection): ConnectedApi {
  const mcpId = row.mcp_id
  const of = { mcpId, name: row.mcp_name ?? provider.name }
  const held = heldAccess(stores, sub, of)

  /** Where the API is, and the headers that say who asks. @param refused the version of the credential that was just refused */
  async function access(refused: string | undefined): Promise<Access> {
    const allowed = await held(refused)
    const { version } = allowed
    const { apiBase, otherBases } = endpointsOf(provider, {
      environment: row.environment,
      parameters: row.parameters,
    })
    if ('typed' in allowed) {
      const values = allowed.typed
      return {
        version,
        roots: { ...otherBases, [apiRoot]: apiBase },
        values,
        headers: () => typedHeaders(provider, values),
      }
    }
    const { accessToken, instanceUrl } = allowed.tokens
    const tokenHeader = provider.oauth?.tokenHeader
    return {
      version,
      roots: { ...otherBases, [apiRoot]: apiBase.replace('{instance_url}', instanceUrl ?? '') },
      values: {},
      headers: (scheme) =>
        tokenHeader ? { [tokenHeader]: accessToken } : { authorization: `${scheme} ${accessToken}` },
    }
  }

  async function send(path: string, request: ApiRequest, access: Access, signal: AbortSignal) {
    const fill = fillWith({ ...access.values, ...request.fill }, encodeURIComponent)
    const address = fill((access.roots[request.at ?? apiRoot] ?? '') + path)
    // a name that a model wrote must not lead to another call
    if (/\/\.{1,2}(?:\/|$)/.test(address)) throw new ProviderError(`${of.name} has nothing by this name.`)
    const url = new URL(address)
    for (const [name, value] of Object.entries(request.query ?? {}))
      for (const one of [value ?? []].flat()) url.searchParams.append(name, String(one))
    const { type, body } = bodyOf(request)
    return stores.http.text(url, {
      method: request.method ?? 'GET',
      headers: {
        accept: 'application/json',
        'user-agent': userAgent,
        ...(type !== undefined && { 'content-type': type }),
        ...request.headers,
        ...access.headers(request.scheme ?? 'Bearer'),
      },
      ...(body !== undefined && { body }),
      signal,
    })
  }

  return {
    async call(path, request, signal) {
      const reads = request.reads ?? (request.method ?? 'GET') === 'GET'
      let refused: string | undefined
      for (let attempt = 1; ; attempt += 1) {
        const allowed = await access(refused)
        let answer
        try {
          answer = await send(path, request, allowed, signal)
        } catch (error) {
          if (!(error instanceof OutboundFailed)) throw error
          signal.throwIfAborted()
          throw new ProviderError(`${of.name} did not answer.${reads ? '' : notKnown}`, undefined, {
            cause: error,
          })
        }
        const { headers } = answer
        const body = parsed(answer.text)
        const refusal = request.refusal?.(body)
        const status = refusal?.status ?? answer.status
        if (status >= 200 && status < 300) {
          if (body === notJson)
            throw new ProviderError(`${of.name} answered with something that is no JSON.`, status)
          return body
        }
        // the tokens may have been taken back, or renewed by somebody else meanwhile
        if (status === 401) {
          if (refused !== undefined) throw new GrantGone(of)
          refused = allowed.version
          continue
        }
        const failure = providerErrorOf(of.name, { status, headers, body, refusal })
        const waitMs = waitOf(headers, attempt)
        if (!reads || attempt >= tries || !(status === 429 || status >= 500) || waitMs > longestWaitMs)
          throw failure
        await wait(waitMs, undefined, { signal })
      }
    },
  }
}

const notKnown = ' It is not known whether it was done: look before you try again.'

const notJson = Symbol('no JSON')

/** @returns undefined where there is nothing */
function parsed(text: string): unknown {
  if (text === '') return undefined
  if (isDeeperThan(maxUntrustedDepth, text)) return notJson
  try {
    return JSON.parse(text)
  } catch {
    return notJson
  }
}

function bodyOf({ json, form, body }: ApiRequest): { type?: string; body?: string } {
  if (json !== undefined) return { type: 'application/json', body: JSON.stringify(json) }
  if (form === undefined) return body === undefined ? {} : { body }
  const fields = Object.entries(form).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return { type: 'application/x-www-form-urlencoded', body: new URLSearchParams(fields).toString() }
}

/** Retry-After as seconds or as a date, else longer from try to try. */
function waitOf(headers: Headers, attempt: number): number {
  const said = headers.get('retry-after')
  if (said === null) return 500 * 2 ** (attempt - 1)
  const seconds = Number(said)
  return Number.isFinite(seconds) ? seconds * 1_000 : Math.max(0, Date.parse(said) - Date.now()) || 1_000
}
