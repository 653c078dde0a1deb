import { useEffect, useState } from 'react'
import { callApi } from '../../../lib/call-api.ts'
import { useOnline } from '../../../lib/online.ts'

const probeTimeoutMs = 3_000

/** Whether the service can be reached. When the browser says that it is offline, the service is asked once: it may run on this machine. */
export function useServiceReachable(): boolean {
  const online = useOnline()
  const [hasResponded, setResponded] = useState(false)
  useEffect(() => {
    if (online) return
    let isCurrent = true
    callApi('health', {}, { timeoutMs: probeTimeoutMs }).then(
      () => {
        if (isCurrent) setResponded(true)
      },
      () => undefined,
    )
    return () => {
      isCurrent = false
      setResponded(false)
    }
  }, [online])
  return online || hasResponded
}
