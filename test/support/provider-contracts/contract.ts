import * as z from 'zod'
import type { ProviderResponse } from '../../../infra/local/doubles/providers/http.ts'

/** What a provider publishes about one operation that a tool uses. */
export interface Operation {
  /** an access token needs one of these; absent: any token opens it */
  scopes?: readonly string[]
  query?: z.ZodType
  /** a JSON body; absent: the request has no body, unless `form` or `contentType` says which */
  body?: z.ZodType
  /** fields of a form */
  form?: z.ZodType
  /** for a body that is neither JSON nor a form */
  contentType?: RegExp
  /** required headers */
  headers?: z.ZodType
  /**
   * JSON of a successful response: the fields in use with their types. A field that the provider may leave out is `optional`, one that may
   * be null is `nullable`; fields that are not in use may be there. Values that a tool looks for are given with `withExample`.
   */
  response: z.ZodType
}

/** Where a contract comes from. */
export interface Source {
  /** a page, a package or a file that the provider publishes */
  name: string
  url: string
  /** version, commit or date of what was read */
  version: string
  /** YYYY-MM-DD */
  checkedOn: string
}

/** What a provider publishes about its OAuth 2.0 endpoints, beyond RFC 6749. Compared with two published lists on 2026-11-20. */
export interface PublishedOAuth {
  /** further parameters of the authorization request */
  parameters?: readonly string[]
  /** further parameters of the token request */
  tokenParameters?: readonly string[]
  /** scopes that no operation names, such as the one for refresh tokens */
  scopes?: readonly string[]
  /** RFC 7636 */
  pkce?: boolean
  /** where the client secret is sent; the body by default */
  clientAuth?: 'basic'
}

/** The operations of a provider that tools use, as the provider publishes them. */
export interface Contract {
  sources: readonly [Source, ...Source[]]
  /** the version of the API that requests name */
  api: {
    version: string
    /** YYYY-MM-DD of its announced end; null: the provider announces none */
    supportedUntil: string | null
    /** where the end is announced */
    source: string
  }
  oauth?: PublishedOAuth
  /** the permissions of a key that the steps of the set-up name; empty if a key has none of its own. Needed if the integration takes a key */
  keyScopes?: readonly string[]
  /** why no tool writes */
  readsOnly?: string
  /** what could not be verified without an account */
  unverified?: readonly string[]
  /**
   * By `METHOD /path/:part`, or by `QUERY Name` and `MUTATION Name` for GraphQL. The first pattern that matches counts.
   */
  operations: Readonly<Record<string, Operation>>
  /** an error that the provider sends with status 200 */
  failure?: z.ZodType
  /** the provider's response to a request that is not valid */
  invalid: (message: string) => ProviderResponse
  /** its response to a token without the permission */
  forbidden: (scopes: readonly string[]) => ProviderResponse
  /** its response to an unknown path; by default 404 with a message */
  notFound?: () => ProviderResponse
}

export const nonEmptyText = z.string().min(1)
export const flag = z.enum(['true', 'false'])
/** A page size, or a page number, of a query. */
export const optionalIntUpTo = (max: number) => z.coerce.number().int().min(1).max(max).optional()
export const time = z.iso.datetime({ offset: true })
export const strictObject = z.strictObject
export const email = z.email()

/** A value for generated responses, where a tool needs a certain one. */
export const withExample = <Schema extends z.ZodType>(schema: Schema, value: z.input<Schema>): Schema =>
  schema.meta({ examples: [value] })

/** A GraphQL request whose document contains only these words. */
export const graphql = (words: string, variables: z.ZodType) =>
  strictObject({
    query: z.string().refine((query) => {
      const known = new Set(words.split(' '))
      return (query.match(/\w+/g) ?? []).every((word) => known.has(word))
    }, 'the document names a field that does not exist'),
    variables,
  })
