import type { ApiFailure } from './errors.ts'

/** A request to the API of a connected provider, without authentication, which is added later. */
export interface ApiRequest {
  method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** name of one of the provider’s `otherBases`, instead of its API root */
  base?: string
  /** scheme of the `Authorization` header; `Bearer` by default */
  scheme?: string
  /** unencoded values of placeholders in the API root and the path; the user's credentials fill the others */
  addressParameters?: Readonly<Record<string, string>>
  /** query parameters; undefined values are left out, a list becomes one parameter per item */
  query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>
  headers?: Readonly<Record<string, string>>
  /** sent as JSON */
  json?: unknown
  /** sent as a form; undefined values are left out */
  form?: Readonly<Record<string, string | number | boolean | undefined>>
  /** sent unchanged, with the content type of `headers` */
  body?: string
  /** whether the request is read-only and may be retried; by default, whether its method is GET */
  reads?: boolean
  /** the response is a file: `call` returns its bytes */
  isFile?: boolean
  /** finds a failure that a provider reports in its own format, even with status 200 */
  toFailure?(body: unknown): ApiFailure | undefined
  /** what a successful call returns, if it is not the body alone */
  toResult?(body: unknown, headers: Headers): unknown
}

export interface ConnectedApi {
  /**
   * Calls a path below the provider's API root. Retries reads if the provider is busy, but never writes.
   * @returns the parsed JSON body, undefined if there is none; or what `toResult` makes of it
   * @throws ProviderError with a sentence for the model, ReconnectRequired if the user has to reconnect
   */
  call(path: string, request: ApiRequest, signal: AbortSignal): Promise<unknown>
}
