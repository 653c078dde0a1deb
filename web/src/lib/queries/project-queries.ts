import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { Project } from '#shared/contracts/projects.ts'
import type { RouteRequest } from '#shared/contracts/route-contracts.ts'
import { callApi } from '../api/call-api.ts'
import { createQueue, type Queue } from '../browser/create-queue.ts'
import { freshListMs } from '../browser/limits.ts'

/** The user's projects by name, with the defaults of their new conversations. */
export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: async ({ signal }) => (await callApi('projects.list', {}, { signal })).projects,
  staleTime: freshListMs,
})

/** How often a project is fetched again while the service still reads its files. */
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

/** The queue of each project that was changed, by its id. */
const queues = new Map<string, Queue>()

/**
 * Changes a project, and puts the response of the service into the cache. Changes of one project are sent one after the other: each
 * response is the whole project, so that an older response would overwrite a later change.
 * @throws what `callApi` throws
 */
export function updateProject(
  queryClient: QueryClient,
  projectId: string,
  body: RouteRequest<'projects.update'>,
): Promise<Project> {
  const { queryKey } = projectQuery(projectId)
  const enqueue = queues.get(projectId) ?? createQueue()
  queues.set(projectId, enqueue)
  return enqueue(async () => {
    const { project } = await callApi('projects.update', { params: { projectId }, body })
    // a fetch that has begun would bring back the old state
    await queryClient.cancelQueries({ queryKey })
    queryClient.setQueryData(queryKey, project)
    return project
  })
}
