import { testUnusualResponses } from '../../test/support/capability-requests.ts'

testUnusualResponses({
  github: [
    {
      tool: 'list_repositories',
      input: { limit: 1 },
      case: 'a repository with only a name, on a full page',
      responses: [['/user/repos', [{ full_name: 'a/b', html_url: 'http://x' }]]],
      result: { repositories: [{ name: 'a/b', description: '', private: false, updated: null }], more: true },
    },
    {
      tool: 'list_issues',
      input: { limit: 2 },
      case: 'an issue without a text, and a pull request, on a full page',
      responses: [
        [
          '/issues',
          [
            { number: 1, title: 'A', state: 'open', html_url: 'https://github.com/a/b/1', user: null },
            {
              number: 2,
              title: 'B',
              state: 'closed',
              html_url: 'https://github.com/a/b/2',
              user: { login: 'ann' },
              body: 'x'.repeat(400),
              pull_request: {},
              repository: { full_name: 'a/b' },
            },
          ],
        ],
      ],
      result: {
        issues: [
          {
            number: 1,
            title: 'A',
            kind: 'issue',
            state: 'open',
            repository: '',
            text: '',
            link: 'https://github.com/a/b/1',
          },
          {
            number: 2,
            title: 'B',
            kind: 'pull request',
            state: 'closed',
            by: 'ann',
            repository: 'a/b',
            text: `${'x'.repeat(300)}…`,
            link: 'https://github.com/a/b/2',
          },
        ],
        more: true,
      },
    },
    {
      tool: 'list_issues',
      input: { repository: 'a/b' },
      case: 'an issue that does not name its repository',
      responses: [
        [
          '/issues',
          [{ number: 1, title: 'A', state: 'open', html_url: 'https://github.com/a/b/1', body: null }],
        ],
      ],
      result: {
        issues: [
          {
            number: 1,
            title: 'A',
            kind: 'issue',
            state: 'open',
            repository: 'a/b',
            text: '',
            link: 'https://github.com/a/b/1',
          },
        ],
        more: false,
      },
    },
  ],
  linear: [
    {
      tool: 'create_issue',
      input: { title: 'A' },
      case: 'no issue, which may be null, but success',
      responses: [
        ['/api', { data: { teams: { nodes: [{ id: '1', name: 'One', key: 'ONE' }] } } }],
        ['/api', { data: { issueCreate: { success: true, issue: null } } }],
      ],
      result: { created: true, team: 'One' },
    },
    {
      tool: 'list_issues',
      case: 'issues with little in them, and more pages',
      responses: [
        [
          '/api',
          {
            data: {
              issues: {
                nodes: [
                  { identifier: 'E-1', title: 'A', url: 'http://x' },
                  { identifier: 'E-2', title: 'B', url: 'https://linear.app/2', state: null, assignee: null },
                ],
                pageInfo: { hasNextPage: true },
              },
            },
          },
        ],
      ],
      result: {
        issues: [
          { key: 'E-1', title: 'A', state: '', assignee: '' },
          { key: 'E-2', title: 'B', state: '', assignee: '', link: 'https://linear.app/2' },
        ],
        more: true,
      },
    },
    {
      tool: 'create_issue',
      input: { title: 'A' },
      case: 'two teams',
      responses: [
        [
          '/api',
          {
            data: {
              teams: {
                nodes: [
                  { id: '1', name: 'One', key: 'ONE' },
                  { id: '2', name: 'Two', key: 'TWO' },
                ],
              },
            },
          },
        ],
      ],
      error: 'Which team? There are "One", "Two".',
    },
    {
      tool: 'list_issues',
      case: 'the error THROTTLED',
      responses: [
        [
          '/api',
          { errors: [{ message: 'No', extensions: { code: 'THROTTLED' } }] },
          { headers: { 'retry-after': '30' } },
        ],
      ],
      error: 'Linear takes no more requests right now. Please try again in 30 seconds.',
    },
    {
      tool: 'list_issues',
      case: 'the error FORBIDDEN',
      responses: [
        [
          '/api',
          { errors: [{ message: 'No', extensions: { code: 'FORBIDDEN' } }] },
          { headers: { 'retry-after': '30' } },
        ],
      ],
      error: 'Linear does not allow this. It said: "No"',
    },
    {
      tool: 'list_issues',
      case: 'the error ACCESS_DENIED',
      responses: [
        [
          '/api',
          { errors: [{ message: 'No', extensions: { code: 'ACCESS_DENIED' } }] },
          { headers: { 'retry-after': '30' } },
        ],
      ],
      error: 'Linear does not allow this. It said: "No"',
    },
    {
      tool: 'list_issues',
      case: 'the error INTERNAL_SERVER_ERROR',
      responses: [
        [
          '/api',
          { errors: [{ message: 'No', extensions: { code: 'INTERNAL_SERVER_ERROR' } }] },
          { headers: { 'retry-after': '30' } },
        ],
      ],
      error: 'Linear has a fault of its own (500). Please try again later.',
    },
    {
      tool: 'list_issues',
      case: 'the error ANYTHING',
      responses: [
        [
          '/api',
          { errors: [{ message: 'No', extensions: { code: 'ANYTHING' } }] },
          { headers: { 'retry-after': '30' } },
        ],
      ],
      error: 'Linear refused the request (400). It said: "No"',
    },
    {
      tool: 'list_issues',
      case: 'an error without a code',
      responses: [['/api', { errors: [{ message: 'No' }] }, { status: 400 }]],
      error: 'Linear refused the request (400). It said: "No"',
    },
  ],
  jira: [
    {
      tool: 'search_issues',
      case: 'null in every field that may have it, and no token on the last page',
      responses: [
        [
          '/jql',
          {
            issues: [
              {
                key: 'A-1',
                fields: { summary: null, status: null, priority: null, assignee: null, updated: null },
              },
            ],
            nextPageToken: null,
            isLast: true,
          },
        ],
      ],
      result: {
        issues: [
          {
            key: 'A-1',
            summary: '',
            status: '',
            priority: '',
            assignee: '',
            updated: null,
            link: 'https://example.atlassian.net/browse/A-1',
          },
        ],
        more: false,
      },
    },
    {
      tool: 'search_issues',
      case: 'one site, listed for Jira and for Confluence',
      responses: [
        [
          '/accessible-resources',
          [
            { id: '9d1f6a52-0000-4000-8000-1c1c1c1c1c1c', name: 'acme', url: 'https://acme.atlassian.net' },
            { id: '9d1f6a52-0000-4000-8000-1c1c1c1c1c1c', name: 'acme', url: 'https://acme.atlassian.net' },
          ],
        ],
        ['/jql', { issues: [], isLast: true }],
      ],
      result: { issues: [], more: false },
    },
    {
      tool: 'create_issue',
      input: { summary: 'A', project: 'FAR' },
      case: 'a project on the second page',
      responses: [
        ['/project/search', { values: [{ id: '1', key: 'ONE', name: 'One' }], isLast: false }],
        ['/project/search', { values: [{ id: '2', key: 'FAR', name: 'Far' }], isLast: true }],
        ['/issue', { id: '7', key: 'FAR-1' }],
      ],
      result: {
        created: true,
        key: 'FAR-1',
        summary: 'A',
        project: 'Far',
        link: 'https://example.atlassian.net/browse/FAR-1',
      },
    },
    {
      tool: 'search_issues',
      case: 'issues with little in them, and more pages',
      responses: [
        [
          '/jql',
          {
            issues: [
              { key: 'A-1', fields: {} },
              { key: 'A-2', fields: { priority: null, assignee: null, summary: 'S' } },
            ],
            nextPageToken: 'x',
          },
        ],
      ],
      result: {
        issues: [
          {
            key: 'A-1',
            summary: '',
            status: '',
            priority: '',
            assignee: '',
            link: 'https://example.atlassian.net/browse/A-1',
          },
          {
            key: 'A-2',
            summary: 'S',
            status: '',
            priority: '',
            assignee: '',
            link: 'https://example.atlassian.net/browse/A-2',
          },
        ],
        more: true,
      },
    },
    {
      tool: 'create_issue',
      input: { summary: 'A' },
      case: 'two projects',
      responses: [
        [
          '/project/search',
          {
            values: [
              { id: '1', key: 'ONE', name: 'One' },
              { id: '2', key: 'TWO', name: 'Two' },
            ],
          },
        ],
      ],
      error: 'Which project? There are "One", "Two".',
    },
    {
      tool: 'create_issue',
      input: { summary: 'A' },
      case: 'no project',
      responses: [['/project/search', { values: [] }]],
      error: 'There is no project that this account may use.',
    },
    {
      tool: 'search_issues',
      case: 'two sites',
      responses: [
        [
          '/accessible-resources',
          [
            { id: '1', name: 'one', url: 'https://one' },
            { id: '2', name: 'two', url: 'https://two' },
          ],
        ],
      ],
      error: 'Which site? There are "one", "two".',
    },
  ],
  confluence: [
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
})
