import { useEffect, useState } from 'react'

const minuteMs = 60_000
/** In the reader's time zone; where the clocks skip midnight, the day begins later. */
const startOfToday = () => new Date().setHours(0, 0, 0, 0)

/** When the reader's day began, in milliseconds since 1970: changes within a minute after midnight, and at no other time. */
export function useToday(): number {
  const [today, setToday] = useState(startOfToday)
  useEffect(() => {
    const update = () => setToday(startOfToday())
    const timer = setInterval(update, minuteMs)
    // timers stand still in a tab that sleeps
    document.addEventListener('visibilitychange', update)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', update)
    }
  }, [])
  return today
}
