import { useCallback, useEffect, useRef, useState } from 'react'
import { callApi } from '../../../lib/api/call-api.ts'
import { useRecentSignIn } from '../../../lib/sign-in/recent-sign-in.ts'
import { setupTimeoutMs } from './two-factor-queries.ts'

/** A secret that is not confirmed yet. */
interface EnrolmentResult {
  qrCodeUrl: string
  backupCodes: readonly string[]
}

/** Requests a secret on mount, and again after a failure. Each request replaces the previous secret. */
export function useEnrolment() {
  const withRecentSignIn = useRecentSignIn()
  const [result, setResult] = useState<EnrolmentResult>()
  const [failure, setFailure] = useState<{ error: unknown }>()
  const start = useCallback(() => {
    setFailure(undefined)
    withRecentSignIn(() =>
      callApi('mfa.setup', { body: { action: 'generate' } }, { timeoutMs: setupTimeoutMs }),
    ).then(
      ({ qrCodeUrl, backupCodes = [] }) =>
        qrCodeUrl === undefined
          ? setFailure({ error: new Error('the response has no secret') })
          : setResult({ qrCodeUrl, backupCodes }),
      (error: unknown) => setFailure({ error }),
    )
  }, [withRecentSignIn])
  const hasStarted = useRef(false)
  useEffect(() => {
    if (hasStarted.current) return
    hasStarted.current = true
    start()
  }, [start])
  return { result, failure: failure?.error, start }
}
