import { useEffect } from 'react'
import { holdIdle } from '../lib/when-idle.ts'
import { Mark } from './ui/logo.tsx'

/** The whole page while it is not known who is signed in (NAV-10). index.html shows the same until this script runs. */
export function LoadingScreen() {
  useEffect(holdIdle, [])
  return (
    <main className="grid min-h-dvh place-items-center">
      <Mark size={44} thinking />
      {/* nobody sees its letters: those of the product would be loaded before the scripts */}
      <div role="status" className="sr-only font-[system-ui]">
        <h1>Loading</h1>
      </div>
      <p className="fixed inset-x-0 top-[calc(50dvh+3rem)] px-6 text-center font-[system-ui] text-ink-muted show-late">
        This takes longer than it should.{' '}
        <button type="button" onClick={() => location.reload()} className="link">
          Reload the page
        </button>
      </p>
    </main>
  )
}
