/**
 * Awaits requests that go on side by side. All of them have ended when this settles: nothing works on behind an answer.
 * @throws the first failure in the order of the list, whichever came first
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
