import { useEffect, useState } from 'react'
import { callApi } from '../../../lib/call-api.ts'
import { useOnline } from '../../../lib/online.ts'

const probeTimeoutMs = 3_000

/**
 * Whether the service is reachable. When the browser reports that it is offline, the service is probed: it may run on this machine.
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
