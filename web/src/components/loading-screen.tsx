import { useEffect } from 'react'
import { holdIdle } from '../lib/when-idle.ts'
import { Mark } from './ui/mark.tsx'

/** The whole page while it is not known who is signed in (NAV-10). */
export function LoadingScreen() {
  useEffect(holdIdle, [])
  return (
    <main className="grid min-h-dvh place-items-center">
      <Mark size={44} thinking className="animate-fade" />
      <div role="status" className="sr-only">
        <h1>Loading</h1>
      </div>
    </main>
  )
}
