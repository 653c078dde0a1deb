import { json } from './answer.ts'
import { type Calls, mentions, newId, newNumber, pageOf, record, text } from './calls.ts'
import type { Row } from './store.ts'

const channels: Row[] = [
  { id: 'C01GENERAL', name: 'general', is_member: true, num_members: 12, topic: { value: 'Everything' } },
  { id: 'C02RANDOM', name: 'random', is_member: true, num_members: 11, topic: { value: 'Lunch and cats' } },
]
const said: Row[] = [
  { channel: 'C01GENERAL', ts: '1763600000.000100', user: 'U1', text: 'The release is on Thursday.' },
]

const slack: Calls = {
  'GET /conversations.list': ({ query }) => {
    const { page, next } = pageOf(channels, {
      most: query.get('limit'),
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
    if (!channels.some((one) => one['id'] === id)) return json(200, { ok: false, error: 'channel_not_found' })
    const found = rows('messages', said)
      .filter(({ channel }) => channel === id)
      .toReversed()
    const { page, next } = pageOf(found, { most: query.get('limit') })
    return json(200, {
      ok: true,
      messages: page.map((one) => ({ type: 'message', ...one })),
      has_more: next !== undefined,
    })
  },
  'GET /users.list': () =>
    json(200, {
      ok: true,
      members: [
        { id: 'U1', name: 'ann', real_name: 'Ann Lee' },
        { id: 'U2', name: 'juno', real_name: 'Juno' },
      ],
    }),
  'POST /chat.postMessage': async ({ body, keep }) => {
    if (!channels.some((one) => one['id'] === body['channel']))
      return json(200, { ok: false, error: 'channel_not_found' })
    if (text(body['text']) === '') return json(200, { ok: false, error: 'no_text' })
    const ts = (Date.now() / 1_000).toFixed(6)
    const message = await keep('messages', { channel: body['channel'], ts, user: 'U2', text: body['text'] })
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
      type: 'paragraph',
      paragraph: {
        rich_text: [
          { type: 'text', plain_text: 'We meet on Mondays.', text: { content: 'We meet on Mondays.' } },
        ],
      },
    },
  ]),
]
const notionError = (status: number, code: string, message: string) =>
  json(status, { object: 'error', status, code, message })

