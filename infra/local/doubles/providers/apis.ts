import { type ProviderResponse, json } from './http.ts'
import { type Routes, mentions, newId, newNumericId, paginate, record, text } from './calls.ts'
import type { Row } from './store.ts'

const ok = (value: unknown): ProviderResponse => json(200, value)

/** The error of a GraphQL API. */
const graphqlError = (message: string, code: string) => ({ errors: [{ message, extensions: { code } }] })

const cloudId = '9d1f6a52-0000-4000-8000-1c1c1c1c1c1c'
/** The words between quotes of a condition with `~`, of Atlassian's query languages. */
const parseSearchWords = (query: string | null) =>
  (/~ "((?:[^"\\]|\\.)*)"/.exec(query ?? '')?.[1] ?? '').replace(/\\(.)/g, '$1')

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

/** Why the app may not use a channel of Slack. */
function refuseChannel(channels: Row[], id: unknown) {
  const channel = channels.find((one) => one['id'] === id)
  if (channel?.['is_member'] === true) return undefined
  return ok({ ok: false, error: channel ? 'not_in_channel' : 'channel_not_found' })
}

/** The time, or the day, at which an event starts. */
const getStart = (event: Row) => text(record(event['start'])['dateTime'] ?? record(event['start'])['date'])

const odata = (rows: Row[], query: URLSearchParams) => {
  const { page, next } = paginate(rows, query.get('$top') ?? 10, query.get('$skip'))
  const link = `https://graph.microsoft.com/v1.0/me?$skip=${next}`
  return ok({ value: page, ...(next !== undefined && { '@odata.nextLink': link }) })
}

const stripeList = (rows: Row[], query: URLSearchParams) => {
  const start = rows.findIndex(({ id }) => id === query.get('starting_after')) + 1
  const { page, next } = paginate(rows, query.get('limit') ?? 10, start)
  return ok({ object: 'list', data: page, has_more: next !== undefined })
}

const soql =
  /^SELECT ([\w, ]+) FROM (\w+)(?: WHERE Name LIKE '%((?:[^'\\]|\\.)*)%')? ORDER BY LastModifiedDate DESC LIMIT (\d+)$/

/**
 * The APIs of providers over rows: what is written is in the next list. Requests that a provider refuses for their form are refused by its
 * contract in tests; here are the refusals that depend on what there is.
 */
