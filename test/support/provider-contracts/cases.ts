import { expect } from 'vitest'

/** A request to a provider, without the parts that all requests of the connection share. */
export interface ExpectedRequest {
  /** method, and path relative to the root of the API */
  endpoint: string
  query?: Record<string, unknown>
  /** in addition to the usual ones, or instead of them */
  headers?: Record<string, unknown>
  /** parsed JSON, or text */
  body?: unknown
}

/** A tool call: arguments as a model writes them, the requests that it sends, and its result. */
export interface ToolCase {
  tool: string
  /** id of the requirement, for the title */
  requirement?: string
  input: Record<string, unknown>
  requests: ExpectedRequest[]
  result: unknown
}

/** A tool call whose provider responds differently from its double, as its reference allows. */
export interface ResponseCase {
  tool: string
  requirement?: string
  input?: Record<string, unknown>
  /** what is special about the response */
  case: string
  /**
   * The end of a path, and the JSON response to one request: a second page needs a second one. Other requests get the responses of the
   * double.
   */
  responses: [path: string, body: unknown, options?: { status?: number; headers?: Record<string, string> }][]
  /** the body of the last request */
  sent?: unknown
  result?: unknown
  /** the error for the model instead */
  error?: string
}

export interface RoundTrip {
  input?: Record<string, unknown>
  /** a text in the result: of the double's initial data, or of what the previous write created */
  finds: string
}

/** What is tested of the tools of an integration, beside what all have in common. */
export interface ProviderCases {
  /** every tool, by id; writes come before the reads that should return them */
  roundTrips: Readonly<Record<string, RoundTrip>>
  /** further inputs of tools that only read, each with a text of the result */
  reads?: readonly [tool: string, input: Record<string, unknown>, finds: string][]
  /**
   * By tool, inputs that name a record by its id: a response with required fields alone has no title to search for, and a list may have
   * further pages.
   */
  inputsById?: Readonly<Record<string, Record<string, unknown>>>
  /** every tool, with its exact requests */
  requests: readonly ToolCase[]
  responses: readonly ResponseCase[]
  /** in a user's words: reads, which find what the write created if there is one */
  chat: {
    reads: readonly [message: string, tool: string, found: string][]
    write?: [message: string, tool: string, parameters: Record<string, unknown>]
  }
}

export const base64url = (text: string) => Buffer.from(text).toString('base64url')
/** Values generated at random, by a provider or the product. */
export const anyText = expect.any(String) as unknown
export const textLike = (form: RegExp) => expect.stringMatching(form) as unknown
