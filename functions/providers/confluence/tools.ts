import * as z from 'zod'
import type { Capability } from '../capability.ts'
import { cleanText, htmlToText, httpsLink } from '../../platform/untrusted-text.ts'
import { atlassianCapability as capability, findAtlassianSite, quoteText, site } from '../atlassian.ts'
import { limit, optionalField, singleLine, shortText, searchTerm } from '../schemas.ts'

/** Only version 1 of the API has a search; pages are read by version 2, because version 1 is removed for OAuth. */
const searchPath = '/wiki/rest/api/search'
const searchResponse = z.object({
  results: z.array(
    z.object({
      content: z.object({ id: z.string().optional() }).optional(),
      title: z.string(),
      excerpt: z.string().default(''),
      url: z.string().default(''),
      lastModified: z.string().optional(),
      resultGlobalContainer: z.object({ title: z.string() }).optional(),
    }),
  ),
  totalSize: z.number().default(0),
})
/** Confluence marks the matching words. */
const removeMarks = (text: string) => text.replace(/@@@(?:end)?hl@@@/g, '')

/** Code is character data of XML, which HTML does not have: it is written as text of HTML, in lines of its own. */
const escapeData = (storage: string) =>
  storage.replace(
    /<!\[CDATA\[([^]*?)(?:\]\]>|$)/g,
    (_, text: string) =>
      `\n${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')}\n`,
  )

/** Read-only, because the requested scopes are. */
export const tools: readonly Capability[] = [
  capability({
    id: 'search_pages',
    name: 'Search pages',
    description: 'Searches the pages of Confluence (the wiki), or lists the last changed ones.',
    parameters: z.object({ query: searchTerm('the pages'), site, limit: limit('pages', 20, 50) }),
    examples: ['Find the onboarding page in Confluence'],
    async run(api, { query, site: nameOrId, limit: maxRows }) {
      const { url, root } = await findAtlassianSite(api, nameOrId)
      const cql = query
        ? `type = page AND siteSearch ~ ${quoteText(query)}`
        : 'type = page ORDER BY lastmodified DESC'
      const response = await api.get(searchResponse, `${root}${searchPath}`, { cql, limit: maxRows })
      return {
        pages: response.results.map((one) => ({
          title: shortText(removeMarks(one.title)),
          space: shortText(one.resultGlobalContainer?.title),
          excerpt: cleanText(htmlToText(removeMarks(one.excerpt)), 300),
          modified: one.lastModified,
          link: httpsLink(`${url}/wiki${one.url}`),
          id: one.content?.id,
        })),
        more: response.totalSize > response.results.length,
      }
    },
  }),
  capability({
    id: 'read_page',
    name: 'Read a page',
    description: 'Reads the text of one Confluence page.',
    parameters: z.object({ pageId: singleLine('id of the page', 40).regex(/^\d+$/), site }),
    examples: ['Read the Confluence page 98765'],
    async run(api, { pageId, site: nameOrId }) {
      const { root } = await findAtlassianSite(api, nameOrId)
      const page = z.object({
        title: optionalField,
        body: z.object({ storage: z.object({ value: z.string().nullish() }).nullish() }).nullish(),
      })
      const path = `${root}/wiki/api/v2/pages/${pageId}`
      const { title, body } = await api.get(page, path, { 'body-format': 'storage' })
      return { title, text: cleanText(htmlToText(escapeData(body?.storage?.value ?? '')), 8_000) }
    },
  }),
]
