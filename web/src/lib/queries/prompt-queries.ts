import { queryOptions } from '@tanstack/react-query'
import { callApi } from '../api/call-api.ts'
import { freshListMs } from '../browser/limits.ts'

/** The saved prompts that `/` inserts into a message, by name: the user's own and those of all projects. */
export const promptsQuery = queryOptions({
  queryKey: ['prompts'],
  queryFn: async ({ signal }) => (await callApi('prompts.list', {}, { signal })).prompts,
  staleTime: freshListMs,
})

/** The saved prompts that were published with an assistant. */
export const assistantPromptsQuery = (assistantId: string) =>
  queryOptions({
    queryKey: ['prompts', assistantId],
    queryFn: async ({ signal }) =>
      (await callApi('prompts.list', { query: { assistant_id: assistantId } }, { signal })).prompts,
    staleTime: freshListMs,
  })
