import { json } from './http.ts'
import { type Routes, newId, paginate, record, text } from './calls.ts'
import type { Row } from './store.ts'

const records: Readonly<Record<string, Row[]>> = {
  Account: [
    {
      Id: '001A',
      Name: "Acme O'Neil Ltd",
      Industry: 'Retail',
      Phone: '+1 555 0100',
      Website: 'https://acme.example',
    },
  ],
  Contact: [{ Id: '003A', Name: 'Ann Lee', Email: 'ann@example.org', Phone: null, Title: 'CTO' }],
  Lead: [{ Id: '00QA', Name: 'Ben Ito', Company: 'Ito & Sons', Email: 'ben@example.org', Status: 'Open' }],
  Opportunity: [
    { Id: '006A', Name: 'Acme renewal', StageName: 'Negotiation', Amount: 12_000, CloseDate: '2026-12-15' },
  ],
}
const soql =
  /^SELECT ([\w, ]+) FROM (\w+)(?: WHERE Name LIKE '%((?:[^'\\]|\\.)*)%')? ORDER BY LastModifiedDate DESC LIMIT (\d+)$/

const salesforce: Routes = {
  'GET /query': ({ query, rows }) => {
    const [, fields = '', object = '', like = '', limit] = soql.exec(query.get('q') ?? '') ?? []
    const initialRows = records[object]
    if (!initialRows) return json(400, [{ message: "unexpected token: 'q'", errorCode: 'MALFORMED_QUERY' }])
    const words = like.replace(/\\(.)/g, '$1')
    const found = rows(object, initialRows)
      .filter(({ Name }) => text(Name).toLowerCase().includes(words.toLowerCase()))
      .toReversed()
    const { page } = paginate(found, { limit })
    const fieldNames = fields.split(', ')
    const shown = page.map((row) => ({
      attributes: { type: object, url: `/services/data/v64.0/sobjects/${object}/${text(row['Id'])}` },
      ...Object.fromEntries(fieldNames.map((field) => [field, row[field] ?? null])),
    }))
    return json(200, { totalSize: shown.length, done: true, records: shown })
  },
  'POST /sobjects/Lead': async ({ body, saveRow }) => {
    const missing = ['LastName', 'Company'].filter((field) => text(body[field]) === '')
    if (missing.length > 0)
      return json(400, [
        {
          message: `Required fields are missing: [${missing.join(', ')}]`,
          errorCode: 'REQUIRED_FIELD_MISSING',
          fields: missing,
        },
      ])
    const Id = `00Q${newId()}`
    const Name = [text(body['FirstName']), text(body['LastName'])].filter(Boolean).join(' ')
    await saveRow('Lead', {
      Id,
      Name,
      Company: body['Company'],
      Email: body['Email'] ?? null,
      Status: 'Open',
    })
    return json(201, { id: Id, success: true, errors: [] })
  },
}

const ownNumber = '+15550100000'
const sms: Row[] = [
  {
    sid: 'SM1',
    from: '+15550100200',
    to: ownNumber,
    body: 'When do you open?',
    status: 'received',
    direction: 'inbound',
    date_sent: 'Wed, 18 Nov 2026 09:00:00 +0000',
  },
]
const twilioError = (code: number, message: string) =>
  json(400, { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status: 400 })
const twilio: Routes = {
  'GET /Accounts/:sid/Messages.json': ({ query, rows }) => {
    const { page, next } = paginate(rows('messages', sms).toReversed(), {
      limit: query.get('PageSize') ?? 50,
    })
    return json(200, {
      messages: page,
      page: 0,
      page_size: page.length,
      next_page_uri: next === undefined ? null : '/next',
    })
  },
  'GET /Accounts/:sid/IncomingPhoneNumbers.json': () =>
    json(200, {
      incoming_phone_numbers: [{ sid: 'PN1', phone_number: ownNumber, friendly_name: 'Office' }],
      page: 0,
    }),
  'POST /Accounts/:sid/Messages.json': async ({ body, saveRow }) => {
    const { To, From, Body } = body
    if (!text(To)) return twilioError(21_604, "A 'To' phone number is required.")
    if (From !== ownNumber)
      return twilioError(
        21_606,
        `The 'From' phone number ${text(From)} is not a valid, SMS-capable inbound phone number`,
      )
    if (!text(Body)) return twilioError(21_602, 'Message body is required.')
    return json(
      201,
      await saveRow('messages', {
        sid: `SM${newId()}`,
        from: From,
        to: To,
        body: Body,
        status: 'queued',
        direction: 'outbound-api',
        date_sent: null,
      }),
    )
  },
}

