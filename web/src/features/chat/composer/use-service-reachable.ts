import { useEffect, useState } from 'react'
import { callApi } from '../../../lib/api/call-api.ts'
import { useOnline } from '../../../lib/browser/online.ts'

/** A service on this machine or in this network responds sooner. */
const probeTimeoutMs = 3_000

/** Whether the service can be reached, as far as the browser knows. When that says it is offline, the service is asked once: it may run on this machine. */
export function useServiceReachable(): boolean {
  const online = useOnline()
  const [hasResponded, setResponded] = useState(false)
  useEffect(() => {
    if (online) return
    const probe = new AbortController()
    callApi('health', {}, { signal: probe.signal, timeoutMs: probeTimeoutMs }).then(
      () => {
        if (!probe.signal.aborted) setResponded(true)
      },
      () => undefined,
    )
    return () => {
      probe.abort()
      // the next time that the browser is offline it is asked again
      setResponded(false)
    }
  }, [online])
  return online || hasResponded
}
