import * as z from 'zod'
import { json } from '../../../infra/local/doubles/providers/http.ts'
import {
  type Contract,
  optionalIntUpTo,
  withExample,
  strictObject,
} from '../../../test/support/provider-contracts/contract.ts'

const date = withExample(z.string(), '2026-11-15T10:00:00Z')

/** https://developers.figma.com/docs/rest-api/ */
export const contract: Contract = {
  sources: [
    {
      name: 'figma/rest-api-spec (openapi/openapi.yaml)',
      url: 'https://github.com/figma/rest-api-spec',
      version: '0.37.0, commit af94beb, 2026-03-30',
      checkedOn: '2026-11-21',
    },
  ],
  api: {
    version: 'v1',
    supportedUntil: null,
    source: 'https://developers.figma.com/docs/rest-api/changelog/',
  },
  oauth: { pkce: true, clientAuth: 'basic' },
  readsOnly: 'the scopes that are asked for only read',
  operations: {
    'GET /files/:key': {
      scopes: ['file_content:read', 'files:read'],
      query: strictObject({ depth: optionalIntUpTo(100) }),
      response: z.object({
        name: z.string(),
        lastModified: date,
        document: z.object({ children: z.array(z.object({ id: z.string(), name: z.string() })) }),
      }),
    },
    'GET /files/:key/comments': {
      scopes: ['file_comments:read', 'files:read'],
      response: z.object({
        comments: z.array(
          z.object({
            id: z.string(),
            message: z.string(),
            user: z.object({ handle: z.string() }),
            created_at: date,
            resolved_at: date.nullable().optional(),
          }),
        ),
      }),
    },
  },
  invalid: (err) => json(400, { status: 400, err }),
  forbidden: (scopes) =>
    json(403, { status: 403, err: `Invalid scope. This endpoint requires the ${scopes.join(' or ')} scope` }),
  notFound: () => json(404, { status: 404, err: 'Not found' }),
}
