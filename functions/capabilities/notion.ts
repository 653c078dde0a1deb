import * as z from 'zod'
import type { ConnectedApi } from './api.ts'
import { capability, type Capability } from './capability.ts'
import { cleanText, httpsLink } from '../platform/untrusted-text.ts'
import { limit, singleLine, longText, findByNameOrId, searchTerm } from './schemas.ts'

const richText = z.array(z.object({ plain_text: z.string().default('') })).default([])
const found = z.object({
  results: z.array(
    z.object({
      id: z.string(),
      url: z.string().optional(),
      last_edited_time: z.string().optional(),
      properties: z
        .record(z.string(), z.object({ type: z.string().optional(), title: richText.optional() }))
        .default({}),
    }),
  ),
  has_more: z.boolean().default(false),
})
type Page = z.output<typeof found>['results'][number]

const toPlainText = (parts: z.output<typeof richText>) => parts.map(({ plain_text }) => plain_text).join('')
/** The title is the only property of type `title`; its name varies. */
const getTitle = ({ properties }: Page) =>
  cleanText(toPlainText(Object.values(properties).find(({ type }) => type === 'title')?.title ?? []), 300) ||
  '(untitled)'

const search = async (api: ConnectedApi, query: string | undefined, maxRows: number, signal: AbortSignal) =>
  found.parse(
    await api.call(
      '/search',
      {
        method: 'POST',
        reads: true,
        json: {
          ...(query && { query }),
          filter: { property: 'object', value: 'page' },
          sort: { timestamp: 'last_edited_time', direction: 'descending' },
          page_size: maxRows,
        },
      },
      signal,
    ),
  )

/** Notion's limit is 2,000 UTF-16 code units, and a character may take two. */
const maxBlockCharacters = 1_000
const maxBlocks = 100

/** Splits a text into paragraphs within Notion's limits on their number and length. */
function paragraphs(text: string) {
  const cut = (part: string) => part.match(new RegExp(`[^]{1,${maxBlockCharacters}}`, 'gu')) ?? []
  const lines = text.split(/\n+/).flatMap(cut)
  // if there are too many lines, blocks contain several
  return (lines.length <= maxBlocks ? lines : cut(text)).map((content) => ({
    object: 'block',
    type: 'paragraph',
    paragraph: { rich_text: [{ type: 'text', text: { content } }] },
  }))
}

export const notion: readonly Capability[] = [
  capability({
    id: 'search_pages',
    name: 'Search pages',
    description: 'Searches the pages of Notion by their titles, the last edited first.',
    parameters: z.object({ query: searchTerm('the titles'), limit: limit('pages') }),
    examples: ['Find my Notion page about the offsite'],
    async run(api, { query, limit: maxRows }, signal) {
      const { results, has_more } = await search(api, query, maxRows, signal)
      const pages = results.map((page) => ({
        title: getTitle(page),
        edited: page.last_edited_time,
        link: httpsLink(page.url),
        id: page.id,
      }))
      return { pages, more: has_more }
    },
  }),
  capability({
    id: 'read_page',
    name: 'Read a page',
    description: 'Reads the text of one Notion page.',
    parameters: z.object({ page: singleLine('title or id of the page') }),
    examples: ['What does my Notion page "Roadmap" say?'],
    async run(api, { page: nameOrId }, signal) {
      const page = await findPage(api, nameOrId, signal)
      const { results, has_more } = z
        .object({ results: z.array(z.record(z.string(), z.unknown())), has_more: z.boolean().default(false) })
        .parse(
          await api.call(
            `/blocks/${encodeURIComponent(page.id)}/children`,
            { query: { page_size: 100 } },
            signal,
          ),
        )
      const block = z.object({ rich_text: richText })
      const lines = results.map((one) =>
        toPlainText(block.safeParse(one[String(one['type'])]).data?.rich_text ?? []),
      )
      return { title: page.name, text: cleanText(lines.join('\n'), 8_000), more: has_more }
    },
  }),
  capability({
    id: 'create_page',
    name: 'Create a page',
    description: 'Creates a page in Notion, beneath another page.',
    parameters: z.object({
      title: singleLine('title of the new page'),
      content: longText('text of the page, one paragraph per line').default(''),
      parent: singleLine('title or id of the page that it is put under').optional(),
    }),
    examples: ['Create a Notion page "Offsite" with this agenda'],
    writes: true,
    async run(api, { title, content, parent }, signal) {
      const under = await findPage(api, parent, signal)
      const created = await api.call(
        '/pages',
        {
          method: 'POST',
          json: {
            parent: { page_id: under.id },
            properties: { title: { title: [{ text: { content: title } }] } },
            children: paragraphs(content),
          },
        },
        signal,
      )
      const { id, url } = z.object({ id: z.string(), url: z.string().optional() }).parse(created)
      return { created: true, title, under: under.name, link: httpsLink(url), id }
    },
  }),
]

/** Finds a page by title or id among those shared with the integration. */
async function findPage(api: ConnectedApi, nameOrId: string | undefined, signal: AbortSignal) {
  const isId = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i.test(nameOrId ?? '')
  const { results } = await search(api, isId ? undefined : nameOrId, 100, signal)
  return findByNameOrId(
    results.map((page) => ({ id: page.id, name: getTitle(page) })),
    nameOrId,
    'page',
  )
}
