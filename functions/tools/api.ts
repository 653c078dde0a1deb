/** What a provider says of a request that it did not do, where its own way of saying so has to be translated. */
export interface Refusal {
  /** the HTTP status that it comes to */
  status: number
  message: string
  /** permissions that are missing */
  scopes?: readonly string[]
}

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
  refusal?(body: unknown): Refusal | undefined
}

/** The API of one connection. */
export interface ConnectedApi {
  /**
   * Calls a path below the provider's API root and takes the JSON answer. Reads are tried again when the provider is busy; a write
   * never is.
   * @returns the parsed body; undefined where there is none
   * @throws ProviderError with a sentence for the model, GrantGone when the person has to connect again
   */
  call(path: string, request: ApiRequest, signal: AbortSignal): Promise<unknown>
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
