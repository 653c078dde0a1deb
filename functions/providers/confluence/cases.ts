import { type ProviderCases } from '../../../test/support/provider-contracts/cases.ts'

const onboardingPages = {
  pages: [
    {
      title: 'Onboarding',
      space: 'People',
      excerpt: 'Welcome! Your first week & more',
      modified: '2026-11-12T09:00:00.000Z',
      link: 'https://example.atlassian.net/wiki/spaces/HR/pages/98765/Onboarding',
      id: '98765',
    },
  ],
  more: false,
}

const pageRequests = [
  { endpoint: 'GET /account/accessible-resources' },
  {
    endpoint: 'GET /9d1f6a52-0000-4000-8000-1c1c1c1c1c1c/wiki/api/v2/pages/98765',
    query: { 'body-format': 'storage' },
  },
]

export const cases: ProviderCases = {
  roundTrips: {
    search_pages: { input: { query: 'on "boarding' }, finds: '"pages":[]' },
    read_page: { input: { pageId: '98765' }, finds: 'first week & more' },
  },
  reads: [
    [
      'search_pages',
      { query: 'onboarding' },
      'https://example.atlassian.net/wiki/spaces/HR/pages/98765/Onboarding',
    ],
    ['search_pages', {}, 'Your first week & more'],
  ],
  requests: [
    {
      tool: 'search_pages',
      input: {},
      requests: [
        { endpoint: 'GET /account/accessible-resources' },
        {
          endpoint: 'GET /9d1f6a52-0000-4000-8000-1c1c1c1c1c1c/wiki/rest/api/search',
          query: { cql: 'type = page ORDER BY lastmodified DESC', limit: '20' },
        },
      ],
      result: onboardingPages,
    },
    {
      tool: 'search_pages',
      input: { query: 'onboarding', site: 'example', limit: 1 },
      requests: [
        { endpoint: 'GET /account/accessible-resources' },
        {
          endpoint: 'GET /9d1f6a52-0000-4000-8000-1c1c1c1c1c1c/wiki/rest/api/search',
          query: { cql: 'type = page AND siteSearch ~ "onboarding"', limit: '1' },
        },
      ],
      result: onboardingPages,
    },
    {
      tool: 'read_page',
      input: { pageId: '98765' },
      requests: pageRequests,
      result: { title: 'Onboarding', text: 'Welcome!\nYour first week & more' },
    },
    {
      tool: 'read_page',
      input: { pageId: '98765', site: 'EXAMPLE' },
      requests: pageRequests,
      result: { title: 'Onboarding', text: 'Welcome!\nYour first week & more' },
    },
  ],
  responses: [
    {
      tool: 'read_page',
      input: { pageId: '1' },
      case: 'a page without a text',
      responses: [['/wiki/api/v2/pages/1', { id: '1', title: 'A', body: {} }]],
      result: { title: 'A', text: '' },
    },
    {
      tool: 'search_pages',
      case: 'pages with little in them, and more of them',
      responses: [
        [
          '/search',
          {
            results: [{ title: '@@@hl@@@A@@@endhl@@@ B' }, { title: 'C', excerpt: 'x'.repeat(400) }],
            totalSize: 3,
          },
        ],
      ],
      result: {
        pages: [
          { title: 'A B', space: '', excerpt: '', link: 'https://example.atlassian.net/wiki' },
          {
            title: 'C',
            space: '',
            excerpt: `${'x'.repeat(300)}…`,
            link: 'https://example.atlassian.net/wiki',
          },
        ],
        more: true,
      },
    },
    {
      tool: 'search_pages',
      case: 'no word of how many there are',
      responses: [['/search', { results: [] }]],
      result: { pages: [], more: false },
    },
    // https://confluence.atlassian.com/doc/confluence-storage-format-790796544.html: code is character data of XML
    {
      tool: 'read_page',
      input: { pageId: '98765' },
      case: 'blocks of code',
      responses: [
        [
          '/pages/98765',
          {
            title: 'Setup',
            body: {
              storage: {
                value:
                  '<p>Run:</p><ac:structured-macro ac:name="code"><ac:plain-text-body><![CDATA[npm i && a > b\nif (a < b) <p hidden>]]></ac:plain-text-body></ac:structured-macro><p>Done<![CDATA[ now</p>',
              },
            },
          },
        ],
      ],
      result: { title: 'Setup', text: 'Run:\nnpm i && a > b\nif (a < b) <p hidden>\nDone\nnow</p>' },
    },
    {
      tool: 'read_page',
      input: { pageId: '1' },
      case: 'a long page',
      responses: [
        [
          '/wiki/api/v2/pages/1',
          { title: 'x'.repeat(400), body: { storage: { value: `<p>${'y'.repeat(9000)}</p>` } } },
        ],
      ],
      result: { title: `${'x'.repeat(300)}…`, text: `${'y'.repeat(8000)}…` },
    },
  ],
  chat: { reads: [['Search the Confluence pages for "Onboarding"', 'search_pages', 'Onboarding']] },
}
