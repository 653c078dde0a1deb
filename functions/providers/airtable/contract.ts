import * as z from 'zod'
import { json } from '../../../infra/local/doubles/providers/http.ts'
import {
  type Contract,
  optionalIntUpTo,
  withExample,
  strictObject,
  nonEmptyText,
} from '../../../test/support/provider-contracts/contract.ts'

const failure = (status: number, type: string, message: string) => json(status, { error: { type, message } })
const record = z.object({
  id: nonEmptyText,
  createdTime: z.iso.datetime(),
  // a cell without a value is left out
  fields: z.record(z.string(), z.unknown()),
})

/** https://airtable.com/developers/web/api/introduction */
export const contract: Contract = {
  sources: [
    {
      name: 'Web API: list bases; get base schema; list records; create records',
      url: 'https://airtable.com/developers/web/api/introduction',
      version: 'v0',
      checkedOn: '2026-11-20',
    },
  ],
  api: { version: 'v0', supportedUntil: null, source: 'https://airtable.com/developers/web/api/changelog' },
  unverified: ['no machine-readable description is published'],
  keyScopes: ['data.records:read', 'data.records:write', 'schema.bases:read'],
  operations: {
    'GET /meta/whoami': { response: z.object({ id: nonEmptyText, scopes: z.array(z.string()).optional() }) },
    'GET /meta/bases': {
      scopes: ['schema.bases:read'],
      query: strictObject({ offset: nonEmptyText.optional() }),
      response: z.object({
        bases: z.array(z.object({ id: nonEmptyText, name: z.string(), permissionLevel: z.string() })),
        offset: z.string().optional(),
      }),
    },
    'GET /meta/bases/:id/tables': {
      scopes: ['schema.bases:read'],
      response: z.object({
        tables: z.array(
          z.object({
            id: nonEmptyText,
            name: z.string(),
            primaryFieldId: withExample(z.string(), 'fld1'),
            fields: z.array(
              z.object({
                id: withExample(z.string(), 'fld1'),
                name: withExample(z.string(), 'Title'),
                type: z.string(),
              }),
            ),
          }),
        ),
      }),
    },
    'GET /:base/:table': {
      scopes: ['data.records:read'],
      query: strictObject({ pageSize: optionalIntUpTo(100), offset: nonEmptyText.optional() }),
      response: z.object({ records: z.array(record), offset: z.string().optional() }),
    },
    'POST /:base/:table': {
      scopes: ['data.records:write'],
      body: strictObject({ fields: z.record(z.string(), z.unknown()), typecast: z.boolean().optional() }),
      response: record,
    },
  },
  invalid: (message) => failure(422, 'INVALID_REQUEST_UNKNOWN', `Invalid request: ${message}`),
  forbidden: () =>
    failure(
      403,
      'INVALID_PERMISSIONS_OR_MODEL_NOT_FOUND',
      'Invalid permissions, or the requested model was not found. Check that both your user and your token have the required permissions, and that the model names and/or ids are correct.',
    ),
  notFound: () => json(404, { error: 'NOT_FOUND' }),
}
