import { setTimeout as wait } from 'node:timers/promises'
import { isDeeperThan, maxUntrustedDepth } from '../platform/http/json-depth.ts'
import { OutboundFailed } from '../platform/net/outbound-http.ts'
import { fillWith, buildHeaders } from '../providers/authorization.ts'
import type { BuiltInProvider } from '../providers/built-in.ts'
import { buildEndpoints } from '../providers/endpoints.ts'
import type { IntegrationRow } from '../integrations/integration-repository.ts'
import type { RefreshDeps } from '../integrations/oauth/refresh.ts'
import { credentialsReader } from './access.ts'
import type { ApiRequest, ConnectedApi } from '../capabilities/api.ts'
import { toProviderError, ProviderError } from '../providers/errors.ts'
import { ReconnectRequired } from '../providers/reconnect-required.ts'

/** How often a read is sent in all while the provider is busy, and how long between at most. */
const maxAttempts = 3
const maxWaitMs = 8_000

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
export function connectedApi(deps: RefreshDeps, { sub, row, provider }: ProviderConnection): ConnectedApi {
  const mcpId = row.mcp_id
  const owner = { mcpId, name: row.mcp_name ?? provider.name }
  const readCredentials = credentialsReader(deps, sub, owner)

  /** Where the API is, and the headers that say who asks. @param rejectedVersion the version of the credential that was just refused */
  async function access(rejectedVersion: string | undefined): Promise<Access> {
    const current = await readCredentials(rejectedVersion)
    const { version } = current
    const { apiBase, otherBases } = buildEndpoints(provider, {
      environment: row.environment,
      parameters: row.parameters,
    })
    if ('credentials' in current) {
      const values = current.credentials
      return {
        version,
        roots: { ...otherBases, [apiRoot]: apiBase },
        values,
        headers: () => buildHeaders(provider, values),
      }
    }
    const { accessToken, instanceUrl } = current.tokens
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
    if (/\/\.{1,2}(?:\/|$)/.test(address)) throw new ProviderError(`${owner.name} has nothing by this name.`)
    const url = new URL(address)
    for (const [name, value] of Object.entries(request.query ?? {}))
      for (const one of [value ?? []].flat()) url.searchParams.append(name, String(one))
    const { type, body } = encodeBody(request)
    return deps.http.text(url, {
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
      let rejectedVersion: string | undefined
      for (let attempt = 1; ; attempt += 1) {
        const current = await access(rejectedVersion)
        let response
        try {
          response = await send(path, request, current, signal)
        } catch (error) {
          if (!(error instanceof OutboundFailed)) throw error
          signal.throwIfAborted()
          throw new ProviderError(`${owner.name} did not answer.${reads ? '' : outcomeUnknown}`, undefined, {
            cause: error,
          })
        }
        const { headers } = response
        const body = parseBody(response.text)
        const refusal = request.toFailure?.(body)
        const status = refusal?.status ?? response.status
        if (status >= 200 && status < 300) {
          if (body === notJson)
            throw new ProviderError(`${owner.name} answered with something that is no JSON.`, status)
          return body
        }
        // the tokens may have been taken back, or renewed by somebody else meanwhile
        if (status === 401) {
          if (rejectedVersion !== undefined) throw new ReconnectRequired(owner)
          rejectedVersion = current.version
          continue
        }
        const failure = toProviderError(owner.name, { status, headers, body, failure: refusal })
        const waitMs = retryDelayMs(headers, attempt)
        if (!reads || attempt >= maxAttempts || !(status === 429 || status >= 500) || waitMs > maxWaitMs)
          throw failure
        await wait(waitMs, undefined, { signal })
      }
    },
  }
}

const outcomeUnknown = ' It is not known whether it was done: look before you try again.'

const notJson = Symbol('no JSON')

/** @returns undefined where there is nothing */
function parseBody(text: string): unknown {
  if (text === '') return undefined
  if (isDeeperThan(maxUntrustedDepth, text)) return notJson
  try {
    return JSON.parse(text)
  } catch {
    return notJson
  }
}

function encodeBody({ json, form, body }: ApiRequest): { type?: string; body?: string } {
  if (json !== undefined) return { type: 'application/json', body: JSON.stringify(json) }
  if (form === undefined) return body === undefined ? {} : { body }
  const fields = Object.entries(form).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, String(value)]],
  )
  return { type: 'application/x-www-form-urlencoded', body: new URLSearchParams(fields).toString() }
}

/** Retry-After as seconds or as a date, else longer from try to try. */
function retryDelayMs(headers: Headers, attempt: number): number {
  const retryAfter = headers.get('retry-after')
  if (retryAfter === null) return 500 * 2 ** (attempt - 1)
  const seconds = Number(retryAfter)
  return Number.isFinite(seconds)
    ? seconds * 1_000
    : Math.max(0, Date.parse(retryAfter) - Date.now()) || 1_000
}