const audience = { id: 'a1b2c3', name: 'Newsletter', date_created: '2025-02-01T08:00:00+00:00' }
const members: Row[] = [
  { id: 'm1', email_address: 'ben@example.org', status: 'subscribed', full_name: 'Ben Ito' },
]
const mailchimp: Routes = {
  'GET /account/metadata': ({ headers }) =>
    headers['authorization']?.startsWith('OAuth ') !== true
      ? json(401, { error: 'invalid_token' })
      : json(200, {
          dc: 'us21',
          accountname: 'Example',
          api_endpoint: 'https://us21.api.mailchimp.com',
          login_url: 'https://login.mailchimp.com',
        }),
  'GET /lists': ({ rows }) =>
    json(200, {
      lists: [{ ...audience, stats: { member_count: rows('members', members).length } }],
      total_items: 1,
    }),
  'GET /lists/:id/members': ({ query, rows }) => {
    const all = rows('members', members).toReversed()
    return json(200, {
      members: paginate(all, { limit: query.get('count') ?? 10 }).page,
      list_id: audience.id,
      total_items: all.length,
    })
  },
  'POST /lists/:id/members': async ({ body, rows, saveRow }) => {
    const email = text(body['email_address'])
    const refused = (title: string, detail: string) =>
      json(400, {
        type: 'https://mailchimp.com/developer/marketing/docs/errors/',
        title,
        status: 400,
        detail,
      })
    if (!/^\S+@\S+$/.test(email)) return refused('Invalid Resource', 'Please provide a valid email address.')
    if (rows('members', members).some((one) => one['email_address'] === email))
      return refused(
        'Member Exists',
        `${email} is already a list member. Use PUT to insert or update list members.`,
      )
    return json(
      200,
      await saveRow('members', { id: newId(), email_address: email, status: body['status'], full_name: '' }),
    )
  },
}

const conversations: Row[] = [
  {
    id: '4711',
    type: 'conversation',
    title: null,
    state: 'open',
    updated_at: 1_763_540_000,
    source: {
      body: '<p>My parcel is late &amp; I am sad</p>',
      author: { name: 'Cleo Marsh', email: 'cleo@example.net' },
    },
  },
]
const intercom: Routes = {
  'GET /me': () => json(200, { type: 'admin', id: '100', name: 'You', email: 'you@example.com' }),
  'POST /conversations/search': ({ body, rows }) => {
    const { field, value } = record(body['query'])
    const replies = rows('replies')
    const all = conversations
      .filter((one) => one[text(field)] === value)
      .map((one) => {
        const last = replies.findLast(({ to }) => to === one['id'])
        return last ? { ...one, title: last['body'] } : one
      })
    const { page, next } = paginate(all, { limit: Number(record(body['pagination'])['per_page'] ?? 20) })
    return json(200, {
      type: 'conversation.list',
      conversations: page,
      pages: { type: 'pages', page: 1, next: next === undefined ? null : { starting_after: String(next) } },
      total_count: all.length,
    })
  },
  'POST /conversations/:id/reply': async ({ pathParams: [id], body, saveRow }) => {
    const found = conversations.find((one) => one['id'] === id)
    const error = (status: number, code: string, message: string) =>
      json(status, { type: 'error.list', errors: [{ code, message }] })
    if (!found) return error(404, 'not_found', 'Conversation not found')
    if (body['type'] !== 'admin' || body['admin_id'] !== '100' || !text(body['body']))
      return error(400, 'parameter_invalid', 'admin_id or body missing')
    await saveRow('replies', { to: id, body: body['body'] })
    return json(200, found)
  },
}

/** Providers for sales and customers. */
export const customerRoutes: Readonly<Record<string, Routes>> = { salesforce, twilio, mailchimp, intercom }
