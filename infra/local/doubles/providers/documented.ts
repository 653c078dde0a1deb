import * as z from 'zod'
import { type ProviderResponse, type ProviderRequest, json } from './http.ts'
import { matchPattern } from './calls.ts'
import type { Documented, DocumentedRequests } from './documented-forms.ts'
import { officeRequests } from './documented-office.ts'
import { salesRequests } from './documented-sales.ts'
import { trackersRequests } from './documented-trackers.ts'

/**
 * The requests that the providers document. Some providers ignore unknown parameters: here they are refused everywhere, because
 * such a request would not do what it was meant to do.
 */
const documented: DocumentedRequests = {
  ...officeRequests,
  ...trackersRequests,
  ...salesRequests,
}

/** @returns the provider's error response for a request that differs from its documentation */
export function refuseUndocumented(provider: string, asked: ProviderRequest): ProviderResponse | undefined {
  const found = Object.entries(documented[provider] ?? {}).find(([pattern]) => matchPattern(pattern, asked))
  const problem = found && findProblem(found[1], asked)
  return problem === undefined ? undefined : refusal(provider, problem)
}

function findProblem(
  { query = z.strictObject({}), body, form, type, headers }: Documented,
  asked: ProviderRequest,
) {
  const sent = asked.headers['content-type'] ?? ''
  const wanted =
    type ?? (body ? /^application\/json\b/ : form ? /^application\/x-www-form-urlencoded\b/ : /^$/)
  if (!wanted.test(sent)) return `Content-Type ${sent || 'is missing'}`
  if (!body && !form && !type && asked.body !== '') return 'a body where there is none'
  const values: [z.ZodType | undefined, unknown][] = [
    [query, readFields(asked.query)],
    [headers, asked.headers],
    [form, readFields(new URLSearchParams(asked.body))],
    [body, body && parsed(asked.body)],
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

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

function refusal(provider: string, message: string): ProviderResponse {
  const googleForm = {
    error: { code: 400, message, errors: [{ domain: 'global', reason: 'badRequest', message }] },
  }
  const forms: Readonly<Record<string, unknown>> = {
    gmail: googleForm,
    'google-drive': googleForm,
    'google-calendar': googleForm,
    notion: { object: 'error', status: 400, code: 'validation_error', message },
    stripe: { error: { type: 'invalid_request_error', code: 'parameter_unknown', message } },
    hubspot: { status: 'error', message, category: 'VALIDATION_ERROR' },
    salesforce: [{ message, errorCode: 'INVALID_FIELD' }],
    shopify: { errors: [{ message, extensions: { code: 'undefinedField' } }] },
    airtable: { error: { type: 'INVALID_REQUEST_UNKNOWN', message } },
  }
  return json(400, forms[provider] ?? { message })
}
