import * as z from 'zod'
import {
  type Contract,
  withExample,
  strictObject,
  nonEmptyText,
} from '../../../test/support/provider-contracts/contract.ts'

const plain = (status: number, body: string) => ({ status, headers: { 'content-type': 'text/plain' }, body })
const lookup = strictObject({ filter: nonEmptyText.optional(), fields: nonEmptyText.optional() })
const listId = withExample(z.string(), 'l2')
// fields that were asked for are there; all but the id are optional otherwise
const card = z.object({
  id: nonEmptyText,
  name: z.string(),
  desc: z.string().optional(),
  due: z.iso.datetime().nullish(),
  idList: listId,
  shortUrl: z.url().optional(),
})

/** https://developer.atlassian.com/cloud/trello/rest/ */
export const contract: Contract = {
  sources: [
    {
      name: 'trello.js (schemas checked against the API)',
      url: 'https://github.com/MrRefactoring/trello.js',
      version: '2.2.0',
      checkedOn: '2026-11-21',
    },
    {
      name: 'The Trello REST API',
      url: 'https://developer.atlassian.com/cloud/trello/rest/',
      version: '1',
      checkedOn: '2026-11-20',
    },
  ],
  api: {
    version: '1',
    supportedUntil: null,
    source: 'https://developer.atlassian.com/cloud/trello/changelog/',
  },
  keyScopes: ['read', 'write'],
  operations: {
    'GET /members/me': {
      scopes: ['read'],
      response: z.object({ id: nonEmptyText, username: z.string().optional() }),
    },
    'GET /members/me/boards': {
      scopes: ['read'],
      query: lookup,
      response: z.array(z.object({ id: nonEmptyText, name: z.string(), url: z.url().optional() })),
    },
    'GET /boards/:id/lists': {
      scopes: ['read'],
      query: lookup,
      response: z.array(z.object({ id: listId, name: withExample(z.string(), 'Done') })),
    },
    'GET /boards/:id/cards': { scopes: ['read'], query: lookup, response: z.array(card) },
    'POST /cards': {
      scopes: ['write'],
      body: strictObject({
        idList: nonEmptyText,
        name: z.string().max(16_384).optional(),
        desc: z.string().max(16_384).optional(),
        pos: z.union([z.enum(['top', 'bottom']), z.number().positive()]).optional(),
      }),
      response: card,
    },
  },
  invalid: (message) => plain(400, message),
  forbidden: () => plain(401, 'unauthorized permission requested'),
  notFound: () => plain(404, 'Cannot find this path'),
}
