import * as z from 'zod'
import { json } from '../../../infra/local/doubles/providers/http.ts'
import {
  type Contract,
  optionalIntUpTo,
  withExample,
  strictObject,
  nonEmptyText,
  time,
} from '../../../test/support/provider-contracts/contract.ts'

const taskFields = ['name', 'notes', 'due_on', 'completed', 'permalink_url', 'projects.name']
const optionalFields = nonEmptyText.refine((list) =>
  list.split(',').every((field) => taskFields.includes(field)),
)
const page = { limit: optionalIntUpTo(100), offset: nonEmptyText.optional() }
const nextPage = { next_page: z.object({ offset: z.string() }).nullable().optional() }
/** the OpenAPI file declares no field as required; an id is always there, what `opt_fields` asks for may be missing */
const task = z.object({
  gid: z.string(),
  name: z.string().optional(),
  notes: z.string().optional(),
  due_on: withExample(z.string(), '2026-12-04').nullable().optional(),
  completed: z.boolean().optional(),
  permalink_url: withExample(z.string(), 'https://app.asana.com/1/12345/task/1').optional(),
  projects: z.array(z.object({ name: z.string().optional() })).optional(),
})

/** https://developers.asana.com/reference/gettasks */
export const contract: Contract = {
  sources: [
    {
      name: 'Asana/openapi (defs/asana_oas.yaml)',
      url: 'https://github.com/Asana/openapi',
      version: 'commit fc9f8dc, 2026-06-11',
      checkedOn: '2026-11-21',
    },
  ],
  api: { version: '1.0', supportedUntil: null, source: 'https://developers.asana.com/docs/deprecations' },
  unverified: ['whether the names of a task’s projects are sent without projects:read'],
  oauth: { pkce: true },
  operations: {
    'GET /workspaces': {
      scopes: ['workspaces:read', 'default'],
      query: strictObject(page),
      response: z.object({ data: z.array(z.object({ gid: z.string(), name: z.string() })), ...nextPage }),
    },
    'GET /tasks': {
      scopes: ['tasks:read', 'default'],
      query: strictObject({
        assignee: nonEmptyText,
        workspace: nonEmptyText,
        completed_since: z.union([z.literal('now'), time]).optional(),
        opt_fields: optionalFields.optional(),
        ...page,
      }),
      response: z.object({ data: z.array(task), ...nextPage }),
    },
    'POST /tasks': {
      scopes: ['tasks:write', 'default'],
      query: strictObject({ opt_fields: optionalFields.optional() }),
      body: strictObject({
        data: strictObject({
          name: nonEmptyText,
          notes: z.string().optional(),
          due_on: z.iso.date().optional(),
          assignee: nonEmptyText.optional(),
          workspace: nonEmptyText,
        }),
      }),
      response: z.object({ data: task }),
    },
  },
  invalid: (message) => json(400, { errors: [{ message }] }),
  forbidden: (scopes) =>
    json(403, { errors: [{ message: `Forbidden: insufficient scope, requires ${scopes[0] ?? ''}` }] }),
  notFound: () => json(404, { errors: [{ message: 'No matching route for request' }] }),
}
