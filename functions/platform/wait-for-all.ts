/**
 * Awaits parallel requests. All of them have settled when this settles, so nothing continues after a response.
 * @throws the first failure in the order of the list
 */
export async function waitForAll<const Requests extends readonly unknown[]>(
  requests: Requests,
): Promise<{ -readonly [Index in keyof Requests]: Awaited<Requests[Index]> }> {
  const results = await Promise.allSettled(requests)
  for (const result of results) if (result.status === 'rejected') throw result.reason
  return results.map((result) => (result as PromiseFulfilledResult<unknown>).value) as {
    -readonly [Index in keyof Requests]: Awaited<Requests[Index]>
  }
}
