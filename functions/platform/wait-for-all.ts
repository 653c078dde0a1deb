type Results<Requests> = { -readonly [Index in keyof Requests]: Awaited<Requests[Index]> }

/**
 * Awaits parallel requests until all of them have settled, so no request is still running when the function responds.
 * @throws the first failure in the order of the list
 */
export async function waitForAll<const Requests extends readonly unknown[]>(
  requests: Requests,
): Promise<Results<Requests>> {
  const results = await Promise.allSettled(requests)
  for (const result of results) if (result.status === 'rejected') throw result.reason
  return results.map((result) => (result as PromiseFulfilledResult<unknown>).value) as Results<Requests>
}
