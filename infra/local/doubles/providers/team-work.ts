import { json } from './http.ts'
import { type Routes, mentions, newId, newNumericId, paginate, record, text } from './calls.ts'
import type { Row } from './store.ts'

const channels: Row[] = [
  { id: 'C01GENERAL', name: 'general', is_member: true, num_members: 12, topic: { value: 'Everything' } },
  { id: 'C02RANDOM', name: 'random', is_member: true, num_members: 11, topic: { value: 'Lunch and cats' } },
  // the app was not invited
  { id: 'C03BOARD', name: 'board', is_member: false, num_members: 3, topic: { value: '' } },
]
const messages: Row[] = [
  { channel: 'C01GENERAL', ts: '1763600000.000100', user: 'U1', text: 'The release is on Thursday.' },
]

const people: Row[] = [
  { id: 'U1', name: 'ann', real_name: 'Ann Lee' },
  { id: 'U2', name: 'juno', real_name: 'Juno' },
]
/** Why the app may not use a channel. */
const refuseChannel = (id: unknown) => {
  const channel = channels.find((one) => one['id'] === id)
  if (channel?.['is_member'] === true) return undefined
  return json(200, { ok: false, error: channel ? 'not_in_channel' : 'channel_not_found' })
}

const slack: Routes = {
  'GET /conversations.list': ({ query }) => {
    const { page, next } = paginate(channels, {
      limit: query.get('limit'),
      start: Number(query.get('cursor') ?? 0),
    })
    return json(200, {
      ok: true,
      channels: page,
      response_metadata: { next_cursor: next === undefined ? '' : String(next) },
    })
  },
  'GET /conversations.history': ({ query, rows }) => {
    const id = query.get('channel')
    const refused = refuseChannel(id)
    if (refused) return refused
    const found = rows('messages', messages)
      .filter(({ channel }) => channel === id)
      .toReversed()
    const { page, next } = paginate(found, { limit: query.get('limit') })
    return json(200, {
      ok: true,
      messages: page.map((one) => ({ type: 'message', ...one })),
      has_more: next !== undefined,
    })
  },
  'GET /users.info': ({ query }) => {
    const user = people.find(({ id }) => id === query.get('user'))
    return json(200, user ? { ok: true, user } : { ok: false, error: 'user_not_found' })
  },
  'POST /chat.postMessage': async ({ body, saveRow }) => {
    const refused = refuseChannel(body['channel'])
    if (refused) return refused
    if (text(body['text']) === '') return json(200, { ok: false, error: 'no_text' })
    const ts = (Date.now() / 1_000).toFixed(6)
    const message = await saveRow('messages', {
      channel: body['channel'],
      ts,
      user: 'U2',
      text: body['text'],
    })
    return json(200, { ok: true, channel: body['channel'], ts, message })
  },
}

const notionPage = (id: string, title: string, children: unknown = []): Row => ({
  object: 'page',
  id,
  url: `https://www.notion.so/${id.replaceAll('-', '')}`,
  last_edited_time: '2026-11-18T09:00:00.000Z',
  parent: { type: 'workspace', workspace: true },
  properties: {
    title: {
      id: 'title',
      type: 'title',
      title: [{ type: 'text', plain_text: title, text: { content: title } }],
    },
  },
  children,
})
const pages = [
  notionPage('11111111-2222-4333-8444-555555555555', 'Team handbook', [
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
  ]),
]
/** Ids are accepted with and without dashes. */
const findPage = (rows: Row[], id: unknown) =>
  rows.find((one) => text(one['id']).replaceAll('-', '') === text(id).replaceAll('-', ''))
const notionError = (message: string) =>
  json(404, { object: 'error', status: 404, code: 'object_not_found', message })

