/** A request to the API of a connected provider; who asks is added on the way. */
export interface ApiRequest {
  method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  /** put behind the path; undefined values are left out, lists are repeated */
  query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>
  headers?: Readonly<Record<string, string>>
  /** sent as JSON */
  json?: unknown
  /** sent as it is, with the content type of `headers` */
  body?: string
}

/** The API of one connection. */
export interface ConnectedApi {
  /**
   * Calls a path below the provider's API root and takes the JSON answer. Reads are tried again when the provider is busy; a write
   * never is.
   * @param path or, for an address beside the root, what it is made to
   * @returns the parsed body; undefined where there is none
   * @throws ProviderError with a sentence for the model, GrantGone when the person has to connect again
   */
  call(path: string | ((root: string) => string), request: ApiRequest, signal: AbortSignal): Promise<unknown>
}

/** What a provider did not do, in a sentence that the model may read and tell. */
export class ProviderError extends Error {
  /** the HTTP status, where there was an answer */
  readonly status: number | undefined

  constructor(sentence: string, status?: number, options?: { cause?: unknown }) {
    super(sentence, options)
    this.status = status
  }
}
