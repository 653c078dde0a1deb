import { textLike, anyText, type ProviderCases } from '../../../test/support/provider-contracts/cases.ts'

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

export const cases: ProviderCases = {
  roundTrips: {
    create_task: { input: { name: 'Book flights', dueDate: '2026-12-01' }, finds: 'Book flights' },
    list_tasks: { finds: 'Book flights' },
  },
  requests: [
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
  responses: [
    {
      tool: 'list_tasks',
      case: 'tasks with little in them, and more pages',
      responses: [
        [
          '/tasks',
          {
            data: [
              { gid: '1', name: 'A' },
              {
                gid: '2',
                name: 'B',
                notes: 'x'.repeat(400),
                completed: true,
                projects: [{ name: 'P' }, {}, { name: 'Q' }],
                permalink_url: 'http://x',
              },
            ],
            next_page: { offset: 'o' },
          },
        ],
      ],
      result: {
        tasks: [
          { name: 'A', due: null, completed: false, projects: '', notes: '', id: '1' },
          { name: 'B', due: null, completed: true, projects: 'P, Q', notes: `${'x'.repeat(300)}…`, id: '2' },
        ],
        more: true,
      },
    },
    {
      tool: 'list_tasks',
      case: 'no field for further pages',
      responses: [['/tasks', { data: [] }]],
      result: { tasks: [], more: false },
    },
    {
      tool: 'list_tasks',
      case: 'two workspaces',
      responses: [
        [
          '/workspaces',
          {
            data: [
              { gid: '1', name: 'One' },
              { gid: '2', name: 'Two' },
            ],
          },
        ],
      ],
      error: 'Which workspace? There are "One", "Two".',
    },
  ],
  chat: {
    reads: [['List my tasks in Asana', 'list_tasks', 'Renew passport']],
    write: ['Create an Asana task with the name "Renew passport"', 'create_task', { name: 'Renew passport' }],
  },
}
