import { json } from './http.ts'
import { type Routes, mentions, newId, newNumericId, paginate, record, text } from './calls.ts'
import type { Row } from './store.ts'

const dropboxFiles: Row[] = [
  { '.tag': 'folder', id: 'id:1', name: 'Reports', path_display: '/Reports' },
  {
    '.tag': 'file',
    id: 'id:2',
    name: 'packing-list.txt',
    path_display: '/packing-list.txt',
    size: 120,
    server_modified: '2026-11-01T10:00:00Z',
  },
]
const inFolder = (file: Row, folder: string) => text(file['path_display']).replace(/\/[^/]+$/, '') === folder
const dropbox: Routes = {
  'POST /files/list_folder': ({ body, rows }) => {
    const path = text(body['path'])
    if (path === '/') return json(400, { error_summary: 'path/malformed_path/..' })
    const all = rows('files', dropboxFiles)
    if (path !== '' && !all.some((one) => one['path_display'] === path))
      return json(409, {
        error_summary: 'path/not_found/..',
        error: { '.tag': 'path', path: { '.tag': 'not_found' } },
      })
    const { page, next } = paginate(
      all.filter((file) => inFolder(file, path)),
      { limit: Number(body['limit'] ?? 500) },
    )
    return json(200, { entries: page, cursor: 'c', has_more: next !== undefined })
  },
  'POST /files/search_v2': ({ body, rows }) => {
    const found = rows('files', dropboxFiles).filter(({ name }) => mentions(name, text(body['query'])))
    return json(200, {
      matches: found.map((metadata) => ({ metadata: { '.tag': 'metadata', metadata } })),
      has_more: false,
    })
  },
  'POST /content/files/upload': async ({ headers, rawBody: content, rows, saveRow }) => {
    if (headers['content-type'] !== 'application/octet-stream')
      return { status: 400, body: 'Bad HTTP "Content-Type" header' }
    const { path, autorename } = JSON.parse(headers['dropbox-api-arg'] ?? '{}') as {
      path: string
      autorename?: boolean
    }
    const isTaken = rows('files', dropboxFiles).some((one) => one['path_display'] === path)
    if (isTaken && !autorename) return json(409, { error_summary: 'path/conflict/file/..' })
    const finalPath = isTaken ? path.replace(/(\.\w+)?$/, ' (1)$1') : path
    const file = {
      id: `id:${newId()}`,
      name: finalPath.split('/').at(-1),
      path_display: finalPath,
      size: Buffer.byteLength(content),
      server_modified: new Date().toISOString().replace(/\.\d+/, ''),
    }
    await saveRow('files', { '.tag': 'file', ...file })
    return json(200, file)
  },
}

const linkedin: Routes = {
  'GET /v2/userinfo': () =>
    json(200, {
      sub: '782bbtaQ',
      name: 'Ann Example',
      given_name: 'Ann',
      family_name: 'Example',
      email: 'ann@example.com',
      email_verified: true,
      picture: 'https://media.licdn.com/photo.jpg',
    }),
  'POST /v2/ugcPosts': async ({ headers, body, saveRow }) => {
    if (headers['x-restli-protocol-version'] !== '2.0.0' || body['author'] !== 'urn:li:person:782bbtaQ')
      return json(403, {
        serviceErrorCode: 100,
        message: 'Not enough permissions to access: POST /ugcPosts',
        status: 403,
      })
    const content = record(record(body['specificContent'])['com.linkedin.ugc.ShareContent'])
    if (!text(record(content['shareCommentary'])['text']))
      return json(422, { message: 'ERROR :: /specificContent :: field is required', status: 422 })
    const id = `urn:li:share:${newNumericId()}`
    await saveRow('posts', { ...body, id })
    return { status: 201, headers: { 'x-restli-id': id } }
  },
}

const figmaKey = 'AbCdEf1234567890'
const figmaError = { status: 404, err: 'Not found' }
const figma: Routes = {
  'GET /files/:key': ({ pathParams: [key] }) =>
    key === figmaKey
      ? json(200, {
          name: 'Home page',
          lastModified: '2026-11-15T10:00:00Z',
          version: '1',
          document: {
            id: '0:0',
            type: 'DOCUMENT',
            children: [
              { id: '0:1', name: 'Cover', type: 'CANVAS' },
              { id: '2:7', name: 'Hero', type: 'CANVAS' },
            ],
          },
        })
      : json(404, figmaError),
  'GET /files/:key/comments': ({ pathParams: [key] }) =>
    key === figmaKey
      ? json(200, {
          comments: [
            {
              id: '9',
              message: 'More air around the logo',
              user: { handle: 'Ann' },
              created_at: '2026-11-16T09:00:00Z',
              resolved_at: null,
            },
          ],
        })
      : json(404, figmaError),
}

