import { trimSlashes } from '#shared/trim-characters.ts'

/** The address of a model's server, as its parts. */
export interface ModelAddress {
  /** without a slash at its end: `https://api.example.com/v1` */
  baseUrl: string
  /** of every request, such as Azure's `api-version`; empty without one */
  query: URLSearchParams
  /** the API that a whole address names */
  api: 'chat' | 'responses' | 'messages' | undefined
}

const endings: readonly [ending: string, api: ModelAddress['api']][] = [
  ['/chat/completions', 'chat'],
  ['/responses', 'responses'],
  ['/messages', 'messages'],
  ['/models', undefined],
]

/**
 * Reads the address of a model's server as operators write it: with a query, which every request keeps, or as the whole address of an API.
 * @param address an absolute URL
 */
export function parseModelAddress(address: string): ModelAddress {
  const url = new URL(address)
  const path = trimSlashes(url.pathname)
  const [ending = '', api] = endings.find(([one]) => `/${path}`.endsWith(one)) ?? []
  const query = new URLSearchParams(url.search)
  url.search = ''
  url.hash = ''
  url.pathname = `/${path}`.slice(0, `/${path}`.length - ending.length)
  return { baseUrl: trimSlashes(url.href), query, api }
}
