import * as z from 'zod'
import { json } from '../../../infra/local/doubles/providers/http.ts'
import {
  type Contract,
  optionalIntUpTo,
  withExample,
  strictObject,
  nonEmptyText,
} from '../../../test/support/provider-contracts/contract.ts'

// https://developers.notion.com/reference/versioning: the header is required
const headers = z.looseObject({ 'notion-version': z.enum(['2022-06-28', '2025-09-03', '2026-03-11']) })
const richText = z.array(z.object({ plain_text: z.string() }))
// https://developers.notion.com/reference/request-limits: at most 100 blocks of 2,000 characters
const paragraph = strictObject({
  object: z.literal('block'),
  type: z.literal('paragraph'),
  paragraph: strictObject({
    rich_text: z.array(
      strictObject({
        type: z.literal('text'),
        text: strictObject({ content: nonEmptyText.max(2_000).refine((content) => content.isWellFormed()) }),
      }),
    ),
  }),
})
const page = z.object({
  object: z.literal('page'),
  id: withExample(z.uuid(), '11111111-2222-4333-8444-555555555555'),
  // a partial page (`PartialPageObjectResponse`) has only an id
  url: z.url().optional(),
  last_edited_time: z.iso.datetime().optional(),
  properties: withExample(
    z.record(z.string(), z.object({ id: z.string(), type: z.string(), title: richText.optional() })),
    {
      Tags: { id: 'a', type: 'multi_select' },
      Name: { id: 'title', type: 'title', title: [{ plain_text: 'Offsite' }] },
    },
  ).optional(),
})
const cursor = { has_more: z.boolean(), next_cursor: z.string().nullable() }
const failure = (status: number, code: string, message: string) =>
  json(status, { object: 'error', status, code, message })

/** https://developers.notion.com/reference */
export const contract: Contract = {
  sources: [
    {
      name: '@notionhq/client',
      url: 'https://github.com/makenotion/notion-sdk-js',
      version: '5.26.0',
      checkedOn: '2026-11-21',
    },
  ],
  api: {
    version: 'Notion-Version 2022-06-28',
    supportedUntil: null,
    source: 'https://developers.notion.com/reference/versioning',
  },
  keyScopes: [],
  operations: {
    'GET /users/me': { headers, response: z.object({ object: z.literal('user'), id: nonEmptyText }) },
    'POST /search': {
      headers,
      body: strictObject({
        query: z.string().optional(),
        filter: strictObject({
          property: z.literal('object'),
          value: z.enum(['page', 'database']),
        }).optional(),
        sort: strictObject({
          timestamp: z.literal('last_edited_time'),
          direction: z.enum(['ascending', 'descending']),
        }).optional(),
        page_size: z.number().int().min(1).max(100).optional(),
        start_cursor: nonEmptyText.optional(),
      }),
      response: z.object({ object: z.literal('list'), results: z.array(page), ...cursor }),
    },
    'GET /pages/:id': { headers, response: page },
    'GET /blocks/:id/children': {
      headers,
      query: strictObject({ page_size: optionalIntUpTo(100), start_cursor: nonEmptyText.optional() }),
      response: z.object({
        object: z.literal('list'),
        results: withExample(
          z.array(
            z.looseObject({
              object: z.literal('block'),
              id: nonEmptyText,
              // a partial block has only an id
              type: z.string().optional(),
              has_children: z.boolean().optional(),
            }),
          ),
          [
            {
              object: 'block',
              id: 'b1',
              type: 'paragraph',
              has_children: false,
              paragraph: { rich_text: [{ plain_text: 'and a hat' }] },
            },
            {
              object: 'block',
              id: 'b2',
              type: 'child_page',
              has_children: true,
              child_page: { title: 'Inside' },
            },
            {
              object: 'block',
              id: 'b3',
              type: 'table_row',
              has_children: false,
              table_row: { cells: [[{ plain_text: 'a' }], [{ plain_text: 'b' }]] },
            },
            { object: 'block', id: 'b4', type: 'divider', has_children: false, divider: {} },
            { object: 'block', id: 'b5' },
          ],
        ),
        ...cursor,
      }),
    },
    'POST /pages': {
      headers,
      body: strictObject({
        parent: strictObject({ page_id: z.uuid() }),
        properties: strictObject({
          title: strictObject({
            title: z.array(strictObject({ text: strictObject({ content: nonEmptyText.max(2_000) }) })),
          }),
        }),
        children: z.array(paragraph).max(100).optional(),
      }),
      response: page,
    },
  },
  invalid: (message) =>
    message.includes('notion-version')
      ? failure(400, 'missing_version', 'Notion-Version header failed validation')
      : failure(400, 'validation_error', message),
  forbidden: () => failure(403, 'restricted_resource', 'Insufficient permissions for this endpoint.'),
  notFound: () => failure(400, 'invalid_request_url', 'Invalid request URL.'),
}
