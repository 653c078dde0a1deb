import { testTools } from '../../test/support/capability-requests.ts'

const foundIssues = [
  {
    number: 1,
    title: 'Broken link in the footer',
    kind: 'issue',
    state: 'open',
    by: 'ann',
    repository: 'ann/website',
    text: 'It points nowhere.',
    link: 'https://github.com/ann/website/issues/1',
  },
]

const repositories = [
  {
    name: 'ann/website',
    description: 'The website',
    private: true,
    openIssues: 1,
    updated: '2026-11-18T09:00:00Z',
    link: 'https://github.com/ann/website',
  },
]

const createdIssue = {
  created: true,
  number: 2,
  title: 'Dark mode',
  link: 'https://github.com/ann/website/issues/2',
}

testTools({
  github: [
    {
      tool: 'list_repositories',
      input: {},
      requests: [
        {
          endpoint: 'GET /user/repos',
          query: { sort: 'updated', per_page: '20' },
          headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
        },
      ],
      result: {
        repositories,
        more: false,
      },
    },
    {
      tool: 'list_repositories',
      input: { limit: 1 },
      requests: [
        {
          endpoint: 'GET /user/repos',
          query: { sort: 'updated', per_page: '1' },
          headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
        },
      ],
      result: {
        repositories,
        more: true,
      },
    },
    {
      tool: 'list_issues',
      input: {},
      requests: [
        {
          endpoint: 'GET /issues',
          query: { state: 'open', sort: 'updated', per_page: '20' },
          headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
        },
      ],
      result: {
        issues: foundIssues,
        more: false,
      },
    },
    {
      tool: 'list_issues',
      input: { repository: 'ann/website', state: 'all', limit: 1 },
      requests: [
        {
          endpoint: 'GET /repos/ann/website/issues',
          query: { state: 'all', sort: 'updated', per_page: '1' },
          headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
        },
      ],
      result: {
        issues: foundIssues,
        more: true,
      },
    },
    {
      tool: 'create_issue',
      input: { repository: 'ann/website', title: 'Dark mode' },
      requests: [
        {
          endpoint: 'POST /repos/ann/website/issues',
          headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
          body: { title: 'Dark mode', body: '' },
        },
      ],
      result: createdIssue,
    },
    {
      tool: 'create_issue',
      input: { repository: 'ann/website', title: 'Dark mode', body: 'Too bright' },
      requests: [
        {
          endpoint: 'POST /repos/ann/website/issues',
          headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
          body: { title: 'Dark mode', body: 'Too bright' },
        },
      ],
      result: createdIssue,
    },
  ],
})
