import { useEffect, useState } from 'react'

/** REG-18, LIM-20 */
export const searchDebounceMs = 500
/** REG-20, LIM-20 */
export const statusDebounceMs = 100

/** A value once it has been quiet for a while; the first one at once. */
export function useDebounced<Value>(value: Value, delayMs: number): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return settled
}
