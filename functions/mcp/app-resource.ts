import { sayTool } from '#shared/sentences/tools.ts'
import type { Client } from '@modelcontextprotocol/client'
import * as z from 'zod'
import { appMimeType, maxAppBytes, type AppDomains } from '#shared/mcp-apps.ts'
import { ProviderError } from '../providers/provider-error.ts'

const uiMetadata = z.object({
  csp: z
    .object({
      connectDomains: z.array(z.string()).optional().catch(undefined),
      resourceDomains: z.array(z.string()).optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
})
const metadata = z
  .object({ ui: uiMetadata.optional().catch(undefined) })
  .optional()
  .catch(undefined)

const contents = z.looseObject({
  contents: z.array(
    z.object({
      uri: z.string(),
      mimeType: z.string().optional(),
      text: z.string().optional(),
      blob: z.string().optional(),
      _meta: metadata,
    }),
  ),
})

const resourcePage = z.looseObject({
  resources: z.array(z.object({ uri: z.string(), _meta: metadata }).catch({ uri: '', _meta: undefined })),
  nextCursor: z.string().optional().catch(undefined),
})

/** Pages of `resources/list` that are searched for what an app may reach. */
const maxPages = 5
/** Origins of one kind that an app may name. */
const maxDomains = 20

/** An origin, or all hosts below one (at least two labels): nothing else may enter a policy. */
const originPattern = /^(?:https|wss):\/\/(?:\*\.)?(?:[a-z0-9-]+\.)+[a-z][a-z0-9-]*(?::\d{1,5})?$/i

const cleanDomains = (domains: readonly string[] = [], schemes: RegExp): string[] =>
  domains
    .map((one) => one.replace(/\/$/, '').toLowerCase())
    .filter((one) => one.length <= 200 && originPattern.test(one) && schemes.test(one))
    .slice(0, maxDomains)

/** What the page needs to show an app: its document, and the origins that it may reach. */
export interface AppResource {
  readonly html: string
  readonly domains: AppDomains
}

/** The declaration of a resource in the server's list, for a document that declares nothing itself. */
async function findListedMetadata(client: Client, uri: string, signal: AbortSignal) {
  if (!client.getServerCapabilities()?.resources) return undefined
  let cursor: string | undefined
  for (let pages = 0; pages < maxPages; pages += 1) {
    const params = cursor === undefined ? {} : { cursor }
    const page = await client.request({ method: 'resources/list', params }, resourcePage, { signal })
    const found = page.resources.find((one) => one.uri === uri)
    if (found) return found._meta?.ui
    if (page.nextCursor === undefined || page.nextCursor === cursor) return undefined
    cursor = page.nextCursor
  }
  return undefined
}

/**
 * Reads the document of an app. Origins that are no plain https or wss origin are left out: the app cannot reach them.
 * @throws ProviderError for anything but one HTML document of an app; errors of the client
 */
export async function readAppResource(
  client: Client,
  { name, uri, signal }: { name: string; uri: string; signal: AbortSignal },
): Promise<AppResource> {
  const resource = await client.request({ method: 'resources/read', params: { uri } }, contents, { signal })
  const content = resource.contents.find((one) => one.uri === uri)
  if (!content || content.mimeType !== appMimeType)
    throw new ProviderError(sayTool('app_unusable.kind', { name }))
  const html = content.text ?? Buffer.from(content.blob ?? '', 'base64').toString('utf8')
  if (html.trim() === '') throw new ProviderError(sayTool('app_unusable.empty', { name }))
  if (Buffer.byteLength(html) > maxAppBytes)
    throw new ProviderError(sayTool('app_unusable.too_large', { name }))
  const { csp } = content._meta?.ui ?? (await findListedMetadata(client, uri, signal)) ?? {}
  return {
    html: html.toWellFormed(),
    domains: {
      connect: cleanDomains(csp?.connectDomains, /^(?:https|wss):/),
      resource: cleanDomains(csp?.resourceDomains, /^https:/),
    },
  }
}
