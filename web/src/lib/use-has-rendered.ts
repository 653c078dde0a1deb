import { useDeferredValue } from 'react'

/**
 * False in the first render of a component, then true. A live region is empty in its first render: not every screen reader announces a text
 * that appears together with its region.
 */
export const useHasRendered = (): boolean => useDeferredValue(true, false)