const form = {
  id: 'u6nXL7',
  title: 'Customer survey',
  last_updated_at: '2026-11-10T09:00:00Z',
  _links: { display: 'https://example.typeform.com/to/u6nXL7' },
}
const typeform: Routes = {
  'GET /forms': ({ query }) => {
    const items = [form].filter((one) => mentions(one, query.get('search') ?? ''))
    return json(200, { total_items: items.length, page_count: 1, items })
  },
  'GET /forms/:id': ({ pathParams: [id] }) =>
    id === form.id
      ? json(200, {
          ...form,
          fields: [
            { id: 'f1', title: 'How was it?', type: 'short_text' },
            { id: 'f2', title: 'Would you come again?', type: 'yes_no' },
          ],
        })
      : json(404, { code: 'FORM_NOT_FOUND', description: 'form not found' }),
  'GET /forms/:id/responses': () =>
    json(200, {
      total_items: 1,
      page_count: 1,
      items: [
        {
          token: 'r1',
          submitted_at: '2026-11-18T10:00:00Z',
          answers: [
            { type: 'text', text: 'Lovely, thank you', field: { id: 'f1' } },
            { type: 'boolean', boolean: true, field: { id: 'f2' } },
          ],
        },
      ],
    }),
}

const base = { id: 'appAAAAAAAAAAAAA1', name: 'Projects', permissionLevel: 'create' }
const table = {
  id: 'tblAAAAAAAAAAAAA1',
  name: 'Tasks',
  primaryFieldId: 'fld1',
  fields: [
    { id: 'fld1', name: 'Title', type: 'singleLineText' },
    { id: 'fld2', name: 'Status', type: 'singleSelect' },
  ],
}
const airtableRows: Row[] = [
  {
    id: 'rec1',
    createdTime: '2026-11-01T10:00:00.000Z',
    fields: { Title: 'Write the brief', Status: 'Doing' },
  },
]
const airtable: Routes = {
  'GET /meta/whoami': () =>
    json(200, { id: 'usr1', scopes: ['data.records:read', 'data.records:write', 'schema.bases:read'] }),
  'GET /meta/bases': () => json(200, { bases: [base] }),
  [`GET /meta/bases/${base.id}/tables`]: () => json(200, { tables: [table] }),
  [`GET /${base.id}/${table.id}`]: ({ query, rows }) => {
    const { page, next } = paginate(rows('records', airtableRows), {
      limit: query.get('pageSize') ?? 100,
      start: Number(query.get('offset') ?? 0),
    })
    return json(200, { records: page, ...(next !== undefined && { offset: String(next) }) })
  },
  [`POST /${base.id}/${table.id}`]: async ({ body, saveRow }) => {
    const fields = record(body['fields'])
    const unknown = Object.keys(fields).find((name) => !table.fields.some((field) => field.name === name))
    if (unknown)
      return json(422, { error: { type: 'UNKNOWN_FIELD_NAME', message: `Unknown field name: "${unknown}"` } })
    return json(
      200,
      await saveRow('records', { id: `rec${newId()}`, createdTime: new Date().toISOString(), fields }),
    )
  },
}

const discord: Routes = {
  'GET /users/@me': () =>
    json(200, { id: '80351110224678912', username: 'ann', global_name: 'Ann', discriminator: '0' }),
  'GET /users/@me/guilds': ({ query }) =>
    json(
      200,
      paginate(
        [{ id: '197038439483310086', name: 'Board games', owner: true, approximate_member_count: 42 }],
        {
          limit: query.get('limit') ?? 200,
        },
      ).page,
    ),
}

/** Providers for files, forms, tables and profiles. */
export const contentRoutes: Readonly<Record<string, Routes>> = {
  dropbox,
  linkedin,
  figma,
  typeform,
  airtable,
  discord,
}
