/**
 * How long a client of AWS waits. The SDK's own defaults wait without an end, so that a connection that died while the function was
 * frozen would hang a call until Lambda ends the function.
 * @param requestMs until the head of the answer, for each attempt
 */
export const clientTimeouts = (requestMs: number) => ({
  requestHandler: { connectionTimeout: 1_000, requestTimeout: requestMs, throwOnRequestTimeout: true },
})
