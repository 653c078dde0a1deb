import { rememberSecret } from '../secrets/sent-secrets.ts'
import { parseModelAddress, type ModelAddress } from './model-address.ts'

export interface ModelServerSettings {
  /** as the operator wrote it: OPENAI_BASE_URL; undefined for OpenAI's own */
  address: string | undefined
  /** gives the operator's headers when they are needed; undefined if there are none */
  readHeaders?: (() => Promise<Readonly<Record<string, string>>>) | undefined
}

/** How requests reach a model's server. */
export interface OpenedModelServer {
  baseUrl: string | undefined
  /** the API that the address names */
  api: ModelAddress['api']
  /** sends a request with the query of the address and the operator's headers */
  fetch: typeof fetch
}

/** All requests to a model's server pass here: they keep the query of its address, and carry the operator's headers. */
export function openModelServer({ address, readHeaders }: ModelServerSettings): OpenedModelServer {
  const parsed = address === undefined ? undefined : parseModelAddress(address)
  const query = [...(parsed?.query ?? [])]
  if (query.length === 0 && !readHeaders)
    return { baseUrl: parsed?.baseUrl, api: parsed?.api, fetch: (...args) => fetch(...args) }
  return {
    baseUrl: parsed?.baseUrl,
    api: parsed?.api,
    async fetch(input, init) {
      const url = new URL(input instanceof Request ? input.url : input)
      for (const [name, value] of query) if (!url.searchParams.has(name)) url.searchParams.append(name, value)
      const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined))
      for (const [name, value] of Object.entries((await readHeaders?.()) ?? {})) {
        headers.set(name, value)
        rememberSecret(value)
      }
      // they must not be sent to another server
      return fetch(url, { ...init, headers, ...(readHeaders && { redirect: 'error' as const }) })
    },
  }
}
