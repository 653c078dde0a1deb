import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { Project } from '#shared/contracts/projects.ts'
import type { RouteRequest } from '#shared/contracts/route-contracts.ts'
import { callApi } from './call-api.ts'

/** The user's projects by name, with the defaults of their new conversations. */
export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: async ({ signal }) => (await callApi('projects.list', {}, { signal })).projects,
  staleTime: 60_000,
})

/** How often a project is read again while the service reads its files. */
const pendingFilesMs = 2_000

/** One project, with instructions and files. */
export const projectQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId],
    queryFn: async ({ signal }) =>
      (await callApi('projects.read', { params: { projectId } }, { signal })).project,
    refetchInterval: ({ state: { data } }) =>
      data?.files.some(({ reading }) => reading?.state === 'pending') ? pendingFilesMs : false,
  })

/** The prompts that `/` inserts, by name: the user's and those of all projects. */
export const promptsQuery = queryOptions({
  queryKey: ['prompts'],
  queryFn: async ({ signal }) => (await callApi('prompts.list', {}, { signal })).prompts,
  staleTime: 60_000,
})

/** The prompts that came with an assistant. */
export const assistantPromptsQuery = (assistantId: string) =>
  queryOptions({
    queryKey: ['prompts', assistantId],
    queryFn: async ({ signal }) =>
      (await callApi('prompts.list', { query: { assistant_id: assistantId } }, { signal })).prompts,
    staleTime: 60_000,
  })

export const projectPath = (id: string): string => `/projects/${encodeURIComponent(id)}`

/** By project: the end of its last change. */
const lastChanges = new Map<string, Promise<unknown>>()

/**
 * Changes a project, and shows it as the service has answered. Changes of one project are made one after the other: each response is the
 * whole project, and an older one would take away what a later change has brought.
 * @throws what `callApi` throws
 */
export async function updateProject(
  queryClient: QueryClient,
  projectId: string,
  body: RouteRequest<'projects.update'>,
): Promise<Project> {
  const { queryKey } = projectQuery(projectId)
  const change = async () => {
    const { project } = await callApi('projects.update', { params: { projectId }, body })
    // a request in flight has the old state
    await queryClient.cancelQueries({ queryKey })
    queryClient.setQueryData(queryKey, project)
    return project
  }
  const before = lastChanges.get(projectId) ?? Promise.resolve()
  const changed = before.then(change, change)
  lastChanges.set(projectId, changed)
  try {
    return await changed
  } finally {
    if (lastChanges.get(projectId) === changed) lastChanges.delete(projectId)
  }
}
