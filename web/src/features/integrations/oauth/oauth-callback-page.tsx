import { CircleCheck, OctagonAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useHref, useLocation, useNavigate } from 'react-router'
import { PageFrame } from '../../../components/page-frame.tsx'
import { Button } from '../../../components/ui/button.tsx'
import { Mark } from '../../../components/ui/logo.tsx'
import { useBrand } from '../../../lib/config.ts'
import {
  callbackQuery,
  closeAfterErrorMs,
  closeAfterSuccessMs,
  redeem,
  type CallbackQuery,
  type CallbackResult,
} from './oauth-callback.ts'
import { isPopup, tellOutcome } from './oauth-popup.ts'

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** A code is good for one redemption, however often the page is rendered. */
const redemptions = new Map<string, Promise<CallbackResult>>()

function redeemOnce(query: CallbackQuery): Promise<CallbackResult> {
  const key = JSON.stringify(query)
  const running = redemptions.get(key) ?? redeem(query, wait)
  redemptions.set(key, running)
  return running
}

/** Where providers send people back to (NAV-04, OAUTH-06): redeems the code, tells the page that waits, and closes. */
export function OAuthCallbackPage() {
  const address = useHref(useLocation())
  const [query] = useState(() => callbackQuery(new URL(address, location.origin)))
  const [result, setResult] = useState<CallbackResult>()
  const { brandName } = useBrand()
  useEffect(() => {
    document.title = `Connecting · ${brandName}`
  }, [brandName])
  useEffect(() => {
    // the code is in the history no longer than needed
    window.history.replaceState(window.history.state, '', query.redirectUri)
    let left = false
    void redeemOnce(query).then((answer) => {
      if (left) return
      const state = query.state ?? ''
      tellOutcome(
        answer.status === 'success'
          ? { type: 'oauth-success', state }
          : { type: 'oauth-error', state, error: answer.sentence },
      )
      setResult(answer)
    })
    return () => {
      left = true
    }
  }, [query])

  return (
    <PageFrame>
      <div className="m-auto w-full max-w-(--width-form) p-6">
        {!result && <Processing />}
        {result?.status === 'success' && <Success provider={result.provider} />}
        {result?.status === 'error' && <Failure sentence={result.sentence} />}
      </div>
    </PageFrame>
  )
}

function Processing() {
  return (
    <div role="status">
      <Mark size={44} thinking />
      <h1 className="mt-5 text-xl font-semibold tracking-tight">Connecting...</h1>
      <p className="mt-2 text-base text-ink-muted">One moment, the connection is being completed.</p>
    </div>
  )
}

/** OAUTH-08, OAUTH-10, DEC-096: closes, or goes on to the main screen where no page is waiting. */
function Success({ provider }: { provider: string | undefined }) {
  const navigate = useNavigate()
  const isAwaited = isPopup()
  useEffect(() => {
    const timer = setTimeout(() => {
      if (isAwaited) window.close()
      else void navigate('/', { replace: true })
    }, closeAfterSuccessMs)
    return () => clearTimeout(timer)
  }, [isAwaited, navigate])
  return (
    <div role="status">
      <CircleCheck aria-hidden size={24} strokeWidth={1.75} className="text-success" />
      <h1 className="mt-5 text-xl font-semibold tracking-tight wrap-anywhere">
        {provider ? `${provider} is connected` : 'Connected'}
      </h1>
      <p className="mt-2 text-base text-ink-muted">
        {isAwaited ? 'This window closes by itself.' : 'Taking you back...'}
      </p>
    </div>
  )
}

/** OAUTH-11: closes where a page is waiting that shows the error too, unless somebody is reading it here. */
function Failure({ sentence }: { sentence: string }) {
  const isAwaited = isPopup()
  const [reading, setReading] = useState(false)
  useEffect(() => {
    if (!isAwaited || reading) return
    const read = () => setReading(true)
    const timer = setTimeout(() => window.close(), closeAfterErrorMs)
    addEventListener('pointermove', read)
    addEventListener('pointerdown', read)
    addEventListener('keydown', read)
    return () => {
      clearTimeout(timer)
      removeEventListener('pointermove', read)
      removeEventListener('pointerdown', read)
      removeEventListener('keydown', read)
    }
  }, [isAwaited, reading])
  const close = () => {
    window.close()
    // a window that a script did not open stays: then the catalogue is where to go on
    if (!isAwaited) location.assign('/integrations')
  }
  return (
    <div role="alert">
      <OctagonAlert aria-hidden size={24} strokeWidth={1.75} className="text-danger" />
      <h1 className="mt-5 text-xl font-semibold tracking-tight">Not connected</h1>
      <p className="mt-2 text-base wrap-anywhere text-ink-muted">{sentence}</p>
      <p className="mt-4 text-ink-faint">
        Close this window and press Connect once more. Nothing was changed.
      </p>
      <Button tone="primary" onClick={close} className="mt-4">
        Close
      </Button>
    </div>
  )
}
