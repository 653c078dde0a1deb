import type { ApiFailure } from '../providers/errors.ts'

/** A request to the API of a connected provider; who asks is added on the way. */
export interface ApiRequest {
  method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** one of the provider's `otherBases` instead of its API root */
  at?: string
  /** in which form the access token goes where it is not `Bearer` */
  scheme?: string
  /** put encoded where the address says `{name}`, besides the values that the person typed to connect */
  fill?: Readonly<Record<string, string>>
  /** put behind the path; undefined values are left out, lists are repeated */
  query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>
  headers?: Readonly<Record<string, string>>
  /** sent as JSON */
  json?: unknown
  /** sent as a form; undefined values are left out */
  form?: Readonly<Record<string, string | number | boolean | undefined>>
  /** sent as it is, with the content type of `headers` */
  body?: string
  /** changes nothing, so it may be sent again; by default what is a GET */
  reads?: boolean
  /** finds the failure in an answer, also in one with status 200, where a provider has a way of its own to tell it */
  toFailure?(body: unknown): ApiFailure | undefined
}

/** The API of one connection. */
export interface ConnectedApi {
  /**
   * Calls a path below the provider's API root and takes the JSON answer. Reads are tried again when the provider is busy; a write
   * never is.
   * @returns the parsed body; undefined where there is none
   * @throws ProviderError with a sentence for the model, ReconnectRequired when the person has to connect again
   */
  call(path: string, request: ApiRequest, signal: AbortSignal): Promise<unknown>
}
