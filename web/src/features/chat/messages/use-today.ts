import { useEffect, useState } from 'react'

const updateEveryMs = 60_000

/** Midnight in the time zone of the browser. */
const getStartOfToday = () => new Date().setHours(0, 0, 0, 0)

/** The start of the current day, in milliseconds since 1970. It changes within a minute after midnight. */
export function useToday(): number {
  const [today, setToday] = useState(getStartOfToday)
  useEffect(() => {
    const update = () => setToday(getStartOfToday())
    const timer = setInterval(update, updateEveryMs)
    // timers stop in a sleeping tab
    document.addEventListener('visibilitychange', update)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', update)
    }
  }, [])
  return today
}
