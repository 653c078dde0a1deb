import * as z from 'zod'
import type { ConnectedApi } from '../../functions/providers/api.ts'
import { findProvider } from '../../functions/providers/built-in.ts'
import { buildEndpoints } from '../../functions/providers/endpoints.ts'
import { connectedApi } from '../../functions/tools/calls/connected-api.ts'
import { findOperation, refuseRequest } from './provider-contracts/check.ts'
import type { Contract } from './provider-contracts/contract.ts'
import type { ProviderRequest } from '../../infra/local/doubles/providers/http.ts'
import { credentialsFor, parametersFor } from './provider-values.ts'
import { type Extent, sampleResponse } from './sample-response.ts'

/**
 * The API of a provider in memory: requests are checked against its contract, and responses are made from it.
 * @param extent which fields the responses have
 */
export function contractApi(provider: string, contract: Contract, extent: Extent) {
  const builtIn = findProvider(provider)
  if (!builtIn) throw new Error(`there is no ${provider}`)
  const tenant = { environment: 'production' as const, parameters: parametersFor(provider) }
  const instanceUrl = 'https://example.my.salesforce.com'
  const { apiBase, otherBases } = buildEndpoints(builtIn, tenant)
  const bases = [['', apiBase.replace('{instance_url}', instanceUrl)], ...Object.entries(otherBases)]
  const requests: ProviderRequest[] = []

  function parsePath(url: URL): string {
    const address = url.origin + url.pathname
    for (const [name = '', base = ''] of bases.toReversed()) {
      // a part of the host, which a request fills in
      const form = base.replace(/[.()]/g, '\\$&').replace(/\{\w+\}/g, '[^/]+')
      const path = new RegExp(`^${form}(.*)$`).exec(address)?.[1]
      if (path !== undefined) return `${name && '/'}${name}${path}`
    }
    throw new Error(`${address} is not an address of ${provider}`)
  }

  const deps = {
    credentials: {
      find: async () => ({
        status: 'active',
        version: '1',
        ...(builtIn.apiKey ? { secret_name: 'secret' } : { sealed: 'tokens' }),
      }),
    },
    vault: { read: async () => credentialsFor(provider) },
    sealer: { open: async () => JSON.stringify({ accessToken: 'access', instanceUrl }) },
    http: {
      async bytes(address: string | URL, init: { method?: string; headers?: object; body?: string } = {}) {
        const url = new URL(address)
        const { method = 'GET', headers = {}, body = '' } = init
        const request: ProviderRequest = {
          method,
          path: parsePath(url),
          query: url.searchParams,
          headers: Object.fromEntries(
            Object.entries(headers as Record<string, string>).map(([name, value]) => [
              name.toLowerCase(),
              value,
            ]),
          ),
          body,
        }
        requests.push(request)
        const refusal = refuseRequest(contract, request, builtIn.oauth?.scopes)
        if (refusal)
          throw new Error(`${method} ${request.path} is refused: ${refusal.body ?? refusal.status}`)
        const response = findOperation(contract, request)?.response
        const value = response && sampleResponse(response, extent)
        const sample = value === undefined ? '' : JSON.stringify(value)
        return { status: 200, headers: new Headers(), body: new TextEncoder().encode(sample) }
      },
    },
  } as unknown as Parameters<typeof connectedApi>[0]
  const row = { mcp_id: provider, status: 'connected', ...tenant }
  const api: ConnectedApi = connectedApi(deps, {
    sub: 'user-1',
    row: row as unknown as Parameters<typeof connectedApi>[1]['row'],
    provider: builtIn,
  })
  return { api, requests }
}

/** Why a schema refuses a value; undefined when it accepts it. */
export const describeMismatch = (schema: z.ZodType, value: unknown) => {
  const { error } = schema.safeParse(value)
  return error && z.prettifyError(error)
}
