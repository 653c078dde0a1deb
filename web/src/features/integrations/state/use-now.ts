import { useEffect, useState } from 'react'

const minuteMs = 60_000

/** The time, a minute at most behind: relative times refresh themselves. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), minuteMs)
    return () => clearInterval(timer)
  }, [])
  return now
}
