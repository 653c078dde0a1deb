import { queryOptions, type QueryClient } from '@tanstack/react-query'
import type { Memory } from '#shared/contracts/memory.ts'
import { callApi } from '../api/call-api.ts'
import { updateCached } from './update-cached.ts'

/** What the assistant remembers about the user, oldest first. Each reply may change it, so it is fetched whenever it is shown. */
export const memoriesQuery = queryOptions({
  queryKey: ['memories'],
  queryFn: async ({ signal }) => (await callApi('memory.list', {}, { signal })).memories,
})

/** Adds a memory. @param addition with an id to restore a deleted memory @throws what `callApi` throws */
export async function addMemory(
  queryClient: QueryClient,
  addition: { id?: string; text: string },
): Promise<Memory> {
  const { memory } = await callApi('memory.add', { body: addition })
  await updateCached(queryClient, memoriesQuery, (known) => [
    ...known.filter(({ id }) => id !== memory.id),
    memory,
  ])
  return memory
}

/** Replaces a memory's text. @throws ApiError `memory_changed` or `memory_not_found` if it was changed or deleted elsewhere */
export async function updateMemory(
  queryClient: QueryClient,
  { id, text, version }: Pick<Memory, 'id' | 'text' | 'version'>,
): Promise<Memory> {
  const { memory } = await callApi('memory.update', { params: { memoryId: id }, body: { text, version } })
  await updateCached(queryClient, memoriesQuery, (known) =>
    known.map((one) => (one.id === id ? memory : one)),
  )
  return memory
}

/** @throws what `callApi` throws */
export async function deleteMemory(queryClient: QueryClient, id: string): Promise<void> {
  await callApi('memory.delete', { params: { memoryId: id } })
  await updateCached(queryClient, memoriesQuery, (known) => known.filter((one) => one.id !== id))
}

/** @throws what `callApi` throws */
export async function clearMemory(queryClient: QueryClient): Promise<void> {
  await callApi('memory.clear', {})
  await updateCached(queryClient, memoriesQuery, () => [])
}
