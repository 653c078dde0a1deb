import { queryOptions } from '@tanstack/react-query'
import { callApi } from './call-api.ts'
import { freshListMs } from './limits.ts'

/** The user's own assistants and those for the user's groups, by name; and whether and for whom the user may publish. */
export const assistantsQuery = queryOptions({
  queryKey: ['assistants'],
  queryFn: ({ signal }) => callApi('assistants.list', {}, { signal }),
  staleTime: freshListMs,
})

/** The address of the page of an assistant. */
export const assistantPath = (id: string): string => `/assistants/${encodeURIComponent(id)}`

/** The address of the page on which a project is published. */
export const publishPath = (projectId: string): string => `/projects/${encodeURIComponent(projectId)}/publish`
