import { useEffect, useState } from 'react'

/** A debounced value; the first one is used at once. */
export function useDebounced<Value>(value: Value, delayMs: number): Value {
  const [debounced, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), delayMs)
    return () => clearTimeout(timer)
  }, [value, delayMs])
  return debounced
}
