import * as z from 'zod'

/** What a request may contain, according to the provider's API reference. */
export interface Documented {
  query?: z.ZodType
  /** of JSON; absent: the request has no body, unless `type` says which */
  body?: z.ZodType
  /** of a form */
  form?: z.ZodType
  /** of a body that is neither */
  type?: RegExp
  /** required headers */
  headers?: z.ZodType
}

/** The documented requests of providers: by provider, and by `METHOD /path/:part`. */
export type DocumentedRequests = Readonly<Record<string, Readonly<Record<string, Documented>>>>

export const text = z.string().min(1)
export const flag = z.enum(['true', 'false'])
export const count = (most: number) => z.coerce.number().int().min(1).max(most).optional()
export const time = z.iso.datetime({ offset: true })
export const strict = z.strictObject
export const email = z.email()

/** A GraphQL request whose document contains only these words. */
export const graphql = (words: string, variables: z.ZodType) =>
  strict({
    query: z.string().refine((query) => {
      const known = new Set(words.split(' '))
      return (query.match(/\w+/g) ?? []).every((word) => known.has(word))
    }, 'the document names a field that does not exist'),
    variables,
  })
