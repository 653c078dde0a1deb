import { useEffect, useState } from 'react'

/**
 * A countdown between two actions.
 * @param options.startsRunning whether the first action has just happened
 * @returns the remaining seconds (0: ready), and a function that restarts the countdown
 */
export function useCooldown(
  seconds: number,
  { startsRunning }: { startsRunning: boolean },
): [number, () => void] {
  const [endsAt, setEndsAt] = useState(() => (startsRunning ? Date.now() + seconds * 1000 : 0))
  const [left, setLeft] = useState(startsRunning ? seconds : 0)
  useEffect(() => {
    const tick = () => setLeft(Math.max(0, Math.ceil((endsAt - Date.now()) / 1000)))
    if (endsAt <= Date.now()) return
    const timer = setInterval(tick, 250)
    const end = setTimeout(() => clearInterval(timer), endsAt - Date.now() + 500)
    return () => {
      clearInterval(timer)
      clearTimeout(end)
    }
  }, [endsAt])
  const start = () => {
    setEndsAt(Date.now() + seconds * 1000)
    setLeft(seconds)
  }
  return [left, start]
}
