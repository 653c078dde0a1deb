import { useEffect } from 'react'
import { pauseIdleWork } from '../lib/when-idle.ts'
import { Logo } from './ui/logo.tsx'
import * as texts from './texts.ts'

/** Shown until the sign-in state is known. index.html shows the same until this script runs. */
export function LoadingScreen() {
  useEffect(pauseIdleWork, [])
  return (
    <main className="grid min-h-dvh place-items-center">
      <Logo size={44} isThinking />
      {/* hidden text in the system font: the web font would load before the scripts */}
      <div role="status" className="sr-only font-[system-ui]">
        <h1>{texts.loading}</h1>
      </div>
      <p className="fixed inset-x-0 top-[calc(50dvh+3rem)] px-6 text-center font-[system-ui] text-ink-muted show-late">
        {texts.loadingTakesLong}{' '}
        <button type="button" onClick={() => location.reload()} className="link">
          {texts.reloadPage}
        </button>
      </p>
    </main>
  )
}
