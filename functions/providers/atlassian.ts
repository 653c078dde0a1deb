import * as z from 'zod'
import { type ApiClient, capabilityWith } from './capability.ts'
import { singleLine, findByNameOrId } from './schemas.ts'
import type { ApiFailure } from './errors.ts'

const scopeError = z.object({ message: z.string().regex(/scope/i) })

/** Atlassian responds 401 if only a scope is missing. */
function parseFailure(body: unknown): ApiFailure | undefined {
  const { data } = scopeError.safeParse(body)
  return data && { status: 403, message: data.message, scopes: [] }
}

const sites = z.array(z.object({ id: z.string(), name: z.string(), url: z.string() }))

export const atlassianCapability = capabilityWith({ toFailure: parseFailure })

export const site = singleLine('name of the Atlassian site; not needed if there is only one').optional()

/** Finds a site of the account. @returns its address, and the path of its API */
export async function findAtlassianSite(api: ApiClient, nameOrId: string | undefined) {
  const all = await api.get(sites, '/accessible-resources', {}, { base: 'account' })
  // a site is listed once for each of its products
  const single = [...new Map(all.map((one) => [one.id, one])).values()]
  const { id, url } = findByNameOrId(single, nameOrId, 'site')
  return { url, root: `/${encodeURIComponent(id)}` }
}

/** Quotes a value for JQL and CQL. */
export const quoteText = (text: string) => `"${text.replace(/[\\"]/g, '\\$&').replace(/[\r\n]+/g, ' ')}"`