const notion: Routes = {
  'GET /users/me': () => json(200, { object: 'user', id: 'u-1', type: 'bot', name: 'Local stand-in' }),
  'POST /search': ({ body, rows }) => {
    const words = text(body['query'])
    const found = rows('pages', pages)
      .filter(({ properties }) => mentions(properties, words))
      .toReversed()
    const { page, next } = paginate(found, { limit: Number(body['page_size'] ?? 100) })
    return json(200, { object: 'list', results: page, has_more: next !== undefined, next_cursor: null })
  },
  'GET /pages/:id': ({ pathParams: [id], rows }) => {
    const page = findPage(rows('pages', pages), id)
    return page ? json(200, page) : notionError(`Could not find page with ID: ${id}.`)
  },
  'GET /blocks/:id/children': ({ pathParams: [id], rows }) => {
    const page = findPage(rows('pages', pages), id)
    if (!page) return notionError(`Could not find block with ID: ${id}.`)
    return json(200, { object: 'list', results: page['children'], has_more: false, next_cursor: null })
  },
  'POST /pages': async ({ body, rows, saveRow }) => {
    const parent = text(record(body['parent'])['page_id'])
    if (!findPage(rows('pages', pages), parent))
      return notionError(
        `Could not find page with ID: ${parent}. Make sure it is shared with your integration.`,
      )
    const [part] = (record(record(body['properties'])['title'])['title'] as unknown[] | undefined) ?? []
    const children = ((body['children'] as Row[] | undefined) ?? []).map((block) => ({
      ...block,
      id: crypto.randomUUID(),
      has_children: false,
      paragraph: {
        rich_text: ((record(block['paragraph'])['rich_text'] as Row[] | undefined) ?? []).map((one) => ({
          ...one,
          plain_text: record(one['text'])['content'],
        })),
      },
    }))
    return json(
      200,
      await saveRow(
        'pages',
        notionPage(crypto.randomUUID(), text(record(record(part)['text'])['content']), children),
      ),
    )
  },
}

const boards: Row[] = [{ id: 'b1', name: 'Household', url: 'https://trello.com/b/b1/household' }]
const lists: Row[] = [
  { id: 'l1', name: 'To do' },
  { id: 'l2', name: 'Done' },
]
const cards: Row[] = [
  {
    id: 'c1',
    name: 'Buy a lamp',
    desc: 'For the hall',
    due: null,
    idList: 'l1',
    shortUrl: 'https://trello.com/c/c1',
  },
]

const trello: Routes = {
  'GET /members/me': () => json(200, { id: 'm-1', username: 'local' }),
  'GET /members/me/boards': () => json(200, boards),
  'GET /boards/:id/lists': () => json(200, lists),
  'GET /boards/:id/cards': ({ rows }) => json(200, rows('cards', cards)),
  'POST /cards': async ({ body, saveRow }) => {
    if (!lists.some(({ id }) => id === body['idList']))
      return { status: 400, body: 'invalid value for idList' }
    const id = newId()
    return json(
      200,
      await saveRow('cards', {
        id,
        name: body['name'],
        desc: body['desc'] ?? '',
        due: null,
        idList: body['idList'],
        shortUrl: `https://trello.com/c/${id}`,
      }),
    )
  },
}

const tasks: Row[] = [
  {
    gid: '1201',
    name: 'Prepare the workshop',
    notes: 'Slides and snacks',
    due_on: '2026-12-04',
    completed: false,
    permalink_url: 'https://app.asana.com/0/0/1201',
    projects: [{ name: 'Events' }],
  },
]
const asana: Routes = {
  'GET /workspaces': () =>
    json(200, { data: [{ gid: '1', name: 'Example Ltd', resource_type: 'workspace' }], next_page: null }),
  'GET /tasks': ({ query, rows }) => {
    if (!query.get('workspace') || !query.get('assignee'))
      return json(400, { errors: [{ message: 'You should specify one of workspace and assignee' }] })
    const start = Number(query.get('offset') ?? 0)
    const { page, next } = paginate(rows('tasks', tasks), { limit: query.get('limit'), start })
    return json(200, { data: page, next_page: next === undefined ? null : { offset: String(next) } })
  },
  'POST /tasks': async ({ body, saveRow }) => {
    const data = record(body['data'])
    if (!data['workspace'] || !data['name'])
      return json(400, { errors: [{ message: 'workspace: Missing input' }] })
    const gid = newNumericId()
    const task = {
      gid,
      name: data['name'],
      notes: data['notes'] ?? '',
      due_on: data['due_on'] ?? null,
      completed: false,
      permalink_url: `https://app.asana.com/0/0/${gid}`,
      projects: [],
    }
    return json(201, { data: await saveRow('tasks', task) })
  },
}

/** Providers where teams talk, write and plan. */
export const teamRoutes: Readonly<Record<string, Routes>> = { slack, notion, trello, asana }
