import { expect } from 'vitest'
import { type ProviderCases } from '../../../test/support/provider-contracts/cases.ts'

const homePage = {
  name: 'Home page',
  modified: '2026-11-15T10:00:00Z',
  pages: [
    { name: 'Cover', id: '0:1' },
    { name: 'Hero', id: '2:7' },
  ],
}

export const cases: ProviderCases = {
  roundTrips: {
    read_file: {
      input: { link: 'https://www.figma.com/design/AbCdEf1234567890/Home?node-id=0-1' },
      finds: 'Hero',
    },
    list_comments: { input: { link: 'AbCdEf1234567890' }, finds: 'More air around the logo' },
  },
  requests: [
    {
      tool: 'read_file',
      input: { link: 'AbCdEf1234567890' },
      requests: [{ endpoint: 'GET /files/AbCdEf1234567890', query: { depth: '1' } }],
      result: homePage,
    },
    {
      tool: 'read_file',
      input: { link: 'https://www.figma.com/design/AbCdEf1234567890/Home?node-id=0-1' },
      requests: [{ endpoint: 'GET /files/AbCdEf1234567890', query: { depth: '1' } }],
      result: homePage,
    },
    {
      tool: 'list_comments',
      input: { link: 'https://www.figma.com/board/AbCdEf1234567890/Home' },
      requests: [{ endpoint: 'GET /files/AbCdEf1234567890/comments' }],
      result: {
        comments: [
          {
            from: 'Ann',
            text: 'More air around the logo',
            at: '2026-11-16T09:00:00Z',
            resolved: false,
            id: '9',
          },
        ],
        more: false,
      },
    },
  ],
  responses: [
    {
      tool: 'read_file',
      input: { link: 'AbCdEf1234567890' },
      case: 'a file without pages',
      responses: [['/AbCdEf1234567890', { name: 'A', lastModified: '2026-11-01T00:00:00Z', document: {} }]],
      result: { name: 'A', modified: '2026-11-01T00:00:00Z', pages: [] },
    },
    {
      tool: 'list_comments',
      input: { link: 'AbCdEf1234567890' },
      case: '51 comments',
      responses: [
        [
          '/comments',
          {
            comments: Array.from({ length: 51 }, (_, at) => ({
              id: String(at),
              message: 'm'.repeat(501),
              user: { handle: 'ann' },
              created_at: '2026-11-01T00:00:00Z',
              ...(at === 1 && { resolved_at: '2026-11-02T00:00:00Z' }),
            })),
          },
        ],
      ],
      result: {
        comments: Array.from({ length: 50 }, (_, at) => ({
          from: 'ann',
          text: `${'m'.repeat(500)}…`,
          at: '2026-11-01T00:00:00Z',
          resolved: at === 1,
          id: String(at),
        })),
        more: true,
      },
    },
    {
      tool: 'list_comments',
      input: { link: 'AbCdEf1234567890' },
      case: '50 comments',
      responses: [
        [
          '/comments',
          {
            comments: Array.from({ length: 50 }, (_, at) => ({
              id: String(at),
              message: 'm',
              user: { handle: 'ann' },
              created_at: '2026-11-01T00:00:00Z',
            })),
          },
        ],
      ],
      result: {
        comments: expect.arrayContaining([
          { from: 'ann', text: 'm', at: '2026-11-01T00:00:00Z', resolved: false, id: '49' },
        ]) as unknown,
        more: false,
      },
    },
  ],
  chat: {
    reads: [['Read the Figma file https://www.figma.com/design/AbCdEf1234567890/Home', 'read_file', 'Hero']],
  },
}
