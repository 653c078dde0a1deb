import { type ProviderCases } from '../../../test/support/provider-contracts/cases.ts'

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

export const cases: ProviderCases = {
  roundTrips: {
    list_repositories: { finds: 'ann/website' },
    create_issue: {
      input: { repository: 'ann/website', title: 'Dark mode', body: 'Too bright' },
      finds: 'Dark mode',
    },
    list_issues: { input: { repository: 'ann/website' }, finds: 'Dark mode' },
  },
  reads: [['list_issues', {}, 'Broken link in the footer']],
  requests: [
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
  responses: [
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
  chat: {
    reads: [
      ['List my GitHub repositories', 'list_repositories', 'ann/website'],
      ['List the GitHub issues of "ann/website"', 'list_issues', 'Sitemap is old'],
    ],
    write: [
      'Create a GitHub issue in ann/website with the title "Sitemap is old"',
      'create_issue',
      { repository: 'ann/website', title: 'Sitemap is old' },
    ],
  },
}
