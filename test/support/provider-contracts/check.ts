import * as z from 'zod'
import { matchPattern } from '../../../infra/local/doubles/providers/router.ts'
import {
  json,
  type ProviderRequest,
  type ProviderResponse,
} from '../../../infra/local/doubles/providers/http.ts'
import type { Contract, Operation } from './contract.ts'

/** The operation that a request asks for; undefined if the provider publishes none. */
export function findOperation(contract: Contract, request: ProviderRequest): Operation | undefined {
  const graphqlName = parseGraphqlName(request)
  return Object.entries(contract.operations).find(([pattern]) =>
    graphqlName === undefined ? matchPattern(pattern, request) : pattern === graphqlName,
  )?.[1]
}

/** `QUERY Name` or `MUTATION Name` of a GraphQL request, which goes to the root of the API. */
function parseGraphqlName({ method, path, body }: ProviderRequest): string | undefined {
  if (method !== 'POST' || path !== '') return undefined
  const document = z.object({ query: z.string() }).safeParse(parseJson(body)).data?.query ?? ''
  const [, type, name] = /^\s*(query|mutation)\s+(\w+)/.exec(document) ?? []
  return type === undefined ? undefined : `${type.toUpperCase()} ${name}`
}

/**
 * Checks a request against a contract.
 * @param scopes what the token was granted; undefined: everything
 * @returns the provider's error response; undefined for a valid request
 */
export function refuseRequest(
  contract: Contract,
  request: ProviderRequest,
  scopes: readonly string[] | undefined,
): ProviderResponse | undefined {
  const operation = findOperation(contract, request)
  if (!operation) return contract.notFound?.() ?? json(404, { message: 'Not Found' })
  if (scopes && operation.scopes && !operation.scopes.some((scope) => scopes.includes(scope)))
    return contract.forbidden(operation.scopes)
  const problem = findProblem(operation, request)
  return problem === undefined ? undefined : contract.invalid(problem)
}

/** @throws Error when a successful response is not one that the provider publishes */
export function checkResponse(
  contract: Contract,
  request: ProviderRequest,
  { status, body }: ProviderResponse,
): void {
  const schema = findOperation(contract, request)?.response
  if (!schema || status >= 300) return
  const value = body === undefined || body === '' ? undefined : parseJson(body)
  if (contract.failure?.safeParse(value).success === true) return
  const { error } = schema.safeParse(value)
  if (error) throw new Error(`${request.method} ${request.path}: ${z.prettifyError(error)}`)
}

function findProblem(
  { query = z.strictObject({}), body, form, contentType, headers }: Operation,
  request: ProviderRequest,
): string | undefined {
  const sentType = request.headers['content-type'] ?? ''
  const expectedType =
    contentType ?? (body ? /^application\/json\b/ : form ? /^application\/x-www-form-urlencoded\b/ : /^$/)
  if (!expectedType.test(sentType)) return `Content-Type ${sentType || 'is missing'}`
  if (!body && !form && !contentType && request.body !== '') return 'a body where none is expected'
  const values: [z.ZodType | undefined, unknown][] = [
    [query, readFields(request.query)],
    [headers, request.headers],
    [form, readFields(new URLSearchParams(request.body))],
    [body, body && parseJson(request.body)],
  ]
  for (const [schema, value] of values) {
    const error = schema?.safeParse(value).error
    if (error) return z.prettifyError(error)
  }
  return undefined
}

/** A repeated parameter is a list. */
const readFields = (query: URLSearchParams) =>
  Object.fromEntries(
    [...new Set(query.keys())].map((name) => {
      const values = query.getAll(name)
      return [name, values.length === 1 ? values[0] : values]
    }),
  )

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
