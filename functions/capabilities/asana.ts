import * as z from 'zod'
import type { ConnectedApi } from './api.ts'
import { capability, type Capability } from './capability.ts'
import { cleanText, httpsLink } from '../platform/untrusted-text.ts'
import { limit, singleLine, longText, findByNameOrId, shortText } from './schemas.ts'

const fields = 'name,notes,due_on,completed,permalink_url,projects.name'
const task = z.object({
  gid: z.string(),
  name: z.string().default(''),
  notes: z.string().default(''),
  due_on: z.string().nullable().default(null),
  completed: z.boolean().default(false),
  permalink_url: z.string().optional(),
  projects: z.array(z.object({ name: z.string().optional() })).default([]),
})
const workspaces = z.object({ data: z.array(z.object({ gid: z.string(), name: z.string() })) })
const workspace = singleLine('name or id of the workspace; not needed if there is only one').optional()

async function findWorkspace(api: ConnectedApi, nameOrId: string | undefined, signal: AbortSignal) {
  const { data } = workspaces.parse(await api.call('/workspaces', { query: { limit: 100 } }, signal))
  return findByNameOrId(
    data.map(({ gid, name }) => ({ id: gid, name })),
    nameOrId,
    'workspace',
  )
}

const formatTask = ({
  gid,
  name,
  notes,
  due_on,
  completed,
  permalink_url,
  projects,
}: z.output<typeof task>) => ({
  name: shortText(name),
  due: due_on,
  completed,
  projects: projects
    .map((one) => shortText(one.name))
    .filter((one) => one !== '')
    .join(', '),
  notes: cleanText(notes, 300),
  link: httpsLink(permalink_url),
  id: gid,
})

export const asana: readonly Capability[] = [
  capability({
    id: 'list_tasks',
    name: 'List tasks',
    description: 'Lists the open tasks (to-dos) in Asana that are assigned to the user.',
    parameters: z.object({ workspace, limit: limit('tasks') }),
    examples: ['What are my Asana tasks?'],
    async run(api, { workspace: nameOrId, limit: maxRows }, signal) {
      const { id } = await findWorkspace(api, nameOrId, signal)
      // returns only tasks that are not completed
      const query = {
        assignee: 'me',
        workspace: id,
        completed_since: 'now',
        limit: maxRows,
        opt_fields: fields,
      }
      const found = z
        .object({ data: z.array(task), next_page: z.object({ offset: z.string() }).nullable().default(null) })
        .parse(await api.call('/tasks', { query }, signal))
      return { tasks: found.data.map(formatTask), more: found.next_page !== null }
    },
  }),
  capability({
    id: 'create_task',
    name: 'Create a task',
    description: 'Creates (adds) a task (to-do) in Asana, assigned to the user.',
    parameters: z.object({
      name: singleLine('name of the task'),
      notes: longText('more about it').default(''),
      dueDate: z.iso.date().optional().describe('the day on which it is due, such as 2026-11-20'),
      workspace,
    }),
    examples: ['Add an Asana task "Book flights" due on 2026-12-01'],
    writes: true,
    async run(api, { name, notes, dueDate, workspace: nameOrId }, signal) {
      const { id } = await findWorkspace(api, nameOrId, signal)
      const data = { name, notes, due_on: dueDate, assignee: 'me', workspace: id }
      const request = { method: 'POST', json: { data }, query: { opt_fields: fields } } as const
      const created = z.object({ data: task }).parse(await api.call('/tasks', request, signal))
      return { created: true, task: formatTask(created.data) }
    },
  }),
]
