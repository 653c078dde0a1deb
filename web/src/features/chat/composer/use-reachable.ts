import { useEffect, useState } from 'react'
import { callApi } from '../../../lib/call-api.ts'
import { useOnline } from '../../../lib/online.ts'

const probeTimeoutMs = 3_000

/**
 * Whether the service can be reached. A machine without any network that runs the service itself is offline to its browser,
 * so the service is asked when the browser says so.
 */
export function useServiceReachable(): boolean {
  const online = useOnline()
  const [answered, setAnswered] = useState(false)
  useEffect(() => {
    if (online) return
    let isCurrent = true
    callApi('health', {}, { timeoutMs: probeTimeoutMs }).then(
      () => {
        if (isCurrent) setAnswered(true)
      },
      () => undefined,
    )
    return () => {
      isCurrent = false
      setAnswered(false)
    }
  }, [online])
  return online || answered
}
