import { useEffect } from 'react'
import { holdIdle } from '../lib/when-idle.ts'
import { Mark } from './ui/mark.tsx'

/** The whole page while it is not known who is signed in (NAV-10). */
export function LoadingScreen() {
  useEffect(holdIdle, [])
  return (
    <div role="status" className="grid min-h-dvh place-items-center">
      <Mark size={44} thinking className="animate-fade" />
      <span className="sr-only">Loading</span>
    </div>
  )
}
