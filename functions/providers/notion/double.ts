import {
  mentions,
  ok,
  paginate,
  record,
  text,
  type Double,
} from '../../../infra/local/doubles/providers/double.ts'
import { json } from '../../../infra/local/doubles/providers/http.ts'
import type { Row } from '../../../infra/local/doubles/providers/store.ts'

/** Ids of Notion are accepted with and without dashes. */
const findPage = (pages: Row[], id: unknown) =>
  pages.find((one) => text(one['id']).replaceAll('-', '') === text(id).replaceAll('-', ''))

const notionError = (id: unknown) =>
  json(404, {
    object: 'error',
    status: 404,
    code: 'object_not_found',
    message: `Could not find page with ID: ${text(id)}. Make sure it is shared with your integration.`,
  })

export const double: Double = {
  rows: {
    pages: [
      {
        object: 'page',
        id: '11111111-2222-4333-8444-555555555555',
        url: 'https://www.notion.so/11111111222243338444555555555555',
        last_edited_time: '2026-11-18T09:00:00.000Z',
        parent: { type: 'workspace', workspace: true },
        properties: {
          title: {
            id: 'title',
            type: 'title',
            title: [{ type: 'text', plain_text: 'Team handbook', text: { content: 'Team handbook' } }],
          },
        },
        children: [
          {
            object: 'block',
            id: 'b-1',
            type: 'paragraph',
            has_children: false,
            paragraph: {
              rich_text: [
                { type: 'text', plain_text: 'We meet on Mondays.', text: { content: 'We meet on Mondays.' } },
              ],
            },
          },
        ],
      },
    ],
  },
  fixed: { 'GET /users/me': { object: 'user', id: 'u-1', type: 'bot', name: 'Local stand-in' } },
  routes: {
    'POST /search': ({ body, rows }) => {
      const found = rows('pages').filter(({ properties }) => mentions(properties, text(body['query'])))
      const { page, next } = paginate(found.toReversed(), body['page_size'] ?? 100)
      return ok({ object: 'list', results: page, has_more: next !== undefined, next_cursor: null })
    },
    'GET /pages/:id': ({ pathParams: [id], rows }) => {
      const page = findPage(rows('pages'), id)
      return page ? ok(page) : notionError(id)
    },
    'GET /blocks/:id/children': ({ pathParams: [id], rows }) => {
      const page = findPage(rows('pages'), id)
      if (!page) return notionError(id)
      return ok({ object: 'list', results: page['children'], has_more: false, next_cursor: null })
    },
    'POST /pages': async ({ body, rows, saveRow }) => {
      const parent = record(body['parent'])['page_id']
      if (!findPage(rows('pages'), parent)) return notionError(parent)
      const withText = (parts: unknown) =>
        (parts as Row[]).map((one) => ({ ...one, plain_text: record(one['text'])['content'] }))
      const title = record(record(body['properties'])['title'])['title']
      const id = crypto.randomUUID()
      const page = {
        object: 'page',
        id,
        url: `https://www.notion.so/${id.replaceAll('-', '')}`,
        last_edited_time: new Date().toISOString(),
        parent: { type: 'workspace', workspace: true },
        properties: { title: { id: 'title', type: 'title', title: withText(title) } },
        children: ((body['children'] ?? []) as Row[]).map((block) => ({
          ...block,
          id: crypto.randomUUID(),
          has_children: false,
          paragraph: { rich_text: withText(record(block['paragraph'])['rich_text']) },
        })),
      }
      return ok(await saveRow('pages', page))
    },
  },
}
