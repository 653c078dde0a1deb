import * as z from 'zod'
import { type ApiClient, capability, type Capability } from '../capability.ts'
import { cleanText } from '../../platform/untrusted-text.ts'
import { limit, linkField, singleLine, longText, findByNameOrId, searchTerm } from '../schemas.ts'

const richText = z.array(z.object({ plain_text: z.string().default('') })).default([])
const page = z.object({
  id: z.string(),
  url: linkField,
  last_edited_time: z.string().optional(),
  properties: z
    .record(z.string(), z.object({ type: z.string().optional(), title: richText.optional() }))
    .default({}),
})
const searchResponse = z.object({ results: z.array(page), has_more: z.boolean().default(false) })
type Page = z.output<typeof page>

const toPlainText = (parts: z.output<typeof richText>) => parts.map(({ plain_text }) => plain_text).join('')
/** The title is the only property of type `title`; its name varies. */
const getTitle = ({ properties }: Page) =>
  cleanText(toPlainText(Object.values(properties).find(({ type }) => type === 'title')?.title ?? []), 300) ||
  '(untitled)'

const search = (api: ApiClient, query: string | undefined, maxRows: number) =>
  api.post(searchResponse, '/search', {
    reads: true,
    json: {
      ...(query && { query }),
      filter: { property: 'object', value: 'page' },
      sort: { timestamp: 'last_edited_time', direction: 'descending' },
      page_size: maxRows,
    },
  })

/** Notion's limit is 2,000 UTF-16 code units, and a character may take two. */
const maxBlockCharacters = 1_000
const maxBlocks = 100

/** Splits a text into paragraphs within Notion's limits on their number and length. */
function toParagraphs(text: string) {
  const cut = (part: string) => part.match(new RegExp(`[^]{1,${maxBlockCharacters}}`, 'gu')) ?? []
  const lines = text.split(/\n+/).flatMap(cut)
  // if there are too many lines, blocks contain several
  return (lines.length <= maxBlocks ? lines : cut(text)).map((content) => ({
    object: 'block',
    type: 'paragraph',
    paragraph: { rich_text: [{ type: 'text', text: { content } }] },
  }))
}

export const tools: readonly Capability[] = [
  capability({
    id: 'search_pages',
    name: 'Search pages',
    description: 'Searches the pages of Notion by their titles, the last edited first.',
    parameters: z.object({ query: searchTerm('the titles'), limit: limit('pages') }),
    examples: ['Find my Notion page about the offsite'],
    async run(api, { query, limit: maxRows }) {
      const { results, has_more } = await search(api, query, maxRows)
      const pages = results.map((one) => ({
        title: getTitle(one),
        edited: one.last_edited_time,
        link: one.url,
        id: one.id,
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
    async run(api, { page: nameOrId }) {
      const { id, name } = await findPage(api, nameOrId)
      const { lines, more } = await readBlocks(api, id)
      return { title: name, text: cleanText(lines.join('\n'), 8_000), more }
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
    async run(api, { title, content, parent }) {
      const parentPage = await findPage(api, parent)
      const { id, url } = await api.post(page.pick({ id: true, url: true }), '/pages', {
        json: {
          parent: { page_id: parentPage.id },
          properties: { title: { title: [{ text: { content: title } }] } },
          children: toParagraphs(content),
        },
      })
      return { created: true, title, under: parentPage.name, link: url, id }
    },
  }),
]

const pageId = /^[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}$/i

/** Finds a page by its id, with or without dashes, or by its title among those shared with the integration. */
async function findPage(api: ApiClient, nameOrId: string | undefined) {
  const toNamedRow = (one: Page) => ({ id: one.id, name: getTitle(one) })
  if (nameOrId !== undefined && pageId.test(nameOrId))
    return toNamedRow(await api.get(page, `/pages/${encodeURIComponent(nameOrId)}`))
  const { results } = await search(api, nameOrId, 100)
  return findByNameOrId(results.map(toNamedRow), nameOrId, 'page')
}

const block = z.looseObject({
  id: z.string(),
  // absent for a partial block: one that the integration may not read
  type: z.string().default(''),
  has_children: z.boolean().default(false),
})
const blocks = z.object({
  results: z.array(block),
  has_more: z.boolean().default(false),
  next_cursor: z.string().nullish(),
})
const blockText = z.object({
  rich_text: richText,
  // the cells of a table row
  cells: z.array(richText).default([]),
  // the title of a page or database inside the page
  title: z.string().default(''),
})
/** Requests for the blocks of one page: columns, toggles and tables contain further blocks. */
const maxBlockRequests = 20

function formatBlock(one: z.output<typeof block>): string {
  const { data } = blockText.safeParse(one[one.type])
  if (!data) return ''
  const cells = data.cells.map(toPlainText).join(' | ')
  return cells || toPlainText(data.rich_text) || data.title
}

/** Reads the lines of a page in their order. `more`: there are further ones. */
async function readBlocks(api: ApiClient, id: string) {
  const lines: string[] = []
  let requests = 0
  let more = false
  async function read(parent: string): Promise<void> {
    let cursor: string | undefined
    do {
      if (requests >= maxBlockRequests) {
        more = true
        return
      }
      requests += 1
      const query = { page_size: 100, start_cursor: cursor }
      const path = `/blocks/${encodeURIComponent(parent)}/children`
      const { results, has_more, next_cursor } = await api.get(blocks, path, query)
      for (const one of results) {
        if (one.type !== 'table') lines.push(formatBlock(one))
        // a page inside the page is a separate document
        if (one.has_children && !one.type.startsWith('child_')) await read(one.id)
      }
      cursor = has_more ? (next_cursor ?? undefined) : undefined
      if (has_more && cursor === undefined) more = true
    } while (cursor !== undefined)
  }
  await read(id)
  return { lines, more }
}
