import { useCallback, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'

/** How somebody is about to leave: through one of the page's own links, or through the browser's Back. */
type Way = { to: string } | 'back'

/**
 * Asks before unsaved changes are lost (UX 22): on the page's own way out, on the browser's Back and on closing the page.
 * @param dirty whether there is something to lose
 * @returns `asking` while the question stands; `leaveTo` for the page's own ways out
 */
export function useLeaveGuard(dirty: boolean) {
  const navigate = useNavigate()
  const [asking, setAsking] = useState<Way>()
  const armed = useRef(false)

  useEffect(() => {
    if (!dirty) return
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    // an entry of our own for Back to take away first: the page is still here then
    const arm = () => {
      history.pushState(history.state, '')
      armed.current = true
    }
    const onPop = () => {
      if (!armed.current) return
      armed.current = false
      setAsking('back')
    }
    arm()
    addEventListener('beforeunload', onUnload)
    addEventListener('popstate', onPop)
    return () => {
      removeEventListener('beforeunload', onUnload)
      removeEventListener('popstate', onPop)
      setAsking(undefined)
      if (armed.current) history.back()
      armed.current = false
    }
  }, [dirty])

  const stay = useCallback(() => {
    if (asking === 'back') {
      history.pushState(history.state, '')
      armed.current = true
    }
    setAsking(undefined)
  }, [asking])

  const leaveTo = useCallback(
    (path: string) => {
      if (dirty) setAsking({ to: path })
      else void navigate(path)
    },
    [dirty, navigate],
  )

  const leave = useCallback(() => {
    const replace = armed.current
    armed.current = false
    if (asking === 'back') void navigate(-1)
    else if (asking) void navigate(asking.to, { replace })
  }, [asking, navigate])

  return { asking: asking !== undefined, stay, leave, leaveTo }
}
