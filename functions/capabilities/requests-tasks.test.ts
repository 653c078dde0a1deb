import { anyText, testTools, textLike } from '../../test/support/capability-requests.ts'

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

const foundTasks = {
  tasks: [
    {
      name: 'Prepare the workshop',
      due: '2026-12-04',
      completed: false,
      projects: 'Events',
      notes: 'Slides and snacks',
      link: 'https://app.asana.com/0/0/1201',
      id: '1201',
    },
  ],
  more: false,
}

testTools({
  asana: [
    {
      tool: 'list_tasks',
      input: {},
      requests: [
        { endpoint: 'GET /workspaces', query: { limit: '100' } },
        {
          endpoint: 'GET /tasks',
          query: {
            assignee: 'me',
            workspace: '1',
            completed_since: 'now',
            limit: '20',
            opt_fields: 'name,notes,due_on,completed,permalink_url,projects.name',
          },
        },
      ],
      result: foundTasks,
    },
    {
      tool: 'list_tasks',
      input: { workspace: 'example ltd', limit: 1 },
      requests: [
        { endpoint: 'GET /workspaces', query: { limit: '100' } },
        {
          endpoint: 'GET /tasks',
          query: {
            assignee: 'me',
            workspace: '1',
            completed_since: 'now',
            limit: '1',
            opt_fields: 'name,notes,due_on,completed,permalink_url,projects.name',
          },
        },
      ],
      result: foundTasks,
    },
    {
      tool: 'create_task',
      input: { name: 'Call the bank' },
      requests: [
        { endpoint: 'GET /workspaces', query: { limit: '100' } },
        {
          endpoint: 'POST /tasks',
          query: { opt_fields: 'name,notes,due_on,completed,permalink_url,projects.name' },
          body: { data: { name: 'Call the bank', notes: '', assignee: 'me', workspace: '1' } },
        },
      ],
      result: {
        created: true,
        task: {
          name: 'Call the bank',
          due: null,
          completed: false,
          projects: '',
          notes: '',
          link: textLike(/^https:\/\/app\.asana\.com\/0\/0\/\S+$/),
          id: anyText,
        },
      },
    },
    {
      tool: 'create_task',
      input: { name: 'Book flights', notes: 'Lisbon', dueDate: '2026-12-01', workspace: '1' },
      requests: [
        { endpoint: 'GET /workspaces', query: { limit: '100' } },
        {
          endpoint: 'POST /tasks',
          query: { opt_fields: 'name,notes,due_on,completed,permalink_url,projects.name' },
          body: {
            data: {
              name: 'Book flights',
              notes: 'Lisbon',
              due_on: '2026-12-01',
              assignee: 'me',
              workspace: '1',
            },
          },
        },
      ],
      result: {
        created: true,
        task: {
          name: 'Book flights',
          due: '2026-12-01',
          completed: false,
          projects: '',
          notes: 'Lisbon',
          link: textLike(/^https:\/\/app\.asana\.com\/0\/0\/\S+$/),
          id: anyText,
        },
      },
    },
  ],
  linear: [
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
})
