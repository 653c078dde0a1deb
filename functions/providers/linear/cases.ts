import { type ProviderCases } from '../../../test/support/provider-contracts/cases.ts'

const linearIssues =
  'query Issues($first: Int!, $filter: IssueFilter) { issues(first: $first, filter: $filter, orderBy: updatedAt) { nodes { identifier title url updatedAt state { name } assignee { displayName } } pageInfo { hasNextPage } } }'

const linearTeams = 'query Teams($first: Int!) { teams(first: $first) { nodes { id name key } } }'

const linearIssueCreate =
  'mutation IssueCreate($input: IssueCreateInput!) { issueCreate(input: $input) { success issue { identifier title url updatedAt state { name } assignee { displayName } } } }'

const createdIssue = {
  created: true,
  team: 'Engineering',
  issue: {
    key: 'ENG-2',
    title: 'Tabs jump',
    state: 'Backlog',
    assignee: '',
    updated: '2026-11-20T12:00:00.000Z',
    link: 'https://linear.app/example/issue/ENG-2',
  },
}

const foundIssues = {
  issues: [
    {
      key: 'ENG-1',
      title: 'Dark mode flickers',
      state: 'In Progress',
      assignee: 'ann',
      updated: '2026-11-17T10:00:00.000Z',
      link: 'https://linear.app/example/issue/ENG-1',
    },
  ],
  more: false,
}

export const cases: ProviderCases = {
  roundTrips: {
    create_issue: { input: { title: 'Tabs jump', team: 'eng' }, finds: 'ENG-2' },
    list_issues: { input: { query: 'tabs' }, finds: 'Tabs jump' },
  },
  requests: [
    {
      tool: 'list_issues',
      input: {},
      requests: [{ endpoint: 'POST ', body: { query: linearIssues, variables: { first: 20 } } }],
      result: foundIssues,
    },
    {
      tool: 'list_issues',
      input: { query: 'dark', limit: 1 },
      requests: [
        {
          endpoint: 'POST ',
          body: {
            query: linearIssues,
            variables: { first: 1, filter: { title: { containsIgnoreCase: 'dark' } } },
          },
        },
      ],
      result: foundIssues,
    },
    {
      tool: 'create_issue',
      input: { title: 'Tabs jump' },
      requests: [
        { endpoint: 'POST ', body: { query: linearTeams, variables: { first: 250 } } },
        {
          endpoint: 'POST ',
          body: {
            query: linearIssueCreate,
            variables: { input: { teamId: 't-1', title: 'Tabs jump', description: '' } },
          },
        },
      ],
      result: createdIssue,
    },
    {
      tool: 'create_issue',
      input: { title: 'Tabs jump', text: 'On **phones**', team: 'eng' },
      requests: [
        { endpoint: 'POST ', body: { query: linearTeams, variables: { first: 250 } } },
        {
          endpoint: 'POST ',
          body: {
            query: linearIssueCreate,
            variables: { input: { teamId: 't-1', title: 'Tabs jump', description: 'On **phones**' } },
          },
        },
      ],
      result: createdIssue,
    },
    {
      tool: 'create_issue',
      input: { title: 'By name', team: 'Engineering' },
      requests: [
        { endpoint: 'POST ', body: { query: linearTeams, variables: { first: 250 } } },
        {
          endpoint: 'POST ',
          body: {
            query: linearIssueCreate,
            variables: { input: { teamId: 't-1', title: 'By name', description: '' } },
          },
        },
      ],
      result: {
        created: true,
        team: 'Engineering',
        issue: {
          key: 'ENG-2',
          title: 'By name',
          state: 'Backlog',
          assignee: '',
          updated: '2026-11-20T12:00:00.000Z',
          link: 'https://linear.app/example/issue/ENG-2',
        },
      },
    },
  ],
  responses: [
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
      error: 'Linear has a fault of its own. Please try again later.',
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
      error: 'Linear refused the request. It said: "No"',
    },
    {
      tool: 'list_issues',
      case: 'an error without a code',
      responses: [['/api', { errors: [{ message: 'No' }] }, { status: 400 }]],
      error: 'Linear refused the request. It said: "No"',
    },
  ],
  chat: {
    reads: [['List the issues in Linear', 'list_issues', 'Tabs jump']],
    write: ['Create a Linear issue with the title "Tabs jump"', 'create_issue', { title: 'Tabs jump' }],
  },
}
