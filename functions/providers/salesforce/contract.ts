import * as z from 'zod'
import { json } from '../../../infra/local/doubles/providers/http.ts'
import {
  type Contract,
  email,
  strictObject,
  nonEmptyText,
} from '../../../test/support/provider-contracts/contract.ts'

const failure = (status: number, errorCode: string, message: string) => json(status, [{ message, errorCode }])

/** https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/ */
export const contract: Contract = {
  sources: [
    {
      name: 'REST API Developer Guide: Query; Create a Record',
      url: 'https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/',
      version: 'v64.0',
      checkedOn: '2026-11-20',
    },
  ],
  // Summer '25; each version is supported for at least three years
  api: {
    version: 'v64.0',
    supportedUntil: '2028-06-01',
    source: 'https://developer.salesforce.com/docs/atlas.en-us.api_rest.meta/api_rest/api_rest_eol.htm',
  },
  unverified: ['no machine-readable description of these two operations is published'],
  oauth: { parameters: ['prompt', 'login_hint'], scopes: ['refresh_token'], pkce: true },
  operations: {
    'GET /query': {
      scopes: ['api', 'full'],
      query: strictObject({ q: nonEmptyText }),
      // the fields that the query selects; each may be null, but Id
      response: z.object({
        totalSize: z.number().int(),
        done: z.boolean(),
        records: z.array(
          z.looseObject({
            attributes: z.object({ type: z.string(), url: z.string() }),
            Id: nonEmptyText,
            Name: z.string().nullable(),
          }),
        ),
        nextRecordsUrl: z.string().optional(),
      }),
    },
    // an unknown field is INVALID_FIELD
    'POST /sobjects/Lead': {
      scopes: ['api', 'full'],
      body: strictObject({
        LastName: nonEmptyText.max(80),
        Company: nonEmptyText.max(255),
        FirstName: nonEmptyText.max(40).optional(),
        Email: email.max(80).optional(),
      }),
      response: z.object({ id: nonEmptyText, success: z.literal(true), errors: z.array(z.unknown()) }),
    },
  },
  invalid: (message) => failure(400, 'INVALID_FIELD', message),
  forbidden: () => failure(403, 'API_DISABLED_FOR_ORG', 'The REST API is not enabled for this session.'),
  notFound: () => failure(404, 'NOT_FOUND', 'The requested resource does not exist'),
}
