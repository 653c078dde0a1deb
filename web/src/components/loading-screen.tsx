import { t } from '@lingui/core/macro'
import { useEffect } from 'react'
import { pauseIdleWork } from '../lib/browser/when-idle.ts'
import { Logo } from './ui/logo.tsx'

/**
 * Shown until the sign-in state, the code of a page or the role of an administrator is loaded. index.html shows the same until this script
 * runs.
 */
export function LoadingScreen() {
  // what is to be shown loads first
  useEffect(pauseIdleWork, [])
  return (
    <main className="grid min-h-dvh place-items-center">
      <Logo size={44} isThinking />
      {/* hidden text in the system font: the web font would load before the scripts */}
      <h1 className="sr-only font-[system-ui]">{t`Loading`}</h1>
      <p className="fixed inset-x-0 top-[calc(50dvh+3rem)] px-6 text-center font-[system-ui] text-ink-muted show-late">
        {t`This is taking longer than it should.`}{' '}
        <button type="button" onClick={() => location.reload()} className="link">
          {t`Reload the page`}
        </button>
      </p>
    </main>
  )
}
