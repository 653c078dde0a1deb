import * as z from 'zod'
import type { ApiRequest, ConnectedApi } from './api.ts'
import { singleLine, findByNameOrId } from './schemas.ts'
import type { ApiFailure } from '../providers/errors.ts'

const scopeError = z.object({ message: z.string().regex(/scope/i) })

/** Atlassian responds 401 if only a scope is missing. */
function parseFailure(body: unknown): ApiFailure | undefined {
  const { data } = scopeError.safeParse(body)
  return data && { status: 403, message: data.message, scopes: [] }
}

const sites = z.array(z.object({ id: z.string(), name: z.string(), url: z.string() }))

export const site = singleLine('name of the Atlassian site; not needed if there is only one').optional()

/** Finds a site of the account, and returns a function that calls its API. */
export async function findAtlassianSite(
  api: ConnectedApi,
  nameOrId: string | undefined,
  signal: AbortSignal,
) {
  const all = sites.parse(
    await api.call('/accessible-resources', { base: 'account', toFailure: parseFailure }, signal),
  )
  // a site is listed once for each of its products
  const single = [...new Map(all.map((one) => [one.id, one])).values()]
  const { id, url } = findByNameOrId(single, nameOrId, 'site')
  return {
    url,
    call: (path: string, request: ApiRequest = {}) =>
      api.call(`/${encodeURIComponent(id)}${path}`, { ...request, toFailure: parseFailure }, signal),
  }
}

/** Quotes a value for JQL and CQL. */
export const quoteText = (text: string) => `"${text.replace(/[\\"]/g, '\\$&').replace(/[\r\n]+/g, ' ')}"`