export const apis: Readonly<Record<string, Routes>> = {
  slack: {
    'GET /conversations.list': ({ query, rows }) => {
      const { page, next } = paginate(rows('channels'), query.get('limit'), query.get('cursor'))
      return ok({ ok: true, channels: page, response_metadata: { next_cursor: next ?? '' } })
    },
    'GET /conversations.history': ({ query, rows }) => {
      const found = rows('messages').filter(({ channel }) => channel === query.get('channel'))
      const { page, next } = paginate(found.toReversed(), query.get('limit'))
      const messages = page.map((one) => ({ type: 'message', ...one }))
      return (
        refuseChannel(rows('channels'), query.get('channel')) ??
        ok({ ok: true, messages, has_more: next !== undefined })
      )
    },
    'GET /users.info': ({ query, rows }) => {
      const user = rows('people').find(({ id }) => id === query.get('user'))
      return ok(user ? { ok: true, user } : { ok: false, error: 'user_not_found' })
    },
    'POST /chat.postMessage': async ({ body: { channel, text: said }, rows, saveRow }) => {
      const refused = refuseChannel(rows('channels'), channel)
      if (refused) return refused
      const ts = (Date.now() / 1_000).toFixed(6)
      const message = await saveRow('messages', { channel, ts, user: 'U2', text: said })
      return ok({ ok: true, channel, ts, message })
    },
  },
  notion: {
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
  trello: {
    'GET /boards/:id/lists': ({ rows }) => ok(rows('lists')),
    'GET /boards/:id/cards': ({ rows }) => ok(rows('cards')),
    'POST /cards': async ({ body: { name, desc = '', idList }, rows, saveRow }) => {
      if (!rows('lists').some(({ id }) => id === idList))
        return { status: 400, body: 'invalid value for idList' }
      const id = newId()
      const shortUrl = `https://trello.com/c/${id}`
      return ok(await saveRow('cards', { id, name, desc, due: null, idList, shortUrl }))
    },
  },
  asana: {
    'GET /tasks': ({ query, rows }) => {
      const { page, next } = paginate(rows('tasks'), query.get('limit'), query.get('offset'))
      return ok({ data: page, next_page: next === undefined ? null : { offset: next } })
    },
    'POST /tasks': async ({ body, saveRow }) => {
      const { name, notes = '', due_on = null } = record(body['data'])
      const gid = newNumericId()
      const permalink_url = `https://app.asana.com/0/0/${gid}`
      const task = { gid, name, notes, due_on, completed: false, permalink_url, projects: [] }
      return json(201, { data: await saveRow('tasks', task) })
    },
  },
  linear: {
    'POST ': async ({ body, rows, saveRow }) => {
      const query = text(body['query'])
      const { input, filter, first } = record(body['variables'])
      if (query.includes('teams('))
        return ok({ data: { teams: { nodes: [{ id: 't-1', name: 'Engineering', key: 'ENG' }] } } })
      if (!query.includes('issueCreate(')) {
        const words = text(record(record(filter)['title'])['containsIgnoreCase'])
        const found = rows('issues').filter(({ title }) => mentions(title, words))
        const { page, next } = paginate(found.toReversed(), first)
        return ok({ data: { issues: { nodes: page, pageInfo: { hasNextPage: next !== undefined } } } })
      }
      const { teamId, title } = record(input)
      if (teamId !== 't-1') return json(400, graphqlError('Argument Validation Error', 'INVALID_INPUT'))
      const identifier = `ENG-${rows('issues').length + 1}`
      const issue = await saveRow('issues', {
        identifier,
        title,
        url: `https://linear.app/example/issue/${identifier}`,
        updatedAt: new Date().toISOString(),
        state: { name: 'Backlog' },
        assignee: null,
      })
      return ok({ data: { issueCreate: { success: true, issue } } })
    },
  },
  jira: {
    [`GET /${cloudId}/rest/api/3/search/jql`]: ({ query, rows }) => {
      const jql = query.get('jql') ?? ''
      if (/^\s*(?:order by|$)/i.test(jql))
        return json(400, { errorMessages: ['Unbounded JQL queries are not allowed here.'], errors: {} })
      const found = rows('issues').filter((issue) => mentions(issue, parseSearchWords(jql)))
      const { page, next } = paginate(found.toReversed(), query.get('maxResults'), query.get('nextPageToken'))
      return ok({
        issues: page,
        isLast: next === undefined,
        ...(next !== undefined && { nextPageToken: next }),
      })
    },
    [`POST /${cloudId}/rest/api/3/issue`]: async ({ body, rows, saveRow }) => {
      const { project, summary, description } = record(body['fields'])
      if (record(project)['key'] !== 'WEB')
        return json(400, { errorMessages: [], errors: { project: 'valid project is required' } })
      const key = `WEB-${rows('issues').length + 1}`
      const updated = new Date().toISOString()
      const fields = { summary, description, status: { name: 'To Do' }, priority: { name: 'Medium' } }
      await saveRow('issues', { key, fields: { ...fields, assignee: null, updated } })
      const self = `https://api.atlassian.com/ex/jira/${cloudId}/rest/api/3/issue/${key}`
      return json(201, { id: newNumericId(), key, self })
    },
  },
  confluence: {
    [`GET /${cloudId}/wiki/rest/api/search`]: ({ query, rows }) => {
      const found = rows('pages').filter((page) => mentions(page, parseSearchWords(query.get('cql'))))
      const { page } = paginate(found, query.get('limit'))
      const limit = Number(query.get('limit'))
      return ok({ results: page, start: 0, limit, size: page.length, totalSize: found.length })
    },
  },
  github: {
    'GET /user/repos': ({ query, rows }) => ok(paginate(rows('repositories'), query.get('per_page')).page),
    'GET /issues': ({ query, rows }) => ok(paginate(rows('issues').toReversed(), query.get('per_page')).page),
    'GET /repos/:owner/:name/issues': ({ pathParams, query, rows }) =>
      rows('repositories').some((one) => one['full_name'] === pathParams.join('/'))
        ? ok(paginate(rows('issues').toReversed(), query.get('per_page')).page)
        : json(404, { message: 'Not Found' }),
    'POST /repos/:owner/:name/issues': async ({ pathParams, body: { title, body }, rows, saveRow }) => {
      const repository = rows('repositories').find((one) => one['full_name'] === pathParams.join('/'))
      if (!repository) return json(404, { message: 'Not Found' })
      const number = rows('issues').length + 1
      const html_url = `${text(repository['html_url'])}/issues/${number}`
      const issue = { number, title, state: 'open', html_url, user: { login: 'you' }, body, repository }
      return json(201, await saveRow('issues', issue))
    },
  },
  'google-calendar': {
    'GET /calendars/primary/events': ({ query, rows }) => {
      const from = Date.parse(query.get('timeMin') ?? '1970-01-01')
      const until = Date.parse(query.get('timeMax') ?? '9999-01-01')
      const startMs = (event: Row) => Date.parse(getStart(event))
      const found = rows('events')
        .filter((event) => startMs(event) >= from && startMs(event) < until)
        .filter((event) => mentions(event, query.get('q') ?? ''))
        .toSorted((a, b) => startMs(a) - startMs(b))
      const { page, next } = paginate(found, query.get('maxResults') ?? 250, query.get('pageToken'))
      return ok({
        kind: 'calendar#events',
        items: page,
        ...(next !== undefined && { nextPageToken: next }),
      })
    },
    'POST /calendars/primary/events': async ({ body, saveRow }) => {
      const id = newId()
      const htmlLink = `https://www.google.com/calendar/event?eid=${id}`
      return ok(await saveRow('events', { ...body, id, status: 'confirmed', htmlLink }))
    },
  },
  'microsoft-graph': {
    'GET /me/mailFolders/inbox/messages': ({ query, rows }) => {
      const words = (query.get('$search') ?? '').replaceAll('"', '')
      return odata(
        rows('mails').filter((mail) => mentions(mail, words)),
        query,
      )
    },
    'GET /me/calendarView': ({ query, rows }) => {
      const from = query.get('startDateTime') ?? ''
      const until = query.get('endDateTime') ?? ''
      // times without a zone, with seven digits after the second
      const events = rows('events').map((event) => ({
        ...event,
        ...Object.fromEntries(
          ['start', 'end'].map((name) => {
            const time = record(event[name])
            return [name, { ...time, dateTime: text(time['dateTime']).replace('Z', '0000') }]
          }),
        ),
      }))
      return odata(
        events.filter((event: Row) => getStart(event) >= from && getStart(event) < until),
        query,
      )
    },
    'GET /me/drive/root/children': ({ query, rows }) => odata(rows('files'), query),
    'GET /me/drive/root/:search': ({ pathParams: [segment = ''], query, rows }) => {
      const words = /^search\(q='(.*)'\)$/.exec(segment)?.[1] ?? ''
      return odata(
        rows('files').filter(({ name }) => mentions(name, words)),
        query,
      )
    },
  },
  zoom: {
    'GET /users/me/meetings': ({ query, rows }) => {
      const all = rows('meetings')
      const { page, next = '' } = paginate(all, query.get('page_size') ?? 30, query.get('next_page_token'))
      // times without milliseconds
      const meetings = page.map((one) => ({
        ...one,
        start_time: text(one['start_time']).replace('.000', ''),
      }))
      return ok({ page_size: page.length, total_records: all.length, next_page_token: next, meetings })
    },
    'POST /users/me/meetings': async ({ body, saveRow }) => {
      const id = 86_000_000_000 + Number(newNumericId().slice(-9))
      const join_url = `https://zoom.us/j/${id}`
      return json(201, await saveRow('meetings', { ...body, id, uuid: newId(), timezone: 'UTC', join_url }))
    },
  },
  salesforce: {
    'GET /query': ({ query, rows }) => {
      const [, fields = '', type = '', like = '', limit] = soql.exec(query.get('q') ?? '') ?? []
      const words = like.replace(/\\(.)/g, '$1')
      const found = rows(type).filter(({ Name }) => mentions(Name, words))
      const records = paginate(found.toReversed(), limit).page.map((row) => ({
        attributes: { type, url: `/services/data/v64.0/sobjects/${type}/${text(row['Id'])}` },
        ...Object.fromEntries(fields.split(', ').map((field) => [field, row[field] ?? null])),
      }))
      return ok({ totalSize: records.length, done: true, records })
    },
    'POST /sobjects/Lead': async ({ body: { FirstName, LastName, Company, Email = null }, saveRow }) => {
      const Id = `00Q${newId()}`
      const Name = [text(FirstName), text(LastName)].filter(Boolean).join(' ')
      await saveRow('Lead', { Id, Name, Company, Email, Status: 'Open' })
      return json(201, { id: Id, success: true, errors: [] })
    },
  },
  twilio: {
    'GET /Accounts/:sid/Messages.json': ({ query, rows }) => {
      const { page, next } = paginate(rows('messages').toReversed(), query.get('PageSize') ?? 50)
      const next_page_uri = next === undefined ? null : '/next'
      return ok({ messages: page, page: 0, page_size: page.length, next_page_uri })
    },
    'POST /Accounts/:sid/Messages.json': async ({ body: { To: to, From: from, Body: body }, saveRow }) => {
      if (from !== '+15550100000')
        return json(400, {
          code: 21_606,
          message: `The 'From' phone number ${text(from)} is not a valid, SMS-capable inbound phone number`,
          more_info: 'https://www.twilio.com/docs/errors/21606',
          status: 400,
        })
      const sms = { sid: `SM${newId()}`, from, to, body, status: 'queued', direction: 'outbound-api' }
      return json(201, await saveRow('messages', { ...sms, date_sent: null }))
    },
  },
  mailchimp: {
    'GET /lists': ({ rows }) =>
      ok({
        lists: [
          {
            id: 'a1b2c3',
            name: 'Newsletter',
            date_created: '2025-02-01T08:00:00+00:00',
            stats: { member_count: rows('members').length },
          },
        ],
        total_items: 1,
      }),
    'GET /lists/:id/members': ({ pathParams: [list_id], query, rows }) => {
      const all = rows('members').toReversed()
      const { page } = paginate(all, query.get('count') ?? 10)
      return ok({ members: page, list_id, total_items: all.length })
    },
    'POST /lists/:id/members': async ({ body: { email_address, status }, rows, saveRow }) => {
      if (rows('members').some((one) => one['email_address'] === email_address))
        return json(400, {
          type: 'https://mailchimp.com/developer/marketing/docs/errors/',
          title: 'Member Exists',
          status: 400,
          detail: `${text(email_address)} is already a list member. Use PUT to insert or update list members.`,
        })
      return ok(await saveRow('members', { id: newId(), email_address, status, full_name: '' }))
    },
  },
  intercom: {
    'POST /conversations/search': ({ body, rows }) => {
      const { field, value } = record(body['query'])
      const all = rows('conversations')
        .filter((one) => one[text(field)] === value)
        .map((one) => {
          const last = rows('replies').findLast(({ to }) => to === one['id'])
          return last ? { ...one, title: last['body'] } : one
        })
      const { page, next } = paginate(all, record(body['pagination'])['per_page'])
      return ok({
        type: 'conversation.list',
        conversations: page,
        pages: { type: 'pages', page: 1, next: next === undefined ? null : { starting_after: next } },
        total_count: all.length,
      })
    },
    'POST /conversations/:id/reply': async ({ pathParams: [id], body, rows, saveRow }) => {
      const found = rows('conversations').find((one) => one['id'] === id)
      const errors = [{ code: 'not_found', message: 'Conversation not found' }]
      if (!found) return json(404, { type: 'error.list', errors })
      await saveRow('replies', { to: id, body: body['body'] })
      return ok(found)
    },
  },
  shopify: {
    'POST ': ({ body, rows }) => {
      const { first, query: search } = record(body['variables'])
      const kind = /\b(products|orders)\(/.exec(text(body['query']))?.[1]
      if (!kind) return ok(graphqlError("Field doesn't exist on type 'QueryRoot'", 'undefinedField'))
      const words = text(search).replace(/^"|"$/g, '').replace(/\\(.)/g, '$1')
      const found = rows(kind).filter((row) => mentions(row, words))
      const { page, next } = paginate(found, first)
      return ok({
        data: { [kind]: { nodes: page, pageInfo: { hasNextPage: next !== undefined } } },
        extensions: { cost: { requestedQueryCost: 4 } },
      })
    },
  },
  stripe: {
    'GET /payment_intents': ({ query, rows }) => stripeList(rows('payments'), query),
    'GET /customers': ({ query, rows }) => {
      const email = query.get('email')
      const found = rows('customers').filter((one) => email === null || one['email'] === email)
      return stripeList(found.toReversed(), query)
    },
    'POST /customers': async ({ headers, body: { name = null, email = null }, rows, saveRow }) => {
      const key = headers['idempotency-key']
      const before = rows('customers').find((one) => key !== undefined && one['key'] === key)
      const created = Math.floor(Date.now() / 1_000)
      const customer = { id: `cus_${newId()}`, object: 'customer', name, email, created, key }
      return ok(before ?? (await saveRow('customers', customer)))
    },
  },
  paypal: {
    'GET /v2/invoicing/invoices': ({ query, rows }) => {
      const all = rows('invoices').toReversed()
      const items = paginate(all, query.get('page_size')).page
      return ok({ items, total_items: all.length, total_pages: 1, links: [] })
    },
    'POST /v2/invoicing/invoices': async ({ headers, body, rows, saveRow }) => {
      const { detail, items, primary_recipients } = body
      const amount = record((items as Row[])[0]?.['unit_amount'])
      const id = `INV2-${newId().toUpperCase()}`
      const invoice_number = String(rows('invoices').length + 1).padStart(4, '0')
      const invoice_date = new Date().toISOString().slice(0, 10)
      const made = await saveRow('invoices', {
        id,
        status: 'DRAFT',
        detail: { ...record(detail), invoice_number, invoice_date },
        items,
        amount,
        due_amount: amount,
        primary_recipients,
      })
      const href = `https://api-m.paypal.com/v2/invoicing/invoices/${id}`
      const link = { rel: 'self', href, method: 'GET' }
      return json(201, headers['prefer'] === 'return=representation' ? { ...made, links: [link] } : link)
    },
  },
  dropbox: {
    'POST /files/list_folder': ({ body: { path, limit = 500 }, rows }) => {
      const all = rows('files')
      if (path !== '' && !all.some((one) => one['path_display'] === path))
        return json(409, {
          error_summary: 'path/not_found/..',
          error: { '.tag': 'path', path: { '.tag': 'not_found' } },
        })
      const inside = all.filter((file) => text(file['path_display']).replace(/\/[^/]+$/, '') === path)
      const { page, next } = paginate(inside, limit)
      return ok({ entries: page, cursor: 'c', has_more: next !== undefined })
    },
    'POST /files/search_v2': ({ body, rows }) => {
      const found = rows('files').filter(({ name }) => mentions(name, text(body['query'])))
      const matches = found.map((metadata) => ({ metadata: { '.tag': 'metadata', metadata } }))
      return ok({ matches, has_more: false })
    },
    'POST /content/files/upload': async ({ headers, rawBody, rows, saveRow }) => {
      const { path, autorename } = JSON.parse(headers['dropbox-api-arg'] ?? '{}') as {
        path: string
        autorename?: boolean
      }
      const isTaken = rows('files').some((one) => one['path_display'] === path)
      if (isTaken && !autorename) return json(409, { error_summary: 'path/conflict/file/..' })
      const path_display = isTaken ? path.replace(/(\.\w+)?$/, ' (1)$1') : path
      const file = {
        id: `id:${newId()}`,
        name: path_display.split('/').at(-1),
        path_display,
        size: Buffer.byteLength(rawBody),
        server_modified: new Date().toISOString().replace(/\.\d+/, ''),
      }
      await saveRow('files', { '.tag': 'file', ...file })
      return ok(file)
    },
  },
  linkedin: {
    'POST /v2/ugcPosts': async ({ body, saveRow }) => {
      if (body['author'] !== 'urn:li:person:782bbtaQ')
        return json(403, {
          serviceErrorCode: 100,
          message: 'Not enough permissions to access: POST /ugcPosts',
          status: 403,
        })
      const id = `urn:li:share:${newNumericId()}`
      await saveRow('posts', { ...body, id })
      return { status: 201, headers: { 'x-restli-id': id } }
    },
  },
  figma: {
    'GET /files/:key': () => json(404, { status: 404, err: 'Not found' }),
    'GET /files/:key/comments': () => json(404, { status: 404, err: 'Not found' }),
  },
  typeform: {
    'GET /forms': ({ query, rows }) => {
      const items = rows('forms').filter((one) => mentions(one, query.get('search') ?? ''))
      return ok({ total_items: items.length, page_count: 1, items })
    },
    'GET /forms/:id': () => json(404, { code: 'FORM_NOT_FOUND', description: 'form not found' }),
  },
  airtable: {
    'GET /:base/:table': ({ query, rows }) => {
      const { page, next } = paginate(rows('records'), query.get('pageSize') ?? 100, query.get('offset'))
      return ok({ records: page, ...(next !== undefined && { offset: next }) })
    },
    'POST /:base/:table': async ({ body, saveRow }) => {
      const fields = record(body['fields'])
      const unknown = Object.keys(fields).find((name) => !['Title', 'Status'].includes(name))
      if (unknown !== undefined)
        return json(422, {
          error: { type: 'UNKNOWN_FIELD_NAME', message: `Unknown field name: "${unknown}"` },
        })
      const createdTime = new Date().toISOString()
      return ok(await saveRow('records', { id: `rec${newId()}`, createdTime, fields }))
    },
  },
  discord: {
    'GET /users/@me/guilds': ({ query, rows }) =>
      ok(paginate(rows('servers'), query.get('limit') ?? 200).page),
  },
  hubspot: Object.fromEntries(
    [
      { kind: 'contacts', defaults: ['email', 'firstname', 'lastname'], firstId: 501 },
      { kind: 'deals', defaults: ['dealname', 'amount', 'closedate', 'dealstage', 'pipeline'], firstId: 901 },
    ].map(({ kind, defaults, firstId }): [string, Routes[string]] => [
      `GET /crm/objects/2026-03/${kind}`,
      ({ query, rows }) => {
        const names = query.get('properties')?.split(',') ?? defaults
        const all = rows(kind).map((properties, index) => ({ id: String(firstId + index), properties }))
        const start = all.findIndex(({ id }) => id === query.get('after'))
        const { page, next } = paginate(all, query.get('limit') ?? 10, Math.max(0, start))
        const results = page.map(({ id, properties }) => ({
          id,
          properties: {
            ...Object.fromEntries(
              Object.entries(properties).filter(([property]) => names.includes(property)),
            ),
            hs_object_id: id,
          },
          createdAt: '2026-10-01T09:00:00.000Z',
          updatedAt: '2026-11-01T09:00:00.000Z',
          archived: false,
        }))
        const after = all[Number(next)]?.id
        return ok({ results, ...(after !== undefined && { paging: { next: { after } } }) })
      },
    ]),
  ),
}
