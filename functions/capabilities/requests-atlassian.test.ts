import { testTools } from '../../test/support/capability-requests.ts'

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

const pageRequests = [
  { endpoint: 'GET /account/accessible-resources' },
  {
    endpoint: 'GET /9d1f6a52-0000-4000-8000-1c1c1c1c1c1c/wiki/api/v2/pages/98765',
    query: { 'body-format': 'storage' },
  },
]

const createdIssue = {
  created: true,
  key: 'WEB-2',
  summary: 'Logo is blurry',
  project: 'Website',
  link: 'https://example.atlassian.net/browse/WEB-2',
}

testTools({
  jira: [
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
  confluence: [
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
})
