/** If a server asks for a longer wait, the request fails at once, and the user decides when to try again. */
const maxRetryWaitSeconds = 2

/** fetch that reports all bytes as they arrive and lets the client library retry only after a short wait. */
export function instrumentedFetch(
  onBytes: (bytes: Uint8Array) => void,
  send: typeof fetch = fetch,
): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init)
    onBytes(new Uint8Array())
    const headers = new Headers(response.headers)
    if (Number(headers.get('retry-after')) > maxRetryWaitSeconds) headers.set('x-should-retry', 'false')
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

const tailBytes = 32

/**
 * Detects that a stream ends with `data: [DONE]`, however its bytes are split. The client library does not tell, and some servers give no
 * other sign that their answer is complete.
 */
export function doneDetector() {
  let tail = ''
  return {
    /** called with each chunk */
    onBytes: (bytes: Uint8Array) => {
      tail = (tail + Buffer.from(bytes.subarray(-tailBytes)).toString('latin1')).slice(-tailBytes)
    },
    isDone: () => /(^|\n)data: ?\[DONE\]\s*$/.test(tail),
  }
}
