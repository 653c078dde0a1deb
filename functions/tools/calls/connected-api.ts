import { sayTool } from '#shared/sentences/tools.ts'
import { parseRetryAfter } from '#shared/retry-after.ts'
import { wait } from '../../platform/clock.ts'
import { maxToolWaitMs } from '../../platform/wait-limits.ts'
import { isDeeperThan, maxUntrustedDepth } from '../../platform/http/json-depth.ts'
import { OutboundFailed, type OutboundHttp, ResponseTooLarge } from '../../platform/net/outbound-http.ts'
import { fillWith, buildHeaders } from '../../providers/authorization.ts'
import type { BuiltInProvider } from '../../providers/built-in.ts'
import { buildEndpoints } from '../../providers/endpoints.ts'
import type { ConnectionRow } from '../../integrations/store/connection-repository.ts'
import type { RefreshDeps } from '../../integrations/credentials/refresh.ts'
import { credentialsReader } from '../../integrations/credentials/read-credentials.ts'
import type { ApiRequest, ConnectedApi } from '../../providers/api.ts'
import { toProviderError } from '../../providers/errors.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import { mayBeDone } from '../../providers/may-be-done.ts'
import { isReconnectRequired, ReconnectRequired } from '../../providers/reconnect-required.ts'

/** Attempts of a read while the provider is busy, and the longest wait between two of them. */
const maxAttempts = 3

interface Access {
  version: string
  /** the API root, as `mainBase`, and the provider's `otherBases`, by name */
  bases: Readonly<Record<string, string>>
  /** for placeholders in URLs */
  values: Readonly<Record<string, string>>
  /** authentication headers */
  headers: (scheme: string) => Record<string, string>
}

const mainBase = 'api'
/** Some providers reject requests without a user agent. */
const userAgent = 'juno-assistant'

/**
 * The provider's API with the user's credentials. Refreshes tokens before they expire, and once if the provider rejects them. All requests
 * go through the outbound guard.
 */
export function connectedApi(
  deps: RefreshDeps & { http: Pick<OutboundHttp, 'bytes'> },
  { sub, row, provider }: { sub: string; row: ConnectionRow; provider: BuiltInProvider },
): ConnectedApi {
  const mcpId = row.mcp_id
  const integration = { mcpId, name: row.mcp_name ?? provider.name }
  const readCredentials = credentialsReader(deps, sub, integration)

  /** @param rejectedVersion the version of the credentials that were just rejected */
  async function loadAccess(rejectedVersion: string | undefined): Promise<Access> {
    const current = await readCredentials(rejectedVersion)
    const { version } = current
    const { apiBase, otherBases } = buildEndpoints(provider, row)
    if ('credentials' in current) {
      const values = current.credentials
      return {
        version,
        bases: { ...otherBases, [mainBase]: apiBase },
        values,
        headers: () => buildHeaders(provider, values),
      }
    }
    const { accessToken, instanceUrl } = current.tokens
    const tokenHeader = provider.oauth?.tokenHeader
    return {
      version,
      bases: { ...otherBases, [mainBase]: apiBase.replace('{instance_url}', instanceUrl ?? '') },
      values: {},
      headers: (scheme) =>
        tokenHeader ? { [tokenHeader]: accessToken } : { authorization: `${scheme} ${accessToken}` },
    }
  }

  async function send(path: string, request: ApiRequest, access: Access, signal: AbortSignal) {
    const fillPath = fillWith({ ...access.values, ...request.addressParameters }, encodeURIComponent)
    const address = fillPath((access.bases[request.base ?? mainBase] ?? '') + path)
    // a name from the model must not change the path
    if (/\/\.{1,2}(?:\/|$)/.test(address))
      throw new ProviderError(sayTool('provider_no_such_name', { name: integration.name }))
    const url = new URL(address)
    for (const [name, value] of Object.entries(request.query ?? {}))
      for (const one of [value ?? []].flat()) url.searchParams.append(name, String(one))
    const { type, body } = encodeBody(request)
    return deps.http.bytes(url, {
      method: request.method ?? 'GET',
      headers: {
        accept: request.isFile ? '*/*' : 'application/json',
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
      const about = { name: integration.name }
      let rejectedVersion: string | undefined
      let leftMs = maxToolWaitMs
      for (let attempt = 1; ; attempt += 1) {
        const current = await loadAccess(rejectedVersion).catch(async (error: unknown) => {
          if (isReconnectRequired(error)) await error.remember()
          throw error
        })
        let response
        try {
          response = await send(path, request, current, signal)
        } catch (error) {
          if (!(error instanceof OutboundFailed)) throw error
          signal.throwIfAborted()
          const sentences =
            error instanceof ResponseTooLarge
              ? [sayTool('provider_bad_answer.too_large', about), ...(reads ? [sayTool('ask_for_less')] : [])]
              : [sayTool('provider_no_answer', about)]
          throw new ProviderError([...sentences, ...(reads ? [] : [mayBeDone])], undefined, { cause: error })
        }
        const { headers } = response
        if (request.isFile && response.status >= 200 && response.status < 300) return response.body
        const body = parseBody(new TextDecoder().decode(response.body))
        const reportedFailure = request.toFailure?.(body)
        const status = reportedFailure?.status ?? response.status
        if (status >= 200 && status < 300) {
          if (body === notJson)
            throw new ProviderError(
              [sayTool('provider_bad_answer.not_json', about), ...(reads ? [] : [mayBeDone])],
              status,
            )
          return request.toResult ? request.toResult(body, headers) : body
        }
        // the tokens may have been revoked, or refreshed by another request
        if (status === 401) {
          if (rejectedVersion !== undefined) throw new ReconnectRequired(integration)
          rejectedVersion = current.version
          continue
        }
        const failure = toProviderError(integration.name, { status, headers, body, failure: reportedFailure })
        const waitMs = computeRetryDelayMs(headers, attempt)
        if (!reads || attempt >= maxAttempts || !(status === 429 || status >= 500) || waitMs > leftMs)
          throw reads || status < 500
            ? failure
            : new ProviderError([...failure.sentences, mayBeDone], status, { cause: failure })
        leftMs -= waitMs
        await wait(waitMs, { signal })
      }
    },
  }
}

const notJson = Symbol('no JSON')

/** @returns undefined for an empty body */
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

/** The delay of `Retry-After`, or else one that doubles with each attempt. */
function computeRetryDelayMs(headers: Headers, attempt: number): number {
  const seconds = parseRetryAfter(headers.get('retry-after'))
  return seconds === undefined ? 500 * 2 ** (attempt - 1) : seconds * 1_000
}
