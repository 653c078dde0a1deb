/**
 * Timeouts of AWS clients. The SDK has none by default, so a connection that died while the function was frozen would hang a call until
 * Lambda ends the function.
 * @param requestMs until the response headers, for each attempt
 */
export const clientTimeouts = (requestMs: number) => ({
  requestHandler: { connectionTimeout: 1_000, requestTimeout: requestMs, throwOnRequestTimeout: true },
})