const notion: Calls = {
  'GET /users/me': () => json(200, { object: 'user', id: 'u-1', type: 'bot', name: 'Local stand-in' }),
  'POST /search': ({ body, headers, rows }) => {
    if (!headers['notion-version'])
      return notionError(400, 'missing_version', 'Notion-Version header should be defined')
    const words = text(body['query'])
    const found = rows('pages', pages)
      .filter(({ properties }) => mentions(properties, words))
      .toReversed()
    const { page, next } = pageOf(found, { most: Number(body['page_size'] ?? 100) })
    return json(200, { object: 'list', results: page, has_more: next !== undefined, next_cursor: null })
  },
  'GET /blocks/:id/children': ({ parts: [id], rows }) => {
    const page = rows('pages', pages).find((one) => one['id'] === id)
    if (!page) return notionError(404, 'object_not_found', `Could not find block with ID: ${id}.`)
    return json(200, { object: 'list', results: page['children'], has_more: false, next_cursor: null })
  },
  'POST /pages': async ({ body, rows, keep }) => {
    const parent = text(record(body['parent'])['page_id'])
    if (!rows('pages', pages).some(({ id }) => id === parent))
      return notionError(
        404,
        'object_not_found',
        `Could not find page with ID: ${parent}. Make sure it is shared with your integration.`,
      )
    const [part] = (record(record(body['properties'])['title'])['title'] as unknown[] | undefined) ?? []
    const children = ((body['children'] as Row[] | undefined) ?? []).map((block) => ({
      ...block,
      paragraph: {
        rich_text: ((record(block['paragraph'])['rich_text'] as Row[] | undefined) ?? []).map((one) => ({
          ...one,
          plain_text: record(one['text'])['content'],
        })),
      },
    }))
    return json(
      200,
      await keep(
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

const trello: Calls = {
  'GET /members/me': () => json(200, { id: 'm-1', username: 'local' }),
  'GET /members/me/boards': () => json(200, boards),
  'GET /boards/:id/lists': () => json(200, lists),
  'GET /boards/:id/cards': ({ rows }) => json(200, rows('cards', cards)),
  'POST /cards': async ({ body, keep }) => {
    if (!lists.some(({ id }) => id === body['idList']))
      return { status: 400, body: 'invalid value for idList' }
    const id = newId()
    return json(
      200,
      await keep('cards', {
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
const asana: Calls = {
  'GET /workspaces': () =>
    json(200, { data: [{ gid: '1', name: 'Example Ltd', resource_type: 'workspace' }], next_page: null }),
  'GET /tasks': ({ query, rows }) => {
    if (!query.get('workspace') || !query.get('assignee'))
      return json(400, { errors: [{ message: 'You should specify one of workspace and assignee' }] })
    const start = Number(query.get('offset') ?? 0)
    const { page, next } = pageOf(rows('tasks', tasks), { most: query.get('limit'), start })
    return json(200, { data: page, next_page: next === undefined ? null : { offset: String(next) } })
  },
  'POST /tasks': async ({ body, keep }) => {
    const data = record(body['data'])
    if (!data['workspace'] || !data['name'])
      return json(400, { errors: [{ message: 'workspace: Missing input' }] })
    const gid = newNumber()
    const task = {
      gid,
      name: data['name'],
      notes: data['notes'] ?? '',
      due_on: data['due_on'] ?? null,
      completed: false,
      permalink_url: `https://app.asana.com/0/0/${gid}`,
      projects: [],
    }
    return json(201, { data: await keep('tasks', task) })
  },
}

const linearIssues: Row[] = [
  {
    identifier: 'ENG-1',
    title: 'Dark mode flickers',
    url: 'https://linear.app/example/issue/ENG-1',
    updatedAt: '2026-11-17T10:00:00.000Z',
    state: { name: 'In Progress' },
    assignee: { displayName: 'ann' },
  },
]
const linear: Calls = {
  'POST ': async ({ body, rows, keep }) => {
    const query = text(body['query'])
    const variables = record(body['variables'])
    if (query.includes('teams('))
      return json(200, { data: { teams: { nodes: [{ id: 't-1', name: 'Engineering', key: 'ENG' }] } } })
    if (query.includes('issueCreate(')) {
      const input = record(variables['input'])
      if (input['teamId'] !== 't-1')
        return json(400, {
          errors: [{ message: 'Argument Validation Error', extensions: { code: 'INVALID_INPUT' } }],
        })
      const identifier = `ENG-${rows('issues', linearIssues).length + 1}`
      const issue = await keep('issues', {
        identifier,
        title: input['title'],
        url: `https://linear.app/example/issue/${identifier}`,
        updatedAt: new Date().toISOString(),
        state: { name: 'Backlog' },
        assignee: null,
      })
      return json(200, { data: { issueCreate: { success: true, issue } } })
    }
    if (!query.includes('issues('))
      return json(400, {
        errors: [{ message: 'Cannot query field', extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }],
      })
    const words = text(record(record(variables['filter'])['title'])['containsIgnoreCase'])
    const found = rows('issues', linearIssues)
      .filter(({ title }) => mentions(title, words))
      .toReversed()
    const { page, next } = pageOf(found, { most: Number(variables['first']) })
    return json(200, { data: { issues: { nodes: page, pageInfo: { hasNextPage: next !== undefined } } } })
  },
}

const cloudId = '9d1f6a52-0000-4000-8000-1c1c1c1c1c1c'
const site = (scopes: string[]): Calls => ({
  'GET /account/accessible-resources': () =>
    json(200, [{ id: cloudId, name: 'example', url: 'https://example.atlassian.net', scopes }]),
})
const issues: Row[] = [
  {
    key: 'WEB-1',
    fields: {
      summary: 'Login fails on Safari',
      status: { name: 'To Do' },
      priority: { name: 'High' },
      assignee: { displayName: 'Ann Lee' },
      updated: '2026-11-19T08:00:00.000+0000',
    },
  },
]
/** The words between quotes of a condition with `~`. */
const searched = (language: string) =>
  (/~ "((?:[^"\\]|\\.)*)"/.exec(language)?.[1] ?? '').replace(/\\(.)/g, '$1')

const jira: Calls = {
  ...site(['read:jira-work', 'write:jira-work']),
  [`GET /${cloudId}/rest/api/3/search/jql`]: ({ query, rows }) => {
    const jql = query.get('jql') ?? ''
    if (/^\s*(?:order by|$)/i.test(jql))
      return json(400, {
        errorMessages: [
          'Unbounded JQL queries are not allowed here. Please add a search restriction to your query.',
        ],
        errors: {},
      })
    const found = rows('issues', issues)
      .filter((issue) => mentions(issue, searched(jql)))
      .toReversed()
    const { page, next } = pageOf(found, {
      most: query.get('maxResults'),
      start: Number(query.get('nextPageToken') ?? 0),
    })
    return json(200, {
      issues: page,
      isLast: next === undefined,
      ...(next !== undefined && { nextPageToken: String(next) }),
    })
  },
  [`GET /${cloudId}/rest/api/3/project/search`]: () =>
    json(200, { values: [{ id: '10000', key: 'WEB', name: 'Website' }], isLast: true, total: 1 }),
  [`POST /${cloudId}/rest/api/3/issue`]: async ({ body, rows, keep }) => {
    const { project, summary, issuetype, description } = record(body['fields'])
    if (record(project)['key'] !== 'WEB')
      return json(400, { errorMessages: [], errors: { project: 'valid project is required' } })
    if (text(summary) === '' || text(record(issuetype)['name']) === '')
      return json(400, { errorMessages: [], errors: { summary: 'You must specify a summary of the issue.' } })
    if (typeof description === 'string')
      return json(400, {
        errorMessages: [],
        errors: {
          description: 'Operation value must be an Atlassian Document (see the Atlassian Document Format)',
        },
      })
    const key = `WEB-${rows('issues', issues).length + 1}`
    await keep('issues', {
      key,
      fields: {
        summary,
        description,
        status: { name: 'To Do' },
        priority: { name: 'Medium' },
        assignee: null,
        updated: new Date().toISOString(),
      },
    })
    return json(201, {
      id: newNumber(),
      key,
      self: `https://api.atlassian.com/ex/jira/${cloudId}/rest/api/3/issue/${key}`,
    })
  },
}

const wiki: Row[] = [
  {
    content: { id: '98765', type: 'page' },
    title: 'Onboarding',
    excerpt: 'Welcome! Your first @@@hl@@@week@@@endhl@@@ &amp; more',
    url: '/spaces/HR/pages/98765/Onboarding',
    lastModified: '2026-11-12T09:00:00.000Z',
    resultGlobalContainer: { title: 'People' },
  },
]
const confluence: Calls = {
  ...site(['search:confluence', 'read:confluence-content.all']),
  [`GET /${cloudId}/wiki/rest/api/search`]: ({ query }) => {
    const found = wiki.filter((page) => mentions(page, searched(query.get('cql') ?? '')))
    const { page } = pageOf(found, { most: query.get('limit') })
    return json(200, {
      results: page,
      start: 0,
      limit: Number(query.get('limit')),
      size: page.length,
      totalSize: found.length,
    })
  },
  [`GET /${cloudId}/wiki/rest/api/content/:id`]: ({ parts: [id] }) =>
    id === '98765'
      ? json(200, {
          id,
          type: 'page',
          title: 'Onboarding',
          body: {
            storage: { value: '<p>Welcome!</p><p>Your first week &amp; more</p>', representation: 'storage' },
          },
        })
      : json(404, { statusCode: 404, message: `No content found with id: ContentId{id=${id}}` }),
}

const repository = {
  full_name: 'ann/website',
  description: 'The website',
  private: true,
  html_url: 'https://github.com/ann/website',
  updated_at: '2026-11-18T09:00:00Z',
  open_issues_count: 1,
}
const gitIssues: Row[] = [
  {
    number: 1,
    title: 'Broken link in the footer',
    state: 'open',
    html_url: 'https://github.com/ann/website/issues/1',
    user: { login: 'ann' },
    body: 'It points nowhere.',
    repository,
  },
]
const ofRepository = 'ann/website'
const github: Calls = {
  'GET /user/repos': ({ query }) => json(200, pageOf([repository], { most: query.get('per_page') }).page),
  'GET /issues': ({ query, rows }) =>
    json(200, pageOf(rows('issues', gitIssues).toReversed(), { most: query.get('per_page') }).page),
  'GET /repos/:owner/:name/issues': ({ parts, query, rows }) =>
    parts.join('/') === ofRepository
      ? json(200, pageOf(rows('issues', gitIssues).toReversed(), { most: query.get('per_page') }).page)
      : json(404, { message: 'Not Found', documentation_url: 'https://docs.github.com/rest' }),
  'POST /repos/:owner/:name/issues': async ({ parts, body, rows, keep }) => {
    if (parts.join('/') !== ofRepository) return json(404, { message: 'Not Found' })
    if (text(body['title']) === '')
      return json(422, { message: 'Validation Failed', errors: [{ field: 'title', code: 'missing_field' }] })
    const number = rows('issues', gitIssues).length + 1
    return json(
      201,
      await keep('issues', {
        number,
        title: body['title'],
        state: 'open',
        html_url: `https://github.com/ann/website/issues/${number}`,
        user: { login: 'you' },
        body: body['body'],
        repository,
      }),
    )
  },
}

/** Providers for teams at work. */
export const workCalls: Readonly<Record<string, Calls>> = {
  slack,
  notion,
  trello,
  asana,
  linear,
  jira,
  confluence,
  github,
}
