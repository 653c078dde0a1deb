/** A longer wait that the model asks for is the user's to decide, not ours to sit through. */
const longestRetryWaitSeconds = 2

/** fetch that reports all bytes as they come and lets the client library retry only where it is quick. */
export function watchedFetch(onBytes: (bytes: Uint8Array) => void): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init)
    onBytes(new Uint8Array())
    const headers = new Headers(response.headers)
    if (Number(headers.get('retry-after')) > longestRetryWaitSeconds) headers.set('x-should-retry', 'false')
    const body = response.body?.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          onBytes(chunk)
          controller.enqueue(chunk)
        },
      }),
    )
    return new Response(body ?? null, { status: response.status, statusText: response.statusText, headers })
  }
}
