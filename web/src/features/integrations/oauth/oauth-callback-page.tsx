import { t } from '@lingui/core/macro'
import { CircleCheck, OctagonAlert } from 'lucide-react'
import { useEffect, useState } from 'react'
import { PageFrame } from '../../../components/page-frame.tsx'
import { Button, buttonClass } from '../../../components/ui/button.tsx'
import { CopyDetails } from '../../../components/ui/copy-details.tsx'
import { Logo } from '../../../components/ui/logo.tsx'
import { integrationsPath, type ReturnState } from '../../../lib/navigation/paths.ts'
import { Link, useLocation, useNavigate } from '../../../lib/navigation/router.tsx'
import { lastChatPath } from '../../../lib/navigation/use-back-to-chat.ts'
import { useDocumentTitle } from '../../../lib/navigation/use-document-title.ts'
import {
  type CallbackQuery,
  type CallbackResult,
  closeAfterErrorMs,
  closeAfterSuccessMs,
  parseCallbackQuery,
  redeemCode,
} from './oauth-callback.ts'
import { broadcastOAuthResult, isPopup } from './oauth-popup.ts'

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

type FailedResult = Extract<CallbackResult, { status: 'error' }>

/** The redemptions of this page load, by query: a code can be redeemed only once, and React may run the effect twice. */
const redemptions = new Map<string, Promise<CallbackResult>>()

function redeemOnce(query: CallbackQuery): Promise<CallbackResult> {
  const key = JSON.stringify(query)
  const redemption = redemptions.get(key) ?? redeemCode(query, wait)
  redemptions.set(key, redemption)
  return redemption
}

/** The redirect target of providers: redeems the code, notifies the waiting page and closes. */
export function OAuthCallbackPage() {
  const { pathname, search, hash } = useLocation()
  const [query] = useState(() => parseCallbackQuery(new URL(pathname + search + hash, location.origin)))
  const [result, setResult] = useState<CallbackResult>()
  useDocumentTitle(getTitle(result))
  useEffect(() => {
    // removes the code from the history
    window.history.replaceState(window.history.state, '', query.redirectUri)
    let isUnmounted = false
    void redeemOnce(query).then((callbackResult) => {
      if (isUnmounted) return
      if (callbackResult.status === 'again') {
        location.replace(callbackResult.authUrl)
        return
      }
      const state = query.state ?? ''
      broadcastOAuthResult(
        callbackResult.status === 'success'
          ? { type: 'oauth-success', state }
          : { type: 'oauth-error', state, error: callbackResult.message, cause: callbackResult.cause },
      )
      setResult(callbackResult)
    })
    return () => {
      isUnmounted = true
    }
  }, [query])

  return (
    <PageFrame>
      <div className="m-auto w-full max-w-(--width-form) p-6">
        {/* one region for both, or screen readers would not notice the success */}
        <div role="status">
          {!result && <Processing />}
          {result?.status === 'success' && <Success provider={result.provider} />}
        </div>
        {result?.status === 'error' && <Failed {...result} />}
      </div>
    </PageFrame>
  )
}

function getTitle(result: CallbackResult | undefined): string {
  if (!result) return t`Connecting`
  return result.status === 'success' ? t`Connected` : t`Not connected`
}

function Processing() {
  return (
    <>
      <Logo size={44} isThinking />
      <h1 className="mt-5 text-xl font-semibold tracking-tight">{t`Connecting…`}</h1>
      <p className="mt-2 text-base text-ink-muted">{t`Completing the connection…`}</p>
    </>
  )
}

/** Closes the window, or goes to the main screen if no page is waiting. */
function Success({ provider }: { provider: string | undefined }) {
  const navigate = useNavigate()
  const isAwaited = isPopup()
  useEffect(() => {
    const timer = setTimeout(() => {
      if (isAwaited) window.close()
      else navigate(lastChatPath(), { replace: true })
    }, closeAfterSuccessMs)
    return () => clearTimeout(timer)
  }, [isAwaited, navigate])
  return (
    <>
      <CircleCheck aria-hidden size={24} strokeWidth={1.75} className="text-success" />
      <h1 className="mt-5 text-xl font-semibold tracking-tight wrap-anywhere">
        {provider ? t`${provider} is connected` : t`Connected`}
      </h1>
      <p className="mt-2 text-base text-ink-muted">
        {isAwaited ? t`This window closes automatically.` : t`Taking you back…`}
      </p>
    </>
  )
}

/** Closes the window if a waiting page shows the error too, unless the user is reading it here. */
function Failed({ message, cause, next }: FailedResult) {
  const isAwaited = isPopup()
  const [isReading, setIsReading] = useState(false)
  useEffect(() => {
    if (!isAwaited || isReading || next === 'sign-in') return
    const read = () => setIsReading(true)
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
  }, [isAwaited, isReading, next])
  const close = () => {
    window.close()
    // scripts cannot close a window they did not open: go to the catalogue
    if (!isAwaited) location.assign(integrationsPath)
  }
  return (
    <div role="alert">
      <OctagonAlert aria-hidden size={24} strokeWidth={1.75} className="text-danger" />
      <h1 className="mt-5 text-xl font-semibold tracking-tight">{t`Not connected`}</h1>
      <p className="mt-2 text-base wrap-anywhere text-ink-muted">{message}</p>
      {next !== 'sign-in' && (
        <p className="mt-4 text-ink-faint">
          {next === 'look'
            ? t`Close this window and look at the integrations: if it is not connected there, press Connect again.`
            : t`Close this window and press Connect again. Nothing was changed.`}
        </p>
      )}
      <div className="mt-4 flex flex-wrap gap-2">
        {next === 'sign-in' && (
          <Link
            to="/auth"
            state={{ from: integrationsPath } satisfies ReturnState}
            className={buttonClass({ variant: 'primary' })}
          >
            {t`Sign in`}
          </Link>
        )}
        <Button variant={next === 'sign-in' ? 'outline' : 'primary'} onClick={close}>
          {t`Close`}
        </Button>
        <CopyDetails error={cause} />
      </div>
    </div>
  )
}
