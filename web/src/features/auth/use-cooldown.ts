import { useEffect, useState } from 'react'

/** Shorter than a second, so that no second is skipped. */
const tickMs = 250

/**
 * A countdown between two actions.
 * @param options.startsRunning whether the first action has just happened
 * @returns the remaining seconds (0: ready), and a function that restarts the countdown
 */
export function useCooldown(
  seconds: number,
  { startsRunning }: { startsRunning: boolean },
): [number, () => void] {
  const [endsAtMs, setEndsAtMs] = useState(() => (startsRunning ? Date.now() + seconds * 1000 : 0))
  const [leftSeconds, setLeftSeconds] = useState(startsRunning ? seconds : 0)
  useEffect(() => {
    if (endsAtMs <= Date.now()) return
    const timer = setInterval(() => {
      const leftMs = endsAtMs - Date.now()
      setLeftSeconds(Math.max(0, Math.ceil(leftMs / 1000)))
      if (leftMs <= 0) clearInterval(timer)
    }, tickMs)
    return () => clearInterval(timer)
  }, [endsAtMs])
  const start = () => {
    setEndsAtMs(Date.now() + seconds * 1000)
    setLeftSeconds(seconds)
  }
  return [leftSeconds, start]
}
