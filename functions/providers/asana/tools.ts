import * as z from 'zod'
import { type ApiClient, capability, type Capability } from '../capability.ts'
import { cleanText } from '../../platform/untrusted-text.ts'
import { limit, linkField, optionalField, singleLine, longText, findByNameOrId } from '../schemas.ts'

const fields = 'name,notes,due_on,completed,permalink_url,projects.name'
const task = z
  .object({
    gid: z.string(),
    name: optionalField,
    notes: z.string().default(''),
    due_on: z.string().nullable().default(null),
    completed: z.boolean().default(false),
    permalink_url: linkField,
    projects: z.array(z.object({ name: optionalField })).default([]),
  })
  .transform((one) => ({
    name: one.name,
    due: one.due_on,
    completed: one.completed,
    projects: one.projects.flatMap(({ name }) => (name === '' ? [] : [name])).join(', '),
    notes: cleanText(one.notes, 300),
    link: one.permalink_url,
    id: one.gid,
  }))
const workspaces = z.object({ data: z.array(z.object({ gid: z.string(), name: z.string() })) })
const workspace = singleLine('name or id of the workspace; not needed if there is only one').optional()

async function findWorkspace(api: ApiClient, nameOrId: string | undefined) {
  const { data } = await api.get(workspaces, '/workspaces', { limit: 100 })
  const rows = data.map(({ gid, name }) => ({ id: gid, name }))
  return findByNameOrId(rows, nameOrId, 'workspace')
}

export const tools: readonly Capability[] = [
  capability({
    id: 'list_tasks',
    name: 'List tasks',
    description: 'Lists the open tasks (to-dos) in Asana that are assigned to the user.',
    parameters: z.object({ workspace, limit: limit('tasks') }),
    examples: ['What are my Asana tasks?'],
    async run(api, { workspace: nameOrId, limit: maxRows }) {
      const { id } = await findWorkspace(api, nameOrId)
      // returns only tasks that are not completed
      const query = {
        assignee: 'me',
        workspace: id,
        completed_since: 'now',
        limit: maxRows,
        opt_fields: fields,
      }
      const page = z.object({ data: z.array(task), next_page: z.object({ offset: z.string() }).nullish() })
      const { data, next_page } = await api.get(page, '/tasks', query)
      return { tasks: data, more: Boolean(next_page) }
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
    async run(api, { name, notes, dueDate, workspace: nameOrId }) {
      const { id } = await findWorkspace(api, nameOrId)
      const data = { name, notes, due_on: dueDate, assignee: 'me', workspace: id }
      const request = { json: { data }, query: { opt_fields: fields } }
      const created = await api.post(z.object({ data: task }), '/tasks', request)
      return { created: true, task: created.data }
    },
  }),
]
