import { useEffect, useState } from 'react'

/** Relative times are shown in minutes, so they are at most half a minute late. */
const tickMs = 30_000

/** The current time, for relative times: the component renders again as it passes. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), tickMs)
    return () => clearInterval(timer)
  }, [])
  return now
}
