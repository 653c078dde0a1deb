import { queryOptions } from '@tanstack/react-query'
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

export const projectPath = (id: string): string => `/projects/${encodeURIComponent(id)}`
