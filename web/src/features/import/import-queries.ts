import { queryOptions } from '@tanstack/react-query'
import { callApi } from '../../lib/api/call-api.ts'

/** The user's imports that can be undone. */
export const importsQuery = queryOptions({
  queryKey: ['imports'],
  queryFn: async ({ signal }) => (await callApi('imports.list', {}, { signal })).imports,
})
