import { useState } from 'react'

/** @returns the value; while it is undefined, the last one that was not: a dialog shows it while it closes */
export function useLast<Value>(value: Value | undefined): Value | undefined {
  const [last, setLast] = useState(value)
  if (value !== undefined && value !== last) setLast(value)
  return value ?? last
}
