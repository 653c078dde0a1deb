import { type ProviderCases } from '../../../test/support/provider-contracts/cases.ts'

const foundIssues = {
  issues: [
    {
      key: 'WEB-1',
      summary: 'Login fails on Safari',
      status: 'To Do',
      priority: 'High',
      assignee: 'Ann Lee',
      updated: '2026-11-19T08:00:00.000+0000',
      link: 'https://example.atlassian.net/browse/WEB-1',
    },
  ],
  more: false,
}

const projectSearch = {
  endpoint: 'GET /9d1f6a52-0000-4000-8000-1c1c1c1c1c1c/rest/api/3/project/search',
  query: { maxResults: '100', startAt: '0' },
}

const createdIssue = {
  created: true,
  key: 'WEB-2',
  summary: 'Logo is blurry',
  project: 'Website',
  link: 'https://example.atlassian.net/browse/WEB-2',
}

export const cases: ProviderCases = {
  roundTrips: {
    create_issue: {
      input: { summary: 'Logo is blurry', text: 'On phones.\nOnly there.', project: 'web' },
      finds: 'https://example.atlassian.net/browse/WEB-2',
    },
    search_issues: { input: { query: 'logo' }, finds: 'Logo is blurry' },
  },
  reads: [['search_issues', {}, 'Login fails on Safari']],
  requests: [
    {
      tool: 'search_issues',
      input: {},
      requests: [
        { endpoint: 'GET /account/accessible-resources' },
        {
          endpoint: 'GET /9d1f6a52-0000-4000-8000-1c1c1c1c1c1c/rest/api/3/search/jql',
          query: {
            jql: '(assignee = currentUser() OR reporter = currentUser()) ORDER BY updated DESC',
            fields: 'summary,status,priority,assignee,updated',
            maxResults: '20',
          },
        },
      ],
      result: foundIssues,
    },
    {
      tool: 'search_issues',
      input: { query: 'log"in\\ \nnow', site: 'example', limit: 1 },
      requests: [
        { endpoint: 'GET /account/accessible-resources' },
        {
          endpoint: 'GET /9d1f6a52-0000-4000-8000-1c1c1c1c1c1c/rest/api/3/search/jql',
          query: {
            jql: 'text ~ "log\\"in\\\\  now" ORDER BY updated DESC',
            fields: 'summary,status,priority,assignee,updated',
            maxResults: '1',
          },
        },
      ],
      result: { issues: [], more: false },
    },
    {
      tool: 'search_issues',
      input: { query: 'login', limit: 1 },
      requests: [
        { endpoint: 'GET /account/accessible-resources' },
        {
          endpoint: 'GET /9d1f6a52-0000-4000-8000-1c1c1c1c1c1c/rest/api/3/search/jql',
          query: {
            jql: 'text ~ "login" ORDER BY updated DESC',
            fields: 'summary,status,priority,assignee,updated',
            maxResults: '1',
          },
        },
      ],
      result: foundIssues,
    },
    {
      tool: 'create_issue',
      input: { summary: 'Logo is blurry' },
      requests: [
        { endpoint: 'GET /account/accessible-resources' },
        projectSearch,
        {
          endpoint: 'POST /9d1f6a52-0000-4000-8000-1c1c1c1c1c1c/rest/api/3/issue',
          body: {
            fields: { project: { key: 'WEB' }, issuetype: { name: 'Task' }, summary: 'Logo is blurry' },
          },
        },
      ],
      result: createdIssue,
    },
    {
      tool: 'create_issue',
      input: {
        summary: 'Logo is blurry',
        text: 'On phones.\n\nOnly there.',
        project: 'web',
        type: 'Bug',
        site: '9d1f6a52-0000-4000-8000-1c1c1c1c1c1c',
      },
      requests: [
        { endpoint: 'GET /account/accessible-resources' },
        projectSearch,
        {
          endpoint: 'POST /9d1f6a52-0000-4000-8000-1c1c1c1c1c1c/rest/api/3/issue',
          body: {
            fields: {
              project: { key: 'WEB' },
              issuetype: { name: 'Bug' },
              summary: 'Logo is blurry',
              description: {
                type: 'doc',
                version: 1,
                content: [
                  { type: 'paragraph', content: [{ type: 'text', text: 'On phones.' }] },
                  { type: 'paragraph', content: [{ type: 'text', text: 'Only there.' }] },
                ],
              },
            },
          },
        },
      ],
      result: createdIssue,
    },
    {
      tool: 'create_issue',
      input: { summary: 'By name', project: 'Website' },
      requests: [
        { endpoint: 'GET /account/accessible-resources' },
        projectSearch,
        {
          endpoint: 'POST /9d1f6a52-0000-4000-8000-1c1c1c1c1c1c/rest/api/3/issue',
          body: { fields: { project: { key: 'WEB' }, issuetype: { name: 'Task' }, summary: 'By name' } },
        },
      ],
      result: {
        created: true,
        key: 'WEB-2',
        summary: 'By name',
        project: 'Website',
        link: 'https://example.atlassian.net/browse/WEB-2',
      },
    },
  ],
  responses: [
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
  chat: {
    reads: [['Search the Jira issues for "Footer"', 'search_issues', 'Footer overlaps']],
    write: [
      'Create a Jira issue with the title "Footer overlaps"',
      'create_issue',
      { summary: 'Footer overlaps' },
    ],
  },
}
