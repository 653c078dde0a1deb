import { queryOptions } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'
import { freshListMs } from '../browser/limits.ts'

/** The user's own assistants and those for the user's groups, by name; and whether and for whom the user may publish. */
export const assistantsQuery = queryOptions({
  queryKey: ['assistants'],
  queryFn: ({ signal }) => callApi('assistants.list', {}, { signal }),
  staleTime: freshListMs,
})
