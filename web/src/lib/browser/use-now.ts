import { useEffect, useState } from 'react'

/** What is shown changes with a minute, an hour or a day, so it is at most half a minute late. */
const tickMs = 30_000

/** The current time, for what depends on it: the component renders again as it passes. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), tickMs)
    return () => clearInterval(timer)
  }, [])
  return now
}
